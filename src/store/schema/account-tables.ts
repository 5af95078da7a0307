// Snapshots of balances and what accounts allow others to spend.
import type { Table } from './table.ts';

export const accountTables = {
  account_balance: {
    kind: 'insert',
    key: ['account_id', 'consensus_timestamp'],
    answers: { without: 'balances at a moment in the past are taken from the versions of the account' },
    columns: {
      account_id: { type: 'int8', required: true },
      balance: { type: 'int8', required: true },
      consensus_timestamp: { type: 'int8', required: true },
    },
    partitionBy: 'consensus_timestamp',
  },
  account_balance_file: {
    kind: 'insert',
    key: ['consensus_timestamp'],
    columns: {
      bytes: { type: 'bytea' },
      consensus_timestamp: { type: 'int8', required: true },
      count: { type: 'int8', required: true },
      file_hash: { type: 'text' },
      load_end: { type: 'int8' },
      load_start: { type: 'int8' },
      name: { type: 'text', required: true },
      node_id: { type: 'int8' },
      synthetic: { type: 'bool', required: true, default: 'false' },
      time_offset: { type: 'int4', required: true, default: '0' },
    },
  },
  token_balance: {
    kind: 'insert',
    key: ['account_id', 'token_id', 'consensus_timestamp'],
    answers: { without: 'token balances at a moment in the past are left out' },
    columns: {
      account_id: { type: 'int8', required: true },
      balance: { type: 'int8', required: true },
      consensus_timestamp: { type: 'int8', required: true },
      token_id: { type: 'int8', required: true },
    },
    partitionBy: 'consensus_timestamp',
    indexes: ['(token_id, account_id, consensus_timestamp)'],
  },
  crypto_allowance: {
    kind: 'versioned',
    key: ['owner', 'spender'],
    answers: { without: 'lists of allowances of hbar are empty' },
    columns: {
      amount: { type: 'int8', required: true, default: '0', merge: 'adjust' },
      amount_granted: { type: 'int8' },
      owner: { type: 'int8', required: true },
      payer_account_id: { type: 'int8', required: true },
      spender: { type: 'int8', required: true },
      timestamp_range: { type: 'int8range', required: true },
    },
    indexes: ['(spender)'],
  },
  token_allowance: {
    kind: 'versioned',
    key: ['owner', 'spender', 'token_id'],
    answers: { without: 'lists of allowances of tokens are empty' },
    columns: {
      amount: { type: 'int8', required: true, default: '0', merge: 'adjust' },
      amount_granted: { type: 'int8' },
      owner: { type: 'int8', required: true },
      payer_account_id: { type: 'int8', required: true },
      spender: { type: 'int8', required: true },
      timestamp_range: { type: 'int8range', required: true },
      token_id: { type: 'int8', required: true },
    },
    indexes: ['(spender)'],
  },
  nft_allowance: {
    kind: 'versioned',
    key: ['owner', 'spender', 'token_id'],
    answers: { without: 'lists of allowances of NFTs are empty' },
    columns: {
      approved_for_all: { type: 'bool', required: true },
      owner: { type: 'int8', required: true },
      payer_account_id: { type: 'int8', required: true },
      spender: { type: 'int8', required: true },
      timestamp_range: { type: 'int8range', required: true },
      token_id: { type: 'int8', required: true },
    },
    indexes: ['(spender, owner, token_id)'],
  },
} as const satisfies Record<string, Table>;
