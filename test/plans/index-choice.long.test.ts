// Where two indexes have the same columns, statements are written so that only one of them serves, whatever PostgreSQL
// knows: on the oldest version and on ours, for the plan of its values and the general one, with the statistics of a
// small ledger, of one with 250 times the rows, and of one with 50 times as many accounts and tokens beside.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverSettings } from '../../packages/postgres/embedded/server-settings.ts';
import { type Database, type NamedQuery, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import {
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { growTables } from '../../packages/test-support/postgres/grow-tables.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, lastTimestamp } from '../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { explainIndexes, type Index, isAstray, readIndexes, usesOf } from './explain-indexes.ts';
import { explainPlan, readsOf } from './explain-query.ts';
import { type IndexQuestion, indexQuestions } from './index-questions.ts';
import { everyFilter } from './plan-questions.ts';
import { stateQuestions } from './state-questions.ts';

const middle = (firstTimestamp + lastTimestamp) / 2n;
const kinds = ['force_custom_plan', 'force_generic_plan'] as const;
const longest = 300_000;
/** Of each node of a plan, as for a small ledger (`plans.test.ts`). All transactions of an hour may be gone through. */
const mostRows = 4_000;
/** Each type of transactions by itself, or each account that holds unreleased hbar. */
const mostSearches = 1_000;
/** Four for each row: three of its index, and its own. */
const mostPages = 4 * mostRows;
/** What is asked for is a count of all NFTs of a token. */
const readingWhole: ReadonlySet<string> = new Set(['select-past-serials']);

type Place = { connectionString: string; close(): Promise<void> };

/** With the schema. */
async function openDebian(): Promise<Place> {
  const server = await startDebianPostgres();
  await server.run('create database mirror');
  const connectionString = server.connectionString('admin', 'mirror');
  // What is asked here counts, not how that server is set.
  const {
    random_page_cost: cost,
    jit,
    effective_cache_size: cache,
    work_mem: memory,
  } = serverSettings({ durable: false });
  const settings = { random_page_cost: cost, jit, effective_cache_size: cache, work_mem: memory };
  for (const [name, value] of Object.entries(settings))
    await server.run(`alter database mirror set ${name} = '${value}'`);
  await migrate({ connectionString });
  return { connectionString, close: server.close };
}

if (!isDebianPostgresInstalled)
  console.log('SKIPPED: PostgreSQL 15 of Debian is not installed; plans of PostgreSQL 18 alone are judged');

describe.each([
  ['PostgreSQL 18', true, () => createScratchDatabase()],
  ['PostgreSQL 15', isDebianPostgresInstalled, openDebian],
] as const)('%s', (_version, isThere, open) => {
  describe.skipIf(!isThere)('follows the one index', () => {
    let place: Place;
    let db: Database;
    let client: pg.Client;
    let indexes: Map<string, Index>;
    const asked = new Map<IndexQuestion, NamedQuery[]>();
    /** By name and shape. */
    const others = new Map<string, NamedQuery>();

    beforeAll(async () => {
      place = await open();
      await fillLedger(place.connectionString);
      db = openDatabase({ connectionString: place.connectionString, maxConnections: 2 });
      client = new pg.Client({ connectionString: place.connectionString });
      await client.connect();
      indexes = await readIndexes(client);
      const record = (onQuery: (query: NamedQuery) => void): Database => recordQueries(db, onQuery);
      for (const question of indexQuestions(middle)) {
        const queries: NamedQuery[] = [];
        await question.ask(record((query) => queries.push(query)));
        asked.set(question, queries);
      }
      const recording = record((query) => others.set(`${query.name}:${query.shape}`, query));
      const ledger = createLedger({ db: recording, clock: () => lastTimestamp, system: usualRealm });
      for (const [, ask] of everyFilter(middle)) await ask(ledger);
      for (const [, ask] of stateQuestions(middle)) await ask(recording);
    }, longest);
    afterAll(async () => {
      await client?.end();
      await db?.close();
      await place?.close();
    });

    // In this order: the statistics only grow.
    it.each([
      ['a small ledger', null],
      ['250 times the rows', { rows: 250, distinct: 1 }],
      ['50 times the accounts and tokens', { rows: 1, distinct: 50 }],
    ] as const)('with statistics of %s', { timeout: longest }, async (_ledger, growth) => {
      if (growth) await growTables(client, growth);
      const faults: string[] = [];
      for (const [{ name, index, also }, queries] of asked) {
        const table = index.slice(0, index.indexOf(' '));
        for (const kind of kinds) {
          const used = new Set<string>();
          for (const query of queries) {
            for (const use of await explainIndexes(client, indexes, query, kind)) {
              if (use.index.table === table && use.index.name !== also) used.add(use.index.name);
            }
          }
          if (used.size !== 1 || !used.has(index))
            faults.push(`${name}, ${kind}: ${[...used].join(' and ')}, not ${index}`);
        }
      }
      expect(faults).toEqual([]);
    });

    it('and no statement strays into another index, or reads more than a page needs, as it is planned then', {
      timeout: longest,
    }, async () => {
      expect(others.size).toBeGreaterThan(500);
      const faults: string[] = [];
      for (const [name, query] of others) {
        for (const kind of kinds) {
          const plan = await explainPlan(client, query, kind, 'analyze, buffers, timing off');
          for (const use of usesOf(plan, indexes))
            if (isAstray(use, indexes)) faults.push(`${name}, ${kind}: ${use.index.name} by ${use.condition}`);
          if (readingWhole.has(query.name)) continue;
          for (const { table, node, rows, searches, pages } of readsOf(plan)) {
            const isWhole = node === 'Seq Scan' && rows > 0;
            if (isWhole || rows > mostRows || searches > mostSearches || pages > mostPages)
              faults.push(`${name}, ${kind}: ${node} of ${table}, ${rows} rows, ${searches} searches, ${pages} pages`);
          }
        }
      }
      expect(faults).toEqual([]);
    });
  });
});
