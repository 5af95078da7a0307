// The proofs of the stored blocks, and the data of earlier blocks that a proof needs. Own tables, which the Hiero schema does
// not have: no answer needs them.
import { local, upsert, withBlock } from './facts.ts';
import type { Table } from './table.ts';

export const streamProofTables = {
  /** Proofs of blocks of a block stream, as they came: one that cannot be verified today may be later. */
  block_proof: {
    kind: 'insert',
    own: true,
    key: ['consensus_end', 'place'],
    past: withBlock,
    placement: local('no answer is read from it'),
    answers: 'none',
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      /** Index of the proof in its block. */
      place: { type: 'int2', required: true },
      kind: { type: 'text', required: true },
      verified: { type: 'bool', required: true },
      /** Why it was not verified. */
      reason: { type: 'text' },
      /** Serialized BlockProof. */
      proof: { type: 'bytea', required: true },
    },
  },
  /** Both forms of the root of blocks that may have the older one; `hash` of record_file is one of them. */
  block_root_forms: {
    kind: 'insert',
    own: true,
    key: ['consensus_end'],
    past: withBlock,
    placement: local('read and written by the import alone'),
    answers: 'none',
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      newer: { type: 'bytea', required: true },
      older: { type: 'bytea', required: true },
    },
  },
  /** The tree over the roots of the first blocks, stored at intervals: a restart does not begin at block 0. */
  wrapped_block_tree: {
    ...upsert,
    own: true,
    key: ['leaf_count'],
    placement: local('read and written by the import alone'),
    answers: 'none',
    columns: {
      leaf_count: { type: 'int8', required: true },
      /** SHA-384 of its perfect trees, the largest first: one for each set bit of the count. */
      hashes: { type: 'bytea', required: true },
    },
  },
} as const satisfies Record<string, Table>;
