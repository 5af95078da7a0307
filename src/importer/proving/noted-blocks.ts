// What blocks say of their ledger that nothing has proved yet, by the number of the block: it counts once they are
// covered.
import type { Publication } from '../../../packages/proof/publication.ts';
import type { NamedKey } from './ledger-change.ts';
import type { UnreadMessage } from './read-publications.ts';

export type NotedBlock = {
  block: bigint;
  publications: readonly Publication[];
  /** Publications that cannot be read. */
  unread: readonly UnreadMessage[];
  /** Of hinTS keys in its state. */
  keyHashes: readonly Uint8Array[];
};

/** `isStored`: a signature by a key covers it that nothing vouches for. */
type Noted = NotedBlock & { isStored: boolean };

export function createNotedBlocks() {
  let noted: Noted[] = [];

  return {
    /** With the keys that stored blocks named which are not proved. */
    begin(stored: readonly NamedKey[]): void {
      noted = stored.map(toNoted);
    },
    add(one: NotedBlock): void {
      if (one.publications.length + one.unread.length + one.keyHashes.length > 0)
        noted.push({ ...one, isStored: false });
    },
    /** No chain leads from what comes next to these. */
    forget(): void {
      noted = [];
    },
    upTo: (block: bigint): readonly NotedBlock[] => noted.filter((one) => one.block <= block),
    remove(one: NotedBlock): void {
      noted = noted.filter((other) => other !== one);
    },
    /** Those up to this block are covered by a key that nothing vouches for. */
    keep(block: bigint): void {
      const covered = noted.filter((one) => one.block <= block);
      noted = [...keepStored(covered), ...noted.filter((one) => one.block > block)];
    },
    publicationsOf: (block: bigint): readonly Publication[] =>
      noted.find((one) => one.block === block)?.publications ?? [],
    /** Blocks that no signature covers at all name keys. */
    hasKeys: (): boolean => noted.some(({ keyHashes, isStored }) => keyHashes.length > 0 && !isStored),
    /** The first block before this one that names the key; null: none does. */
    findNaming: (keyHash: Uint8Array, before: bigint): bigint | null =>
      noted.find(({ block, keyHashes }) => block < before && keyHashes.some((one) => isSame(one, keyHash)))?.block ??
      null,
    /** Keys that stored blocks name. */
    storedKeys: (): NamedKey[] => newestNamed(noted.filter(({ isStored }) => isStored)),
  };
}

/** Each key once: networks name the same one again and again. */
function keepStored(covered: readonly Noted[]): Noted[] {
  const rest = covered.filter(({ publications, unread }) => publications.length + unread.length > 0);
  const others = rest.map((one) => ({ ...one, keyHashes: [], isStored: true }));
  return [...newestNamed(covered).map(toNoted), ...others].sort((one, other) => Number(one.block - other.block));
}

function newestNamed(some: readonly Noted[]): NamedKey[] {
  const named = some.flatMap(({ block, keyHashes }) =>
    keyHashes.map((keyHash) => [Buffer.from(keyHash).toString('hex'), { keyHash, block }] as const),
  );
  return [...new Map(named).values()];
}

const toNoted = ({ keyHash, block }: NamedKey): Noted => {
  return { block, publications: [], unread: [], keyHashes: [keyHash], isStored: true };
};

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
