// Keys of entities: a single one as its kind and digits, lists and thresholds as trees.
import { html, type MarkupValue } from '../../../kit/markup.ts';
import { tryDecode } from '../../../protocol/hapi/decode-message.ts';
import { formatEntityId, toEntityIdOrNone } from '../../../protocol/hapi/entity-id.ts';
import { proto } from '../../../protocol/hapi/hapi.ts';
import { formatCount } from './amounts.ts';
import { code, hexBytes } from './bytes.ts';
import { type TreeValue, valueTree } from './value-tree.ts';

/** Of a tree; more are counted. */
const maxKeys = 40;
const maxDepth = 8;

/** `serialized`: a HAPI Key; null = there is none. */
export function keyTree(serialized: Uint8Array | null): MarkupValue {
  if (serialized === null || serialized.length === 0) return null;
  const key = tryDecode(proto.Key, serialized);
  if (key === null) return hexBytes(serialized);
  const count = { left: maxKeys };
  const shown = toBranch(key, count, 0);
  return shown.inside === undefined ? shown.value : html`${shown.value}${valueTree(shown.inside, 'Keys')}`;
}

function toBranch(key: proto.IKey, count: { left: number }, depth: number): TreeValue {
  const list = key.thresholdKey?.keys ?? key.keyList;
  if (!list) return { name: '', value: singleKey(key) };
  const keys = list.keys ?? [];
  const value = key.thresholdKey
    ? `${formatCount(key.thresholdKey.threshold ?? 0)} of these ${formatCount(keys.length)}`
    : keys.length === 0
      ? html`<span class="faint">no key at all</span>`
      : `All of these ${formatCount(keys.length)}`;
  return { name: '', value, inside: insideOf(keys, count, depth + 1) };
}

function insideOf(keys: readonly proto.IKey[], count: { left: number }, depth: number): TreeValue[] {
  const shown: TreeValue[] = [];
  for (const key of keys) {
    if (count.left <= 0 || depth > maxDepth) {
      shown.push({
        name: '',
        value: html`<span class="faint">… ${formatCount(keys.length - shown.length)} more</span>`,
      });
      break;
    }
    count.left -= 1;
    shown.push(toBranch(key, count, depth));
  }
  return shown;
}

const kinds = [
  ['ed25519', 'ED25519'],
  ['ECDSASecp256k1', 'ECDSA secp256k1'],
  ['RSA_3072', 'RSA 3072'],
  ['ECDSA_384', 'ECDSA P-384'],
] as const;

function singleKey(key: proto.IKey): MarkupValue {
  for (const [field, name] of kinds) {
    const bytes = key[field];
    if (bytes)
      return html`<span class="faint">${name}</span> ${code(Buffer.from(bytes).toString('hex').slice(0, maxDigits))}`;
  }
  const [contract, words] = key.contractID
    ? [key.contractID, 'the contract']
    : [key.delegatableContractId, 'the contract, also by delegated calls:'];
  if (!contract) return html`<span class="faint">a key of no known kind</span>`;
  const id = toEntityIdOrNone(contract);
  return html`<span class="faint">${words}</span> ${id === 0n ? hexBytes(contract.evmAddress ?? null, { none: 'unknown' }) : formatEntityId(id)}`;
}

/** Longer ones are no keys of these kinds, but anyone may have stored them. */
const maxDigits = 1024;
