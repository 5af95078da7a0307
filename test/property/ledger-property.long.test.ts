// Random ledgers, imported block by block. After every block nothing is lost and no history has a gap, and what the API
// answers of everything that the block touched is what an independent reading of the same files predicts; in the end
// also for every earlier moment at which something changed.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { Network } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { checkInvariants } from '../oracle/answers/check-invariants.ts';
import {
  type Dialect,
  findByAddress,
  gasPriceAt,
  predictAccount,
  predictBalance,
  predictContract,
  predictResult,
  predictSchedule,
  predictToken,
  predictTransaction,
  toId,
  toTime,
  transactionsOf,
} from '../oracle/answers/predict-answers.ts';
import type { Answer } from '../oracle/read/parse-exact.ts';
import { readBlock } from '../oracle/read/read-block.ts';
import { createReadLedger, type ReadLedger } from '../oracle/read/read-ledger.ts';
import { type ReadResult, readResults } from '../oracle/read/read-results.ts';
import { type Api, openApi } from './open-api.ts';

const seeds = ['anemone', 'dune', 'fern'];
const blocks = 26;
const transactionsPerBlock = 16;
/** ns between blocks; days pass, so that staking rewards are paid and balances are kept. */
const interval = 3n * 3_600_000_000_000n;
const start = 1_790_000_000_000_000_000n;
const dialects: readonly Dialect[] = ['spec', 'hiero'];

describe.each(seeds)('the ledger of seed %s', (seed) => {
  let folder: string;
  let network: Network;
  let scratch: ScratchDatabase;
  let db: Database;
  let api: Api;
  const ledger = createReadLedger();
  const results: ReadResult[] = [];
  let clock = start;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledger-property-'));
    network = await openNetwork({ folder, seed, nodes: 1 });
    scratch = await createScratchDatabase();
    db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
    api = openApi({ db, clock: () => clock });
  });
  afterAll(async () => {
    await api.close();
    await db.close();
    await scratch.close();
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (dialect: Dialect, path: string): Promise<Answer> => api.ask(dialect, path);

  async function importBlock(): Promise<void> {
    const { connectionString } = scratch;
    const writer = await createBlockWriter({ connectionString });
    const addressBook = readFileSync(network.addressBookPath);
    const problems: unknown[] = [];
    const { blocks: imported } = await importStream({
      source: createFolderSource({ path: folder }),
      db,
      writer,
      addressBook,
      live: false,
      onDoubt: (doubt) => problems.push(doubt),
      onDefect: (defect) => problems.push(defect),
    });
    await writer.close();
    expect([imported, problems]).toEqual([1, []]);
  }

  test('after every block', { timeout: 400_000 }, async () => {
    for (let number = 0; number < blocks; number++) {
      const { name, consensusEnd } = await network.writeBlock({
        consensusStart: start + BigInt(number) * interval,
        transactions: transactionsPerBlock,
      });
      clock = consensusEnd + 1_000_000_000n;
      await importBlock();
      const before = markOf(ledger);
      const block = readBlock(join(folder, 'recordstreams/record0.0.3'), name);
      ledger.read(block);
      results.push(...readResults(block, (address) => findByAddress(ledger, address)));
      await checkInvariants(db);
      await checkTouched(before, dialects[number % 2]!);
    }
  });

  /** Everything that the block changed, and its contract results, in one dialect; the other one has the next block. */
  async function checkTouched(before: Mark, dialect: Dialect): Promise<void> {
    const touched = touchedSince(ledger, before);
    for (const id of touched) await checkEntity(dialect, id);
    const ofBlock = results.filter(({ block }) => block === ledger.blocks.at(-1));
    const { blockNumber } = ledger.blocks.at(-1)!.file;
    await checkResults(dialect, `block.number=${blockNumber}&internal=true`, ofBlock);
  }

  async function checkEntity(dialect: Dialect, id: bigint): Promise<void> {
    const entity = ledger.entities.latest(id)!;
    if (entity.kind === 'TOKEN') await checkToken(dialect, id, null);
    if (entity.kind === 'SCHEDULE') await checkSchedule(dialect, id);
    if (entity.kind === 'CONTRACT') await checkContract(dialect, id, null);
    if (entity.kind === 'CONTRACT' || entity.kind === 'ACCOUNT') await checkAccount(dialect, id, null);
  }

  async function checkToken(dialect: Dialect, id: bigint, at: bigint | null): Promise<void> {
    const path = `tokens/${toId(id)}${at === null ? '' : `?timestamp=${toTime(at)}`}`;
    expectSame(path, await ask(dialect, path), predictToken(ledger, id, at, dialect));
  }

  async function checkSchedule(dialect: Dialect, id: bigint): Promise<void> {
    const path = `schedules/${toId(id)}`;
    expectSame(path, await ask(dialect, path), predictSchedule(ledger, id, dialect));
  }

  async function checkContract(dialect: Dialect, id: bigint, at: bigint | null): Promise<void> {
    const path = `contracts/${toId(id)}${at === null ? '' : `?timestamp=${toTime(at)}`}`;
    const predicted = predictContract(ledger, id, at);
    expectSame(path, await ask(dialect, path), predicted);
    if (at !== null) return;
    const byAddress = `contracts/${(predicted as { evm_address: string }).evm_address}`;
    expectSame(byAddress, await ask(dialect, byAddress), predicted);
  }

  async function checkAccount(dialect: Dialect, id: bigint, at: bigint | null): Promise<void> {
    const path = `accounts/${toId(id)}?limit=100${at === null ? '' : `&timestamp=${toTime(at)}`}`;
    const answer = await ask(dialect, path);
    const predicted = predictAccount(ledger, id, at);
    if (!predicted) {
      expectSame(path, answer, null);
      return;
    }
    const { balance, pending_reward, transactions, links, ...entity } = answer;
    expect([path, entity]).toEqual([path, predicted]);
    expect(pending_reward >= 0n).toBe(true);
    const all = transactionsOf(ledger, id).filter(({ consensusTimestamp }) => at === null || consensusTimestamp === at);
    const { created } = ledger.entities.latest(id)!;
    const predictedTransactions = all.slice(0, 100).map((item) => predictTransaction(ledger, item));
    expect([path, transactions.map(withoutUnpredicted)]).toEqual([path, predictedTransactions]);
    // The specification links to no page before the account's creation.
    const isMore = all.length >= 100 && (dialect === 'hiero' || all[99]!.consensusTimestamp > created);
    expect([path, links.next !== null]).toEqual([path, isMore]);
    if (at === null) expect([path, balance]).toEqual([path, predictBalance(ledger, id)]);
    else expectPastBalance(path, id, at, balance);
  }

  /** The moment that a past balance is of is the mirror's choice; what it says of that moment must be true. */
  function expectPastBalance(path: string, id: bigint, at: bigint, { balance, timestamp, tokens }: Answer): void {
    const moment = BigInt(timestamp.replace('.', ''));
    const balanceAt = (steps: readonly { at: bigint; balance: bigint }[] | undefined): bigint =>
      steps?.findLast((step) => step.at <= moment)?.balance ?? 0n;
    // Before the first kept balances there is only the live one, and no tokens.
    expect([path, moment <= at || tokens.length === 0]).toEqual([path, true]);
    expect([path, balance]).toEqual([path, balanceAt(ledger.hbarSteps.get(id))]);
    for (const { token_id, balance: held } of tokens) {
      const steps = ledger.tokenSteps.get(`${id}:${token_id.split('.')[2]}`);
      expect([path, token_id, held]).toEqual([path, token_id, balanceAt(steps)]);
    }
  }

  async function checkResults(dialect: Dialect, query: string, expected: readonly ReadResult[]): Promise<void> {
    const path = `contracts/results?limit=100&order=asc&${query}`;
    const { results: answered } = await ask(dialect, path);
    const predicted = expected
      .filter(({ item }) => item.status !== 312)
      .slice(0, 100)
      .map((one) => predictResult(ledger, one, dialect));
    expect([path, answered]).toEqual([path, predicted]);
  }

  test('in the end, in both dialects', async () => {
    for (const dialect of dialects) {
      for (const id of ledger.entities.ids()) await checkEntity(dialect, id);
      const topLevel = results.filter(({ item }) => !item.body.transactionID?.nonce);
      await checkResults(dialect, 'internal=false', topLevel);
      await checkResults(dialect, 'internal=true', results);
      const ids = [...ledger.schedules.keys()];
      const list = await ask(dialect, 'schedules?limit=100');
      const predicted = ids.slice(0, 100).map((id) => predictSchedule(ledger, id, dialect));
      expectSame('schedules', list.schedules, predicted);
    }
  });

  test('the price of gas changes within the run, so that results of several prices were compared', () => {
    const prices = results.map(({ item }) => gasPriceAt(ledger, item.consensusTimestamp));
    expect(new Set(prices).size).toBeGreaterThan(1);
  });

  test('page by page it is the same', async () => {
    const owner = ledger.entities
      .ids()
      .toSorted((a, b) => transactionsOf(ledger, b).length - transactionsOf(ledger, a).length)[0]!;
    const pages: [path: string, list: string, predicted: unknown[]][] = [
      [
        `accounts/${toId(owner)}?limit=37`,
        'transactions',
        transactionsOf(ledger, owner).map((item) => toTime(item.consensusTimestamp)),
      ],
      [
        'contracts/results?internal=true&limit=17',
        'results',
        results
          .filter(({ item }) => item.status !== 312)
          .map(({ item }) => toTime(item.consensusTimestamp))
          .reverse(),
      ],
      [
        'schedules?limit=3&order=desc',
        'schedules',
        [...ledger.schedules.values()].map(({ consensus }) => toTime(consensus)).reverse(),
      ],
    ];
    for (const dialect of dialects) {
      for (const [first, list, predicted] of pages) {
        const found: unknown[] = [];
        for (let path: string | null = first; path; ) {
          const answer: Answer = await ask(dialect, path);
          found.push(...answer[list].map((one: Answer) => one.consensus_timestamp ?? one.timestamp));
          path = answer.links.next?.replace('/api/v1/', '') ?? null;
        }
        expect([first, found]).toEqual([first, predicted]);
      }
    }
  });

  test('at the moments when something changed, and a nanosecond before', async () => {
    for (const id of ledger.entities.ids()) {
      const { kind } = ledger.entities.latest(id)!;
      const moments = [ledger.entities, ledger.tokens, ledger.fees]
        .flatMap((history) => history.versions(id).map(({ from }) => from))
        .flatMap((from) => [from - 1n, from]);
      for (const [index, at] of [...new Set(moments)].entries()) {
        const dialect = dialects[index % 2]!;
        if (kind === 'TOKEN') await checkToken(dialect, id, at);
        if (kind === 'CONTRACT') await checkContract(dialect, id, at);
        if (kind === 'CONTRACT' || kind === 'ACCOUNT') await checkAccount(dialect, id, at);
      }
    }
  });
});

type Mark = { items: number; versions: Map<bigint, bigint> };

function markOf({ items, entities }: ReadLedger): Mark {
  return {
    items: items.length,
    versions: new Map(entities.ids().map((id) => [id, entities.versions(id).at(-1)!.from])),
  };
}

/**
 * Entities with a new version, and those that transactions since then name in transfers, as payer or as their subject.
 */
function touchedSince(ledger: ReadLedger, before: Mark): bigint[] {
  const changed = ledger.entities
    .ids()
    .filter((id) => before.versions.get(id) !== ledger.entities.versions(id).at(-1)!.from);
  const named = ledger.items.slice(before.items).flatMap((item) => {
    const { transfers, token_transfers, nft_transfers, entity_id } = predictTransaction(ledger, item) as Answer;
    const lists = [...transfers, ...token_transfers, ...nft_transfers];
    const ids = lists.flatMap((one) => [one.account, one.token_id, one.sender_account_id, one.receiver_account_id]);
    return [...ids, entity_id].filter(Boolean).map((id) => BigInt(id.split('.')[2]));
  });
  return [...new Set([...changed, ...named])].filter((id) => ledger.entities.latest(id)).sort();
}

function expectSame(path: string, answer: Answer, predicted: object | null): void {
  if (predicted === null) expect([path, answer.statusCode]).toEqual([path, 404]);
  else expect([path, answer]).toEqual([path, predicted]);
}

/** Members of a transaction that have separate tests. */
function withoutUnpredicted(transaction: Answer): object {
  return without(transaction, 'bytes', 'high_volume', 'high_volume_pricing_multiplier');
}

function without(object: Answer, ...members: string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !members.includes(name)));
}
