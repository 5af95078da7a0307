// The ledger's queries over one database, or over one moment of it. Works on any database with the mirror node's
// tables: it only selects, and needs no index beyond theirs.

import { lazyMembers } from '../../packages/kit/lazy-members.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { type Machines, selectMachines } from '../../packages/store/read/distributed/select-machines.ts';
import { selectExamples, selectHasBegun } from '../../packages/store/read/select-ledger-state.ts';
import { selectUnreadPublication } from '../../packages/store/read/select-ledger-trust.ts';
import { selectNewestBlock } from '../../packages/store/read/select-newest-block.ts';
import { isFilledInPart, selectBootstrapRun } from '../../packages/store/transfer/bootstrap-run.ts';
import { accountLists } from './accounts/account-lists.ts';
import { createAccounts } from './accounts/create-accounts.ts';
import { createBalances } from './balances/create-balances.ts';
import { createBlockFiles } from './blocks/create-block-files.ts';
import { createBlocks } from './blocks/create-blocks.ts';
import type { ThroughputQuestion } from './blocks/create-throughput.ts';
import { createChain } from './chain/create-chain.ts';
import { createContractLogs } from './contracts/create-contract-logs.ts';
import { createContractResults } from './contracts/create-contract-results.ts';
import { createContracts } from './contracts/create-contracts.ts';
import type { GasPrices } from './contracts/gas-prices.ts';
import { createProofs } from './create-proofs.ts';
import { createDays } from './days/create-days.ts';
import { describeUnfinished } from './extent/bootstrap-state.ts';
import { describeHeld } from './extent/describe-held.ts';
import { describeUnread } from './extent/describe-unread.ts';
import { findExtent } from './extent/find-extent.ts';
import { findMissingTrust } from './extent/missing-trust.ts';
import type { StorageQuestion } from './extent/storage.ts';
import { type LedgerExamples, toExamples } from './ledger-examples.ts';
import { createNetwork } from './network/create-network.ts';
import { createRegisteredNodes } from './network/create-registered-nodes.ts';
import type { UnitReader } from './proofs/unit-reader.ts';
import { createSchedules } from './schedules/create-schedules.ts';
import type { SearchTerm } from './search/search.ts';
import { askSearch } from './search/search-question.ts';
import { createContractTokens } from './tokens/create-contract-tokens.ts';
import { createNfts } from './tokens/create-nfts.ts';
import { createTokens } from './tokens/create-tokens.ts';
import { createTopicMessages } from './topics/create-topic-messages.ts';
import { createTopics } from './topics/create-topics.ts';
import { createTransactions } from './transactions/create-transactions.ts';

export type QuestionsOptions = {
  db: Database;
  clock: () => bigint;
  system: SystemRealm;
  gasPrices: GasPrices;
  units: UnitReader;
  throughput: ThroughputQuestion;
  storage: StorageQuestion;
};

/** A resource, or a question, from the database that is asked: what a page asks needs two or three of them. */
export const Questions = lazyMembers({
  accounts: createAccounts,
  ...accountLists,
  balances: createBalances,
  blockFiles: createBlockFiles,
  blocks: createBlocks,
  chain: (options: QuestionsOptions) => createChain({ ...options, gasFees: createNetwork(options).gasFees }),
  contracts: createContracts,
  contractLogs: createContractLogs,
  contractResults: createContractResults,
  /** What happened on each day. */
  days: createDays,
  contractTokens: createContractTokens,
  nfts: createNfts,
  network: createNetwork,
  proofs: createProofs,
  registeredNodes: createRegisteredNodes,
  schedules: createSchedules,
  /** How many transactions each minute of the newest day has. */
  throughput: ({ throughput }: QuestionsOptions) => throughput,
  /** How much room the database takes. */
  storage: ({ storage }: QuestionsOptions) => storage,
  tokens: createTokens,
  topicMessages: createTopicMessages,
  topics: createTopics,
  transactions: createTransactions,
  /** null = nothing of that name is stored. */
  search:
    ({ db }: QuestionsOptions) =>
    (term: SearchTerm) =>
      askSearch(db, term),
  /** Which part of the ledger is stored; null = nothing yet. */
  extent:
    ({ db }: QuestionsOptions) =>
    () =>
      findExtent(db),
  /** The same in sentences; null = all of it, or none yet. */
  held:
    ({ db }: QuestionsOptions) =>
    async (): Promise<string | null> =>
      describeHeld(db, await selectBootstrapRun(db)),
  /** Why the ledger is not whole yet: an export that has not been loaded to its end. null = it is. */
  unfinished:
    ({ db }: QuestionsOptions) =>
    async (): Promise<string | null> =>
      describeUnfinished(await selectBootstrapRun(db)),
  /** What operators should know of the proofs although all is answered; null = nothing. */
  warning:
    ({ db }: QuestionsOptions) =>
    async (): Promise<string | null> =>
      describeUnread(await selectUnreadPublication(db)),
  /** Why the newest block is not proved; null = it is, or no block is stored. */
  unproved:
    ({ db }: QuestionsOptions) =>
    async (): Promise<string | null> => {
      const missing = await findMissingTrust(db);
      return missing?.isNow ? missing.found : null;
    },
  /** Consensus end (ns) of the newest block; null = nothing is stored yet. */
  newestEnd:
    ({ db }: QuestionsOptions) =>
    async (): Promise<bigint | null> =>
      (await selectNewestBlock(db))?.consensusEnd ?? null,
  /** Whether the mirror has begun, and no export is being loaded into it. */
  isReady:
    ({ db }: QuestionsOptions) =>
    async (): Promise<boolean> =>
      (await selectHasBegun(db)) && !(await isFilledInPart(db)),
  /** In a distributed database: the machines that hold rows. null = all of it is on one machine. */
  machines:
    ({ db }: QuestionsOptions) =>
    async (): Promise<Machines | null> =>
      db.isDistributed ? selectMachines(db) : null,
  examples:
    ({ db }: QuestionsOptions) =>
    async (): Promise<LedgerExamples> =>
      toExamples(await selectExamples(db)),
});
