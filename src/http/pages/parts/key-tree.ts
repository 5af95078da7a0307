// A key as a tree: who has to sign, and of how many.
import { html, type Markup, type MarkupValue } from '../../../kit/markup.ts';
import { formatEntityId, toEntityIdOrNone } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { code, hexBytes } from './bytes.ts';

/** Keys are written by anyone: no deeper, and no more of them, than a reader can follow. */
const maxDepth = 10;
const maxKeys = 100;

/** `bytes`: a serialized HAPI Key. */
export function keyTree(bytes: Uint8Array): MarkupValue {
  let key: proto.IKey;
  try {
    key = proto.Key.decode(bytes);
  } catch {
    // Keys are stored as they came, readable or not.
    return html`<span class="faint">not readable</span> ${hexBytes(bytes)}`;
  }
  return showKey(key, 0, { left: maxKeys });
}

function showKey(key: proto.IKey, depth: number, room: { left: number }): Markup {
  room.left -= 1;
  if (room.left < 0 || depth > maxDepth) return html`<span class="faint">… more keys</span>`;
  if (key.ed25519) return plain('ED25519', key.ed25519);
  if (key.ECDSASecp256k1) return plain('ECDSA secp256k1', key.ECDSASecp256k1);
  if (key.ECDSA_384) return plain('ECDSA P-384', key.ECDSA_384);
  if (key.RSA_3072) return plain('RSA 3072', key.RSA_3072);
  if (key.contractID) return html`<span class="faint">the contract</span> ${nameOf(key.contractID)}`;
  if (key.delegatableContractId) {
    return html`<span class="faint">the contract, or who it calls for</span> ${nameOf(key.delegatableContractId)}`;
  }
  const { keyList, thresholdKey } = key;
  if (thresholdKey) {
    const keys = thresholdKey.keys?.keys ?? [];
    return list(
      html`<span class="faint">${thresholdKey.threshold ?? 0} of these ${keys.length}</span>`,
      keys,
      depth,
      room,
    );
  }
  const keys = keyList?.keys ?? [];
  if (keys.length === 0) return html`<span class="faint">an empty list: nobody can sign</span>`;
  return keys.length === 1
    ? showKey(keys[0]!, depth + 1, room)
    : list(html`<span class="faint">all of these ${keys.length}</span>`, keys, depth, room);
}

function list(words: Markup, keys: readonly proto.IKey[], depth: number, room: { left: number }): Markup {
  const shown: Markup[] = [];
  for (const one of keys) {
    if (room.left <= 0) {
      shown.push(html`<li class="faint">… ${keys.length - shown.length} more keys</li>`);
      break;
    }
    shown.push(html`<li>${showKey(one, depth + 1, room)}</li>`);
  }
  return html`${words}<ul class="tree">${shown}</ul>`;
}

function plain(name: string, bytes: Uint8Array): Markup {
  const shown = bytes.length <= 64 ? code(Buffer.from(bytes).toString('hex')) : hexBytes(bytes);
  return html`<span class="faint">${name}</span> ${shown}`;
}

function nameOf(id: proto.IContractID): MarkupValue {
  const { evmAddress } = id;
  return evmAddress && evmAddress.length > 0 ? hexBytes(evmAddress) : formatEntityId(toEntityIdOrNone(id));
}
