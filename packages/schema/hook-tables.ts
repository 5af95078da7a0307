// Hooks (HIP-1195): contracts that the ledger calls before it moves what an account holds, and the storage of each
// hook.
import { byId, ofOwner, upsert, versioned } from './facts.ts';
import type { Table } from './table.ts';

export const hookTables = {
  hook: {
    ...versioned,
    key: ['owner_id', 'hook_id'],
    placement: byId('owner_id', ofOwner),
    answers: { without: 'accounts have no hooks' },
    columns: {
      admin_key: { type: 'bytea' },
      contract_id: { type: 'int8', required: true },
      created_timestamp: { type: 'int8', required: true },
      deleted: { type: 'bool', required: true, default: 'false' },
      extension_point: { type: 'hook_extension_point', required: true, default: `'ACCOUNT_ALLOWANCE_HOOK'` },
      hook_id: { type: 'int8', required: true },
      owner_id: { type: 'int8', required: true },
      timestamp_range: { type: 'int8range', required: true },
      type: { type: 'hook_type', required: true, default: `'EVM'` },
    },
    // The id of a deleted hook may be used again; the new hook inherits nothing.
    reset: { when: 'created_timestamp', columns: ['admin_key'] },
  },
  hook_storage: {
    ...upsert,
    key: ['owner_id', 'hook_id', 'key'],
    placement: byId('owner_id', ofOwner),
    answers: { without: 'the storage of hooks is empty' },
    columns: {
      created_timestamp: { type: 'int8', required: true, merge: 'keep', restartsAfter: 'deleted' },
      deleted: { type: 'bool', required: true, default: 'false' },
      hook_id: { type: 'int8', required: true },
      /** 32 bytes. */
      key: { type: 'bytea', required: true },
      modified_timestamp: { type: 'int8', required: true },
      owner_id: { type: 'int8', required: true },
      /** Without leading zeros. */
      value: { type: 'bytea', required: true },
    },
  },
  hook_storage_change: {
    kind: 'insert',
    key: ['owner_id', 'hook_id', 'key', 'consensus_timestamp'],
    past: { changeOf: ['owner_id', 'hook_id', 'key'] },
    placement: byId('owner_id', ofOwner),
    answers: { without: 'the storage of hooks has no past' },
    columns: {
      consensus_timestamp: { type: 'int8', required: true },
      deleted: { type: 'bool', required: true, default: 'false' },
      hook_id: { type: 'int8', required: true },
      key: { type: 'bytea', required: true },
      owner_id: { type: 'int8', required: true },
      value_read: { type: 'bytea', required: true },
      /** null if the slot was only read. */
      value_written: { type: 'bytea' },
    },
  },
} as const satisfies Record<string, Table>;
