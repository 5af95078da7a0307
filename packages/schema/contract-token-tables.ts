// Tokens that contracts keep (ERC-20, ERC-721, ERC-1155), as their events tell: summed up by a process in the background,
// and read by pages alone. Nothing here is the ledger's own, as tokens of the token service are.
import { local } from './facts.ts';
import type { DescribedTable } from './table.ts';

const facts = {
  placement: local('summed up by one process, and small beside the logs that it is made of'),
  answers: { together: 'Tables of tokens of contracts are missing; pages show tokens of the token service only.' },
} as const;

/** One row: the consensus time up to which something is summed up. */
const oneTime = {
  key: ['id'],
  columns: {
    id: { type: 'int2', required: true, sql: 'check (id = 1)' },
    consensus_timestamp: { type: 'int8', required: true },
  },
} as const;

/** Without those whose units are all gone. */
const held = 'where amount > 0';

/**
 * Contracts that are no token so far are judged again once they logged transfers twice as long as when they were judged
 * before (by consensus time, in ns, not more often than in 30 s): some 20 times in ten years.
 */
export const isToBeJudged = `standard is null and (asked_timestamp is null
  or last_timestamp - asked_timestamp >= greatest(asked_timestamp - first_timestamp, 30000000000))`;

export const contractTokenTables = {
  /** A row for each contract that logged a transfer. */
  contract_token: {
    ...facts,
    key: ['contract_id'],
    columns: {
      contract_id: { type: 'int8', required: true },
      /** 'ERC-20', 'ERC-721', 'ERC-1155'; null = it is no token. */
      standard: { type: 'text' },
      /** What it answers; null = none that can be read. */
      name: { type: 'text' },
      symbol: { type: 'text' },
      decimals: { type: 'int4' },
      total_supply: { type: 'numeric' },
      transfers: { type: 'int8', required: true, default: '0' },
      holders: { type: 'int8', required: true, default: '0' },
      first_timestamp: { type: 'int8', required: true },
      last_timestamp: { type: 'int8', required: true },
      /** It was asked, or judged to be no token, after the transfers up to here; null = it is to be. */
      asked_timestamp: { type: 'int8' },
      /** Some of its transfers name more units than are summed up. */
      is_partial: { type: 'bool', required: true, default: 'false' },
      /** It was found to be a token late, and its transfers are added up to here; null = as far as all others. */
      summed_timestamp: { type: 'int8' },
    },
    indexes: [
      '(standard, transfers desc, contract_id desc)',
      '(standard, contract_id desc)',
      '(left(lower(symbol), 100), contract_id) where standard is not null',
      '(last_timestamp) where standard is not null and asked_timestamp is distinct from last_timestamp',
      `(last_timestamp, contract_id) where ${isToBeJudged}`,
      '(summed_timestamp) where summed_timestamp is not null',
    ],
  },
  /** How many units of a token of a contract an address has, whatever their serial numbers. */
  contract_token_holder: {
    ...facts,
    key: ['contract_id', 'account'],
    columns: {
      contract_id: { type: 'int8', required: true },
      /** 20 bytes. */
      account: { type: 'bytea', required: true },
      amount: { type: 'numeric', required: true },
    },
    indexes: [`(contract_id, amount desc, account) ${held}`, `(account, contract_id) ${held}`],
  },
  /** The same by serial number, of ERC-721 and ERC-1155. */
  contract_token_serial: {
    ...facts,
    key: ['contract_id', 'serial_number', 'account'],
    columns: {
      contract_id: { type: 'int8', required: true },
      serial_number: { type: 'numeric', required: true },
      account: { type: 'bytea', required: true },
      amount: { type: 'numeric', required: true },
      modified_timestamp: { type: 'int8', required: true },
    },
    indexes: [`(contract_id, account, serial_number) ${held}`],
  },
  /** How far the logs are summed up. */
  contract_token_progress: {
    ...facts,
    ...oneTime,
  },
} as const satisfies Record<string, DescribedTable>;

const ofService = {
  placement: local('summed up by one process, a row a token'),
  answers: { together: 'Tables of sums of tokens are missing; lists of tokens do not say who holds and moves them.' },
} as const;

/** Of tokens of the token service: what is counted beside their own rows, by the same process. */
export const tokenTotalTables = {
  /** A row for each token that was moved. */
  token_total: {
    ...ofService,
    key: ['token_id'],
    columns: {
      token_id: { type: 'int8', required: true },
      /** Transactions that moved it. */
      transfers: { type: 'int8', required: true },
      last_timestamp: { type: 'int8', required: true },
      /** Accounts with more than nothing of it; null = not counted yet, or too many are associated with it. */
      holders: { type: 'int8' },
      /** Accounts that were looked at: a token of many is not counted often. */
      relations: { type: 'int8', required: true, default: '0' },
      /** Holders were counted after the transfers up to here. */
      counted_timestamp: { type: 'int8' },
    },
    indexes: [
      '(transfers desc, token_id desc)',
      '(holders desc, token_id desc) where holders is not null',
      '(last_timestamp) where counted_timestamp is distinct from last_timestamp',
    ],
  },
  /** How far transactions are summed up. */
  token_total_progress: {
    ...ofService,
    ...oneTime,
  },
} as const satisfies Record<string, DescribedTable>;
