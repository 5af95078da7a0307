// The proof at the end of a block: the network's signature of its root, the path to the root of a later block that is
// signed, or the signatures of nodes of the record file in it, which others check.
import { type CanonicalMessage, readCanonicalMessage } from './canonical-message.ts';
import { rootLength } from './hash-nodes.ts';
import { refuse } from './proof-refusal.ts';

/** A sibling on the way up; hash null: there is none, and the node above is that of a single child. */
export type Sibling = { isLeft: boolean; hash: Uint8Array | null };

export type BlockProof =
  | { kind: 'signed'; block: bigint; signature: Uint8Array }
  | {
      kind: 'state';
      block: bigint;
      /** Root of this block, as the proof says it. */
      root: Uint8Array;
      siblings: Sibling[];
      /** Serialized timestamp of the signed block. */
      timestamp: Uint8Array;
      signature: Uint8Array;
    }
  | { kind: 'records'; block: bigint };

/** Blocks between one and the signed one that its proof leads to: nodes sign most blocks. */
const maxSteps = 1024;
/** Four of the tree and one of the timestamp. */
export const siblingsOfStep = 5;
const maxSiblings = maxSteps * siblingsOfStep - 1;
/** A timestamp is two numbers of 64 and 32 bits. */
const maxTimestampLength = 32;

/** The content of a block item that is a proof. Throws ProofRefusal. */
export function readBlockProof(content: Uint8Array): BlockProof {
  const message = readCanonicalMessage(content, 'block proof', { 1: 'varint', 2: 'bytes', 3: 'bytes', 4: 'bytes' }, 4);
  const block = message.varint(1) ?? 0n;
  const [signed, state, records] = [message.bytes(2), message.bytes(3), message.bytes(4)];
  if ([signed, state, records].filter((part) => part !== null).length !== 1) {
    refuse('message', 'one kind of proof in the block proof', 'none or several');
  }
  if (signed) return { kind: 'signed', block, signature: readSignature(signed) };
  if (state) return { kind: 'state', block, ...readStateProof(state) };
  return { kind: 'records', block };
}

function readSignature(content: Uint8Array): Uint8Array {
  const signature = readCanonicalMessage(content, 'signed block proof', { 1: 'bytes' }, 1).bytes(1);
  return signature ?? refuse('message', 'a signature in the signed block proof', 'none');
}

/** Three paths: the time of the signed block, the root of this block with its siblings, and what joins them. */
function readStateProof(content: Uint8Array) {
  const message = readCanonicalMessage(content, 'state proof', { 1: 'list', 2: 'bytes' }, 4);
  const [time, way, join, ...more] = message.list(1).map(readPath);
  const signed = message.bytes(2);
  if (!time || !way || !join || more.length > 0 || !signed) {
    return refuse('statePath', 'three paths and a signed block proof in the state proof', 'other parts');
  }
  const timestamp = time.bytes(6);
  expectPath('first', time, { next: [joinIndex], parts: [6] });
  expectPath('second', way, { next: [joinIndex], parts: [1, 3] });
  expectPath('third', join, { next: noIndex, parts: [] });
  const root = way.bytes(3);
  if (timestamp?.length === undefined || timestamp.length > maxTimestampLength) {
    return refuse('statePath', 'the timestamp of the signed block', 'none');
  }
  if (root?.length !== rootLength) return refuse('statePath', 'the root of the block', 'none');
  return { root, timestamp, siblings: way.list(1).map(readSibling), signature: readSignature(signed) };
}

const joinIndex = 2n;
/** −1, of 32 bits as networks write it, and of 64 as protobuf writes negative numbers. */
const noIndex = [(1n << 32n) - 1n, (1n << 64n) - 1n];

function readPath(content: Uint8Array): CanonicalMessage {
  const shape = { 1: 'list', 2: 'varint', 3: 'bytes', 4: 'bytes', 5: 'bytes', 6: 'bytes' } as const;
  return readCanonicalMessage(content, 'path of the state proof', shape, maxSiblings + 2);
}

function expectPath(
  name: string,
  path: CanonicalMessage,
  { next, parts }: { next: readonly bigint[]; parts: number[] },
): void {
  const found = [1, 3, 4, 5, 6].filter((number) => path.list(number).length > 0);
  const index = path.varint(2) ?? 0n;
  if (found.join() === parts.join() && next.includes(index)) return;
  const text = (numbers: readonly number[], to: bigint) =>
    `fields ${numbers.join(', ') || 'none'} and ${to} as the next path`;
  refuse('statePath', `${text(parts, next[0]!)} in the ${name} path`, text(found, index));
}

function readSibling(content: Uint8Array): Sibling {
  const message = readCanonicalMessage(content, 'sibling of the state proof', { 1: 'varint', 2: 'bytes' }, 2);
  const [isLeft, hash] = [message.varint(1) ?? 0n, message.bytes(2) ?? noHash];
  if (isLeft > 1n) refuse('message', 'yes or no for a sibling to be left', `${isLeft}`);
  if (hash.length !== 0 && hash.length !== rootLength) {
    refuse('statePath', `siblings of ${rootLength} bytes`, `one of ${hash.length}`);
  }
  return { isLeft: isLeft === 1n, hash: hash.length === 0 ? null : hash };
}

const noHash = new Uint8Array();
