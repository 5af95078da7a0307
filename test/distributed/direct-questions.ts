// Statements of store/read that neither endpoints nor calls reach in a short ledger: of the import, its repairs, the
// status, doctor, and lists of whole histories. Each is asked by itself.

import { anyRange } from '../../packages/kit/range.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { countPostponedIndexes } from '../../packages/store/read/count-postponed-indexes.ts';
import { asDistributedWhereItIs } from '../../packages/store/read/distributed/as-distributed.ts';
import {
  hasAddressBook,
  selectBlockByNumber,
  selectEntitiesByAlias,
  selectEntitiesByEvmAddress,
  selectEvmAddresses,
  selectLastBlockBefore,
  selectWrappedRoots,
  selectWrappedTree,
} from '../../packages/store/read/import-state.ts';
import { selectNamedAccounts } from '../../packages/store/read/select-account.ts';
import {
  selectAddressBookAt,
  selectAddressBookOfHash,
  selectAddressBookStarts,
} from '../../packages/store/read/select-address-books.ts';
import { selectFirstSnapshot, selectSnapshotBalances } from '../../packages/store/read/select-balance-history.ts';
import { selectContractCreation } from '../../packages/store/read/select-contract-creation.ts';
import {
  selectContractToken,
  selectContractTokenHolders,
  selectContractTokenHoldings,
  selectContractTokenSerials,
  selectContractTokens,
  selectContractTokensByName,
  selectHolderAmounts,
  selectKnownStandards,
  selectOwnersOfSerial,
  selectSerialAmounts,
  selectTokenBehind,
  selectTokenProgress,
  selectTokensToAsk,
  selectTokensToJudge,
} from '../../packages/store/read/select-contract-tokens.ts';
import { selectDatabaseSize } from '../../packages/store/read/select-database-size.ts';
import { selectDoubts } from '../../packages/store/read/select-doubts.ts';
import { selectImportRevisions } from '../../packages/store/read/select-import-revisions.ts';
import { selectImporterState } from '../../packages/store/read/select-importer-state.ts';
import { selectHoldersOfFew } from '../../packages/store/read/select-largest-holders.ts';
import {
  selectLedgerTrust,
  selectTrustedLedger,
  selectUnprovedKeys,
} from '../../packages/store/read/select-ledger-trust.ts';
import { selectMinuteCounts } from '../../packages/store/read/select-minute-counts.ts';
import { selectOldestBlock } from '../../packages/store/read/select-mirror-extent.ts';
import { selectHistoryNodes } from '../../packages/store/read/select-proof-parts.ts';
import { selectProofStanding, selectPublishingBlock } from '../../packages/store/read/select-proof-standing.ts';
import { selectPublishedLedgers, selectPublishingBlockAt } from '../../packages/store/read/select-published-ledgers.ts';
import { selectPublishingTransactions } from '../../packages/store/read/select-publishing-transactions.ts';
import { selectRootForms } from '../../packages/store/read/select-root-forms.ts';
import { selectKeptPlaces } from '../../packages/store/read/select-served-blocks.ts';
import { selectServer } from '../../packages/store/read/select-server.ts';
import { selectOtherStatusPages } from '../../packages/store/read/select-status-pages.ts';
import {
  selectContractTokenLogs,
  selectEndOfContractLogs,
  selectEndOfLogs,
  selectTokenLogs,
} from '../../packages/store/read/select-token-logs.ts';
import { selectTokenSupplies } from '../../packages/store/read/select-token-supplies.ts';
import {
  selectHolderCount,
  selectMovedTokens,
  selectNextMoves,
  selectTokensInOrder,
  selectTokensToCount,
  selectTokenTotals,
  selectTotalsProgress,
} from '../../packages/store/read/select-token-totals.ts';
import { selectTokens } from '../../packages/store/read/select-tokens.ts';
import {
  countUnprovedBlocks,
  countUnverifiedBlocks,
  selectFirstUnprovedBlock,
  selectFirstUnverifiedBlock,
} from '../../packages/store/read/select-unverified-proofs.ts';
import { selectFirstWholeBlock, selectWholePast } from '../../packages/store/read/select-whole-past.ts';
import { selectHolding } from '../../packages/store/read/state/select-holding.ts';
import {
  selectAirdropVersions,
  selectEntityNames,
  selectHookSlotBefore,
  selectSupplies,
  selectUnchangedSlots,
} from '../../packages/store/read/state/select-state-before.ts';
import { selectSyntheticAt, selectSyntheticContracts } from '../../packages/store/read/synthetic-result.ts';
import { transferTopics } from '../../src/contracts/token-index/read-transfer.ts';

export type DirectWords = {
  accounts: readonly bigint[];
  tokens: readonly bigint[];
  /** Consensus times at which entities were created. */
  created: readonly bigint[];
  /** Of synthetic logs. */
  synthetic: readonly bigint[];
  aliases: readonly Buffer[];
  addresses: readonly Buffer[];
  airdrops: readonly { senderId: bigint; receiverId: bigint; tokenId: bigint; serialNumber: bigint }[];
  /** Of the ledger. */
  middle: bigint;
};

type DirectQuestion = [name: string, ask: (db: Database) => Promise<unknown>];

export async function readDirectWords(db: Database): Promise<DirectWords> {
  const list = async <T>(text: string): Promise<T[]> =>
    (await db.query<{ value: T }>({ name: 'direct words', shape: text, text })).map(({ value }) => value);
  return {
    accounts: await list(`select id as value from entity where type in ('ACCOUNT', 'CONTRACT') order by 1 limit 20`),
    tokens: await list('select token_id as value from token order by 1'),
    created: await list(`select created_timestamp as value from entity where type = 'CONTRACT' order by 1 limit 40`),
    synthetic: await list('select consensus_timestamp as value from contract_log where synthetic order by 1 limit 20'),
    aliases: await list('select alias as value from entity where alias is not null order by 1 limit 5'),
    addresses: await list('select evm_address as value from entity where evm_address is not null order by 1 limit 5'),
    airdrops: await db.query({
      name: 'direct words: airdrops',
      text: `select sender_account_id as "senderId", receiver_account_id as "receiverId", token_id as "tokenId",
  serial_number as "serialNumber" from token_airdrop order by 1, 2, 3, 4 limit 10`,
    }),
    middle: (await list<bigint>('select consensus_end as value from record_file order by 1 offset 10 limit 1'))[0]!,
  };
}

export function directQuestions(words: DirectWords): DirectQuestion[] {
  const { accounts, tokens, created, synthetic, aliases, addresses, airdrops, middle } = words;
  const books = [101n, 102n];
  const later = 2n ** 62n;
  const slot = Buffer.alloc(32, 1);
  return [
    ['postponed indexes', countPostponedIndexes],
    ['doubts', selectDoubts],
    ['how the newest block is proved', selectProofStanding],
    ['the block of a publication', selectPublishingBlock],
    ['publications', selectPublishedLedgers],
    ['the block of a publication at a time', (db) => selectPublishingBlockAt(db, middle)],
    ['publishing transactions', (db) => selectPublishingTransactions(db)],
    ['the whole past', selectWholePast],
    ['the first whole block', (db) => selectFirstWholeBlock(db, { keptFrom: null, foreignUntil: middle })],
    ['whether it is distributed', async (db) => (await asDistributedWhereItIs(db)).isDistributed !== undefined],
    ['a block by number', async (db) => (await selectBlockByNumber(db, 3n))?.hash],
    ['the block before', async (db) => (await selectLastBlockBefore(db, middle))?.hash],
    ['wrapped roots', (db) => selectWrappedRoots(db, 0n, 5n)],
    ['a wrapped tree', (db) => selectWrappedTree(db, 100n)],
    ['an address book', (db) => hasAddressBook(db, 102n, Buffer.from('book'))],
    ['an address book at a time', (db) => selectAddressBookAt(db, books, middle)],
    ['an address book by hash', (db) => selectAddressBookOfHash(db, books, Buffer.alloc(48), middle)],
    ['starts of address books', (db) => selectAddressBookStarts(db, books, { after: 0n, upTo: later })],
    ['entities by address', (db) => selectEntitiesByEvmAddress(db, [...addresses], middle)],
    ['addresses of entities', (db) => sorted(selectEvmAddresses(db, [...accounts], middle))],
    ['entities by alias', (db) => selectEntitiesByAlias(db, [...aliases], middle)],
    ['names of entities', (db) => sorted(selectEntityNames(db, accounts, middle))],
    ...addresses.map(
      (address): DirectQuestion => [
        `account at ${address.toString('hex')}`,
        (db) => selectNamedAccounts(db, { kind: 'evmAddress', address }, 10),
      ],
    ),
    ...aliases.map(
      (alias): DirectQuestion => [
        `account of ${alias.toString('hex')}`,
        (db) => selectNamedAccounts(db, { kind: 'alias', alias }, 10),
      ],
    ),
    ...accounts.flatMap((account): DirectQuestion[] => [
      [`first snapshot of ${account}`, (db) => selectFirstSnapshot(db, account)],
      [
        `snapshots of ${account}`,
        (db) => selectSnapshotBalances(db, { accountId: account, moments: [middle, later], within: later }),
      ],
      ...tokens
        .slice(0, 4)
        .flatMap((tokenId) =>
          [middle, later].map(
            (before): DirectQuestion => [
              `what ${account} holds of ${tokenId} before ${before}`,
              (db) => selectHolding(db, { accountId: account, tokenId, before }),
            ],
          ),
        ),
    ]),
    ...tokens.flatMap((token): DirectQuestion[] => [
      [`supplies of ${token}`, (db) => selectTokenSupplies(db, token, 25)],
      [`holders of ${token}`, async (db) => sorted((await selectHoldersOfFew(db, token, 1000)) ?? [])],
    ]),
    ['supplies before', (db) => sorted(selectSupplies(db, tokens, middle))],
    ['supplies', (db) => sorted(selectSupplies(db, tokens, null))],
    ['airdrops', (db) => selectAirdropVersions(db, airdrops, null)],
    ['airdrops of then', (db) => selectAirdropVersions(db, airdrops, middle)],
    ['a slot of a hook', (db) => selectHookSlotBefore(db, { ownerId: accounts[0]!, hookId: 1n, key: slot }, later)],
    ['slots that never changed', (db) => selectUnchangedSlots(db, [{ contractId: accounts[0]!, slot }], later)],
    ...created.map((at): DirectQuestion => [`creation at ${at}`, (db) => selectContractCreation(db, at)]),
    ['contracts of synthetic results', (db) => selectSyntheticContracts(db, synthetic)],
    ...synthetic.flatMap((at): DirectQuestion[] => [
      [`synthetic result at ${at}`, (db) => selectSyntheticAt(db, at, null)],
      [`synthetic result of a party at ${at}`, (db) => selectSyntheticAt(db, at, accounts[0]!)],
    ]),
    ...contractTokenQuestions(accounts),
    ['import revisions', selectImportRevisions],
    ['state of the importer', selectImporterState],
    ['trust', selectLedgerTrust],
    ['the trusted ledger', selectTrustedLedger],
    ['keys without a proof', selectUnprovedKeys],
    ['blocks a minute', (db) => selectMinuteCounts(db, { from: 0n, until: 100_000_000n })],
    ['the oldest block', selectOldestBlock],
    ['nodes of history', (db) => selectHistoryNodes(db, [{ level: 8, place: 0n }])],
    ['forms of roots', (db) => selectRootForms(db, middle)],
    ['places of kept files', (db) => selectKeptPlaces(db, 0n, later)],
    ['unverified blocks', countUnverifiedBlocks],
    ['unproved blocks', countUnprovedBlocks],
    ['the first unverified block', selectFirstUnverifiedBlock],
    ['the first unproved block', selectFirstUnprovedBlock],
    // Of the connection itself.
    ['the server', async (db) => void (await selectServer(db))],
    ['the size of the database', async (db) => void (await selectDatabaseSize(db))],
    ['other status pages', async (db) => void (await selectOtherStatusPages(db, 'test'))],
  ];
}

/** Of tokens that contracts keep: of pages, and of the process that sums up their transfers. */
function contractTokenQuestions(contractIds: readonly bigint[]): DirectQuestion[] {
  const account = Buffer.alloc(20, 1);
  const [contractId] = contractIds as [bigint];
  const limit = 10;
  const pages = [
    ...(['transfers', 'id'] as const).flatMap((by) =>
      [null, { transfers: by === 'id' ? null : 5n, contractId }].map(
        (after): DirectQuestion => [
          `tokens of contracts by ${by}${after ? ', further ones' : ''}`,
          (db) => selectContractTokens(db, { standard: 'ERC-20', by, after, limit }),
        ],
      ),
    ),
    ...[null, { amount: 5n, account }].map(
      (after): DirectQuestion => [
        `holders of a token of a contract${after ? ', further ones' : ''}`,
        (db) => selectContractTokenHolders(db, { contractId, after, limit }),
      ],
    ),
    ...[null, { serialNumber: 5n, account }].map(
      (after): DirectQuestion => [
        `units of a token of a contract${after ? ', further ones' : ''}`,
        (db) => selectContractTokenSerials(db, { contractId, after, limit }),
      ],
    ),
  ];
  return [
    ...pages,
    ['a token of a contract', (db) => selectContractToken(db, contractId)],
    [
      'tokens of contracts by name',
      (db) => selectContractTokensByName(db, { part: 'a', standards: ['ERC-20', 'ERC-721'], limit }),
    ],
    ['owners of a unit', (db) => selectOwnersOfSerial(db, { contractId, serialNumber: 1n, limit })],
    ['holdings', (db) => selectContractTokenHoldings(db, { accounts: [account], after: 0n, limit })],
    ['how far transfers are summed up', selectTokenProgress],
    ...(['transfers', 'holders', 'name'] as const).flatMap((by) =>
      [null, { count: by === 'name' ? null : 5n, tokenId: contractId }].map(
        (after): DirectQuestion => [
          `tokens in the order of ${by}${after ? ', further ones' : ''}`,
          (db) => selectTokensInOrder(db, { by, after, limit }),
        ],
      ),
    ),
    ['totals of tokens', (db) => selectTokenTotals(db, contractIds)],
    [
      'tokens with their totals',
      (db) =>
        selectTokens(db, {
          ...{ accountId: null, id: anyRange, names: [], publicKey: [], type: [], order: 'desc', limit },
          members: ['name', 'transfers', 'holders'],
        }),
    ],
    ['how far tokens are counted', selectTotalsProgress],
    ['the next moves', (db) => selectNextMoves(db, -1n, limit)],
    ['moved tokens', (db) => sorted(selectMovedTokens(db, { after: -1n, until: 2n ** 62n }))],
    ['tokens to count', (db) => selectTokensToCount(db, 2n ** 62n, limit)],
    ['holders of a token, counted', (db) => selectHolderCount(db, contractId, limit)],
    ['known standards', async (db) => [...(await selectKnownStandards(db, { contractIds, after: -1n }))]],
    ['amounts of holders', (db) => selectHolderAmounts(db, [{ contractId, account }])],
    ['amounts of units', (db) => selectSerialAmounts(db, [{ contractId, account, serialNumber: 1n }])],
    ['tokens to ask', (db) => selectTokensToAsk(db, 2n ** 62n, limit)],
    ['tokens to judge', (db) => selectTokensToJudge(db, { limit, without: [contractId + 1n] })],
    ['a token that is behind', (db) => selectTokenBehind(db, 2n ** 62n)],
    ['the end of some logs', (db) => selectEndOfLogs(db, -1n, limit)],
    [
      'the end of some logs of a contract',
      (db) => selectEndOfContractLogs(db, { contractId, after: -1n, until: 2n ** 62n, count: 3 }),
    ],
    ...contractIds.slice(0, 3).flatMap((id) =>
      [undefined, 5].map((newest): DirectQuestion => {
        const logs = { contractId: id, after: -1n, until: 2n ** 62n, topics: transferTopics };
        const name = `logs of transfers of ${id}${newest ? ', the newest' : ''}`;
        return [name, (db) => selectContractTokenLogs(db, newest ? { ...logs, newest } : logs)];
      }),
    ),
    [
      'logs of transfers',
      (db) => sorted(selectTokenLogs(db, { after: -1n, until: 2n ** 62n, topics: transferTopics })),
    ],
  ];
}

/** Rows in an order that no statement promises. */
async function sorted(found: Iterable<unknown> | Promise<Iterable<unknown>>): Promise<string[]> {
  return [...(await found)]
    .map((row) => JSON.stringify(row, (_key, one) => (typeof one === 'bigint' ? `${one}` : one)))
    .sort();
}
