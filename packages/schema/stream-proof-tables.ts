// The proofs of the stored blocks, what was verified of them, and the data of earlier blocks that a proof needs. Own
// tables, which the Hiero schema does not have.
import { local, ofBlock, reference, upsert, withBlock } from './facts.ts';
import type { Table } from './table.ts';

const handedOver = { without: 'no proofs are handed over' } as const;

export const streamProofTables = {
  /** Proofs of blocks of a block stream, as they came: one that cannot be verified today may be later. */
  block_proof: {
    kind: 'insert',
    own: true,
    key: ['consensus_end', 'place'],
    past: withBlock,
    placement: reference(ofBlock),
    answers: handedOver,
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
  /**
   * Whose signature covers a block of a block stream; blocks of record files are proved by signatures of nodes, and
   * have no row.
   */
  block_verification: {
    kind: 'insert',
    own: true,
    key: ['consensus_end'],
    past: withBlock,
    placement: reference(ofBlock),
    answers: { without: 'how blocks were verified is not known' },
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      /**
       * signed: its own signature. state, chain: of a later block, to which its proof or the chain of roots leads.
       * null: of none yet.
       */
      kind: { type: 'text' },
      /** Number of the signed block. */
      rests_on: { type: 'int8' },
      /** Of the signers, and of all. */
      weight: { type: 'int8' },
      total_weight: { type: 'int8' },
      /** Of keys since the network settled; null before. */
      rotations: { type: 'int8' },
      /**
       * Why the key that signed is trusted: schnorr, wraps (the address book vouches for it), ledgerId, namedKey,
       * pinnedKey; unproved: nothing does. null: none signed, or a version before these wrote the row.
       */
      attestation: { type: 'text' },
      /** Number of the block that named the key; only of a namedKey. */
      key_named_by: { type: 'int8' },
    },
    indexes: ['(consensus_end) where rests_on is null', `(consensus_end) where attestation = 'unproved'`],
  },
  /** What of a block is not shown, or shown in part, since it is doubtful: a row for each kind. */
  import_doubt: {
    kind: 'insert',
    own: true,
    key: ['consensus_end', 'kind'],
    past: withBlock,
    placement: reference(ofBlock),
    answers: 'none',
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      kind: { type: 'text', required: true },
      count: { type: 'int8', required: true },
      /** Of the first one, among the items of the block; null: it is no single item. */
      place: { type: 'int4' },
      /** The first one, as a sentence. */
      text: { type: 'text', required: true },
    },
  },
  /** The ledger that blocks have been verified as: one row. */
  ledger_trust: {
    ...upsert,
    own: true,
    key: ['id'],
    placement: reference(ofBlock),
    answers: { without: 'how blocks were verified is not known' },
    columns: {
      id: { type: 'int8', required: true },
      ledger_id: { type: 'bytea', required: true },
      /** pinned, handedOver, selfDeclared or export. */
      origin: { type: 'text', required: true },
      /** The message that published it. */
      publication: { type: 'bytea' },
      wraps_key: { type: 'bytea' },
      /** The newest rotation that was proved, and the block that shows it. */
      rotation_steps: { type: 'int8' },
      rotation_block: { type: 'int8' },
    },
  },
  /**
   * hinTS keys that are trusted without a proof of the address book, or will be once the block that named them is
   * proved.
   */
  ledger_key: {
    ...upsert,
    own: true,
    key: ['key_hash'],
    placement: reference(ofBlock),
    answers: 'none',
    columns: {
      /** 32 bytes: docs/reference/block-proofs.md, Keys. */
      key_hash: { type: 'bytea', required: true },
      /**
       * Why it is trusted: ledgerId, signedBlock (a proved block named it) or pinned. unproved: the block that named it
       * is not proved.
       */
      source: { type: 'text', required: true },
      /** Numbers of the first block that named it, and of the newest one. */
      named_by: { type: 'int8' },
      named_last: { type: 'int8' },
      /** Of the first block that it signed, since it took over from another key. */
      signs_from: { type: 'int8' },
    },
  },
  /** Ledger ids that blocks were verified as before a later one was handed over. */
  former_ledger: {
    kind: 'insert',
    own: true,
    key: ['until_block'],
    past: 'stays',
    placement: reference(ofBlock),
    answers: { without: 'which ledger older blocks were verified as is not known' },
    columns: {
      /** Number of the last block that is of this ledger: it publishes the next id. */
      until_block: { type: 'int8', required: true },
      ledger_id: { type: 'bytea', required: true },
      origin: { type: 'text', required: true },
    },
  },
  /**
   * The newest publication of a ledger id that this version could not read, until a later one takes its place: one row.
   */
  unread_publication: {
    ...upsert,
    own: true,
    key: ['id'],
    placement: local('read and written by the import alone'),
    answers: 'none',
    columns: {
      id: { type: 'int8', required: true },
      /** Number of the block that has it; null: none is unread. */
      block: { type: 'int8', merge: 'set' },
      /** What proves that block: records (signatures of nodes) or signedBlock. */
      source: { type: 'text', merge: 'set' },
      /** What is not known about it, for the operator. */
      reason: { type: 'text', merge: 'set' },
      /** The message, which a later version may know how to read; null: it is too large. */
      content: { type: 'bytea', merge: 'set' },
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
  /**
   * What a path through a block of a block stream needs: from the root before it, or from a block of its history, to
   * its own root.
   */
  block_path: {
    kind: 'insert',
    own: true,
    key: ['consensus_end'],
    past: withBlock,
    placement: reference(ofBlock),
    answers: handedOver,
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      /** Of the block's timestamp. */
      time_leaf: { type: 'bytea', required: true },
      /**
       * Siblings of the root before it in the form of sixteen leaves, from it up: root of all blocks before, nodes over
       * the next two, four and eight leaves.
       */
      siblings: { type: 'bytea', required: true },
    },
  },
  /** Complete nodes of the tree over the roots of all blocks from block 0 on, of 256 blocks and more. */
  block_history_node: {
    kind: 'insert',
    own: true,
    key: ['level', 'place'],
    past: 'stays',
    placement: reference(ofBlock),
    answers: handedOver,
    columns: {
      /** It is over 2^level blocks, from `place` × 2^level on. */
      level: { type: 'int2', required: true },
      place: { type: 'int8', required: true },
      hash: { type: 'bytea', required: true },
    },
  },
  /** Files of the stream that `--keep-proofs` kept. */
  kept_stream_file: {
    kind: 'insert',
    own: true,
    key: ['consensus_end', 'place'],
    past: withBlock,
    placement: local('large, and read alone'),
    answers: handedOver,
    columns: {
      /** That of record_file. */
      consensus_end: { type: 'int8', required: true },
      /** 0: the block, or the record file. 1: its signature files. */
      place: { type: 'int2', required: true },
      /** Compressed with Zstandard. */
      bytes: { type: 'bytea', required: true },
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
