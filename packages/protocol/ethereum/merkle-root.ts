// The root of a Merkle Patricia tree, in which Ethereum keeps the receipts of a block.
import { type Input, RLP } from '@ethereumjs/rlp';
import { keccak256 } from '../keccak256.ts';

type Leaf = { path: number[]; value: Uint8Array };

/** Keys are distinct. */
export function merkleRoot(entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[]): Buffer {
  const leaves = entries.map(([key, value]) => ({ path: [...key].flatMap((byte) => [byte >> 4, byte & 15]), value }));
  return keccak256(RLP.encode(leaves.length === 0 ? '' : toNode(leaves, 0)));
}

/** The leaves have the first `depth` digits of their paths in common. */
function toNode(leaves: readonly Leaf[], depth: number): Input {
  const [first] = leaves as [Leaf];
  if (leaves.length === 1) return [toCompact(first.path.slice(depth), true), first.value];
  let end = depth;
  while (leaves.every(({ path }) => path.length > end && path[end] === first.path[end])) end += 1;
  if (end > depth) return [toCompact(first.path.slice(depth, end), false), toReference(toNode(leaves, end))];
  const children = Array.from({ length: 16 }, (_, digit): Input => {
    const below = leaves.filter(({ path }) => path[depth] === digit);
    return below.length === 0 ? '' : toReference(toNode(below, depth + 1));
  });
  return [...children, leaves.find(({ path }) => path.length === depth)?.value ?? ''];
}

/** A node of less than 32 bytes stands in its parent. */
function toReference(node: Input): Input {
  const encoded = RLP.encode(node);
  return encoded.length < 32 ? node : keccak256(encoded);
}

function toCompact(digits: readonly number[], isLeaf: boolean): Buffer {
  const flag = isLeaf ? 2 : 0;
  const whole = digits.length % 2 === 0 ? [flag, 0, ...digits] : [flag + 1, ...digits];
  return Buffer.from(whole.map((digit) => digit.toString(16)).join(''), 'hex');
}
