// A serialized HAPI Key as a tree for readers: who has to sign. Keys are stored as they came, readable or not, and nest
// as deep as who wrote them liked.
import { toEntityIdOrNone } from './entity-id.ts';
import { proto } from './hapi.ts';

export type KeyTree =
  | { kind: 'key'; algorithm: 'ED25519' | 'ECDSA secp256k1' | 'ECDSA P-384' | 'RSA 3072'; bytes: Buffer }
  /** The contract signs by calling; `delegates`: also through code that it calls. 0n = an id without a number. */
  | { kind: 'contract'; id: bigint; delegates: boolean }
  /** `needed` of the keys sign; `left`: keys beside the shown ones. */
  | { kind: 'list'; needed: number; keys: KeyTree[]; left: number }
  | { kind: 'unreadable' };

/** A network allows 15 levels; a page needs far fewer. */
const maxDepth = 8;
const maxKeys = 60;

/** null = no key. */
export function toKeyTree(serializedKey: Uint8Array | null): KeyTree | null {
  if (serializedKey === null || serializedKey.length === 0) return null;
  try {
    return toTree(proto.Key.decode(serializedKey), 0, { count: 0 });
  } catch {
    return { kind: 'unreadable' }; // Keys are stored as they came, readable or not.
  }
}

function toTree(key: proto.IKey, depth: number, shown: { count: number }): KeyTree {
  shown.count += 1;
  const { contractID, delegatableContractId, keyList, thresholdKey } = key;
  if (contractID) return { kind: 'contract', id: toEntityIdOrNone(contractID), delegates: false };
  if (delegatableContractId) return { kind: 'contract', id: toEntityIdOrNone(delegatableContractId), delegates: true };
  if (keyList) return toList(keyList.keys ?? [], null, depth, shown);
  if (thresholdKey) return toList(thresholdKey.keys?.keys ?? [], thresholdKey.threshold ?? 0, depth, shown);
  for (const [name, algorithm] of algorithms) {
    const bytes = key[name];
    if (bytes && bytes.length > 0) return { kind: 'key', algorithm, bytes: Buffer.from(bytes) };
  }
  return { kind: 'unreadable' };
}

/** `needed`: null = all of them. */
function toList(keys: readonly proto.IKey[], needed: number | null, depth: number, shown: { count: number }): KeyTree {
  const trees: KeyTree[] = [];
  for (const key of keys) {
    if (depth >= maxDepth || shown.count >= maxKeys) break;
    trees.push(toTree(key, depth + 1, shown));
  }
  return { kind: 'list', needed: needed ?? keys.length, keys: trees, left: keys.length - trees.length };
}

const algorithms = [
  ['ed25519', 'ED25519'],
  ['ECDSASecp256k1', 'ECDSA secp256k1'],
  ['ECDSA_384', 'ECDSA P-384'],
  ['RSA_3072', 'RSA 3072'],
] as const;
