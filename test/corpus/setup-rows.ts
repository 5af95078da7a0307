// The setup of a specification as rows: one maker for each kind of item, each with the defaults that the specifications
// rely on. Values that a maker does not convert go to PostgreSQL as they stand; the specifications rely on that too.

import { toContractLog, toContractResult, toEthereumTransaction } from './setup-contracts.ts';
import { accountDefaults, toBalances, toContract, toEntity, toEntityStake, toSchedule } from './setup-entities.ts';
import { toFileData, toRecordFile } from './setup-files.ts';
import { convert, type Maker, type SetupRow } from './setup-row.ts';
import { toCustomFee, toToken, toTokenAccount } from './setup-tokens.ts';
import { toCryptoTransfer, toTransaction } from './setup-transactions.ts';
import { type SystemIds, toBytes, toId } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export function toSetupRows(setup: JsonObject, system: SystemIds): SetupRow[] {
  return Object.entries(setup).flatMap(([kind, items]) => {
    if (kind === 'config' || kind === 'features' || otherEndpoints.has(kind)) return [];
    const maker = makers[kind];
    if (!maker)
      throw new Error(`Setup has items of an unknown kind "${kind}"; known: ${Object.keys(makers).join(', ')}`);
    return (items as JsonObject[]).flatMap((item) => maker(item, system));
  });
}

/** Rows that only the mirror node's other endpoints read. */
const otherEndpoints = new Set([
  'addressbookentries',
  'addressbooks',
  'addressbookserviceendpoints',
  'assessedcustomfees',
  'contractStateChanges',
  'contractStates',
  'contractactions',
  'cryptoAllowances',
  'nfts',
  'nodes',
  'nodestakes',
  'tokenAllowances',
  'tokenBalance',
  'topicmessagelookups',
  'topicmessages',
  'transactionhashes',
]);

const makers: Record<string, Maker> = {
  accounts: (item, system) => [toEntity(accountDefaults, item, system)],
  balances: toBalances,
  contractlogs: toContractLog,
  contractresults: toContractResult,
  contracts: toContract,
  cryptotransfers: toCryptoTransfer,
  customfees: toCustomFee,
  entities: (item, system) => [toEntity({}, item, system)],
  entityStakes: toEntityStake,
  entityTransactions: (item, system) => [
    { table: 'entity_transaction', row: convert(item, ['entity_id', 'payer_account_id'], (id) => toId(id, system)) },
  ],
  ethereumtransactions: toEthereumTransaction,
  filedata: toFileData,
  recordFiles: toRecordFile,
  schedules: toSchedule,
  stakingRewardTransfers: (item, system) => [
    {
      table: 'staking_reward_transfer',
      row: {
        amount: 100n,
        ...item,
        account_id: toId(item.account_id ?? 1001n, system),
        payer_account_id: toId(item.payer_account_id ?? 950n, system),
      },
    },
  ],
  tokenaccounts: toTokenAccount,
  tokens: toToken,
  transactions: toTransaction,
  transactionsignatures: (item, system) => [
    {
      table: 'transaction_signature',
      row: {
        ...item,
        entity_id: toId(item.entity_id, system),
        public_key_prefix: toBytes(item.public_key_prefix),
        signature: toBytes(item.signature),
      },
    },
  ],
};
