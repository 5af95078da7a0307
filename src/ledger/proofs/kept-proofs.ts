// What covers opened blocks, by the root that the client knows: kept for the next proof of the same block. Its own
// room, because a path of a thousand steps takes more than most blocks.
import { LRUCache } from 'lru-cache';
import type { FoundProof } from './find-network-proof.ts';

export type KeptProofs = {
  find(block: string, known: string | null): FoundProof | null;
  keep(block: string, known: string | null, proof: FoundProof): void;
  sizeBytes(): number;
};

/** Of an entry, of each step, of each node of a book, beside their texts of one byte a character. */
const bytesOfEntry = 1000;
const bytesOfStep = 250;
const bytesOfHash = 130;
const bytesOfNode = 400;

export function createKeptProofs(maxBytes: number): KeptProofs {
  const kept = new LRUCache<string, FoundProof>({ maxSize: maxBytes, sizeCalculation: sizeOf });
  const keyOf = (block: string, known: string | null): string => `${block} ${known ?? ''}`;
  return {
    find: (block, known) => kept.get(keyOf(block, known)) ?? null,
    keep(block, known, proof) {
      kept.set(keyOf(block, known), proof);
    },
    sizeBytes: () => kept.calculatedSize,
  };
}

function sizeOf({ path, proof }: FoundProof): number {
  const steps = path.reduce(
    (sum, { siblings, history }) => sum + bytesOfStep + bytesOfHash * (siblings.length + (history?.length ?? 0) * 2),
    0,
  );
  const texts = 'known' in proof ? proof.known.length : proof.signature.length;
  const nodes = 'book' in proof ? proof.book.length * bytesOfNode : 0;
  return bytesOfEntry + steps + texts + nodes + ('wrapsKey' in proof ? proof.wrapsKey.length : 0);
}
