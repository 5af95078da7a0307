// What imports of earlier versions of this program left out, or wrote differently: a database keeps its rows. One entry
// for each change of the rows that the same files give, and for each fact that later blocks are judged by. The database
// records which blocks were imported before it (import_revision), and the mirror reports it to its operators and
// clients.

/**
 * What a version derives from blocks and needs for later ones; an import that starts mends it
 * (runtime/import/mend-facts.ts).
 */
export type DerivedFact = 'ledgerId';

export type ImportRevision = {
  /** What blocks imported earlier lack permanently, including the state after them. */
  state: readonly string[];
  /** What is missing or different in answers about blocks imported earlier. */
  blocks: readonly string[];
  /** What was not derived from blocks imported earlier. */
  facts: readonly DerivedFact[];
};

/** Oldest first; revision n is entry n − 1. Entries are only added. */
const revisions: readonly ImportRevision[] = [
  { state: ['hooks and what they store', 'registered nodes'], blocks: [], facts: [] },
  {
    state: [],
    blocks: [
      'logs of token transfers under a call of a contract',
      'approvals of NFT transfers',
      'contract storage, results and some transaction hashes in blocks of a block stream',
      'names and sizes of wrapped record blocks',
    ],
    facts: [],
  },
  // Not every version of the revision before noted what it trusts of a ledger.
  { state: [], blocks: [], facts: ['ledgerId'] },
];

/** What this program writes. */
export const currentRevision = revisions.length;

/** The revision from which on versions derive the fact. */
export function revisionOf(fact: DerivedFact): number {
  return revisions.findIndex(({ facts }) => facts.includes(fact)) + 1;
}

/** What blocks of an earlier revision lack. */
export function findLacks(revision: number): ImportRevision {
  const later = revisions.slice(Math.max(0, revision));
  return {
    state: later.flatMap(({ state }) => state),
    blocks: later.flatMap(({ blocks }) => blocks),
    facts: later.flatMap(({ facts }) => facts),
  };
}
