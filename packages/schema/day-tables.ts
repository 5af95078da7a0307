// What happened on each day (UTC), kept by the import so that charts over years read a row a day. Days stay when the
// rows that they were counted from are dropped.
import { local, upsert } from './facts.ts';
import type { Column, Table } from './table.ts';

const count = { type: 'int8', required: true, default: '0' } as const satisfies Column;
/** Days since 1970. */
const day = { type: 'int4', required: true } as const satisfies Column;

const facts = {
  ...upsert,
  own: true,
  placement: local('a few rows a day, written by the import alone'),
  answers: { without: 'there are no charts over days' },
} as const;

export const dayTables = {
  ledger_day: {
    ...facts,
    key: ['day'],
    columns: {
      day,
      /** By their consensus end. */
      blocks: count,
      gas_used: count,
      transactions: count,
      failed: count,
      /** Tinybar that transactions were charged. */
      fees: count,
      /** Accounts that paid for a transaction. */
      active_accounts: count,
      /** Transactions that a client sent, and the milliseconds from their valid start to consensus. */
      sent: count,
      consensus_ms: count,
      /** Entities by their type when they were created. */
      new_accounts: count,
      new_contracts: count,
      new_tokens: count,
      new_topics: count,
      /** Tinybar for a gas at its end; 0 = the network said none, null = it was not looked up, or the day is not over. */
      gas_price: { type: 'int8' },
    },
  },
  ledger_day_type: {
    ...facts,
    key: ['day', 'type'],
    columns: { day, type: { type: 'int2', required: true }, transactions: count, fees: count },
  },
  /** The active accounts of a day that is not over, or not filled. */
  ledger_day_payer: {
    ...facts,
    key: ['day', 'payer_account_id'],
    answers: 'none',
    columns: { day, payer_account_id: { type: 'int8', required: true } },
  },
  /** Days that are still to be counted from stored rows. */
  ledger_day_fill: {
    ...facts,
    key: ['day'],
    columns: {
      day,
      /** Up to this consensus timestamp it is counted; null = not begun. */
      position: { type: 'int8' },
      /** Of the newest block when it began: later blocks were counted as they were written. */
      until: { type: 'int8' },
    },
  },
} as const satisfies Record<string, Table>;
