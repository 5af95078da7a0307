// What imports of earlier versions of this program left out, or wrote differently: a database keeps its rows. One entry for
// each change of the rows that the same files give. The database records which blocks were imported before it
// (import_revision), and the mirror reports it to its operators and clients.

export type ImportRevision = {
  /** What blocks imported earlier lack permanently, including the state after them. */
  state: readonly string[];
  /** What is missing or different in answers about blocks imported earlier. */
  blocks: readonly string[];
};

/** Oldest first; revision n is entry n − 1. Entries are only added. */
const revisions: readonly ImportRevision[] = [
  { state: ['hooks and what they store', 'registered nodes'], blocks: [] },
  {
    state: [],
    blocks: [
      'logs of token transfers under a call of a contract',
      'approvals of NFT transfers',
      'contract storage, results and some transaction hashes in blocks of a block stream',
      'names and sizes of wrapped record blocks',
    ],
  },
];

/** What this program writes. */
export const currentRevision = revisions.length;

/** What blocks of an earlier revision lack. */
export function findLacks(revision: number): ImportRevision {
  const later = revisions.slice(Math.max(0, revision));
  return { state: later.flatMap(({ state }) => state), blocks: later.flatMap(({ blocks }) => blocks) };
}
