// The setup of a specification as rows: one maker for each kind of item, with the defaults that specifications rely on.
// Values that a maker does not convert go to PostgreSQL unchanged; specifications rely on that, too.

import { toCryptoAllowance, toNft, toTokenAllowance } from './setup-allowances.ts';
import { toContractTransactions } from './setup-contract-transactions.ts';
import {
  toContractAction,
  toContractLog,
  toContractResult,
  toContractState,
  toContractStateChange,
  toEthereumTransaction,
} from './setup-contracts.ts';
import {
  accountDefaults,
  toBalances,
  toContract,
  toEntity,
  toEntityStake,
  toSchedule,
  toTokenBalance,
} from './setup-entities.ts';
import { toFileData, toRecordFile } from './setup-files.ts';
import { convert, type Maker, type SetupRow } from './setup-row.ts';
import { toCustomFee, toToken, toTokenAccount } from './setup-tokens.ts';
import { toTopicMessage } from './setup-topics.ts';
import { toAssessedCustomFee, toCryptoTransfer, toTransaction, toTransactionHash } from './setup-transactions.ts';
import { type SystemIds, toBytes, toId } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export function toSetupRows(
  setup: JsonObject,
  system: SystemIds,
  { hashesWithoutPayer = false }: { hashesWithoutPayer?: boolean } = {},
): SetupRow[] {
  const rows = Object.entries(setup).flatMap(([kind, items]) => {
    if (kind === 'config' || kind === 'features' || unused.has(kind)) return [];
    const maker = makers[kind];
    if (!maker)
      throw new Error(`Setup has items of an unknown kind "${kind}"; known: ${Object.keys(makers).join(', ')}`);
    return (items as JsonObject[]).flatMap((item) => maker(item, system));
  });
  if (hashesWithoutPayer) {
    for (const { table, row } of rows) if (table === 'transaction_hash') row.payer_account_id = null;
  }
  return [...rows, ...toContractTransactions(rows)];
}

/** Kinds without items in all specifications of served endpoints. */
const unused = new Set([
  'addressbookentries',
  'addressbooks',
  'addressbookserviceendpoints',
  'nodes',
  'nodestakes',
  'topicmessagelookups',
]);

const makers: Record<string, Maker> = {
  accounts: (item, system) => [toEntity(accountDefaults, item, system)],
  assessedcustomfees: toAssessedCustomFee,
  balances: toBalances,
  contractStateChanges: toContractStateChange,
  contractStates: toContractState,
  contractactions: toContractAction,
  contractlogs: toContractLog,
  contractresults: toContractResult,
  contracts: toContract,
  cryptoAllowances: toCryptoAllowance,
  cryptotransfers: toCryptoTransfer,
  customfees: toCustomFee,
  entities: (item, system) => [toEntity({}, item, system)],
  entityStakes: toEntityStake,
  entityTransactions: (item, system) => [
    { table: 'entity_transaction', row: convert(item, ['entity_id', 'payer_account_id'], (id) => toId(id, system)) },
  ],
  ethereumtransactions: toEthereumTransaction,
  filedata: toFileData,
  nfts: toNft,
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
  tokenAllowances: toTokenAllowance,
  tokenBalance: toTokenBalance,
  tokenaccounts: toTokenAccount,
  topicmessages: toTopicMessage,
  transactionhashes: toTransactionHash,
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
