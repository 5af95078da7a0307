// A database in the compact form gives the same answers to made-up requests, in both dialects: its past is compacted up
// to the middle, so that pages lie on either side of the border and across it. A program that knows nothing of the form
// finds the same, too. More of them, and pages: test/compare/run-compare.ts --compact.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { inItsForm } from '../../packages/store/read/in-its-form.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { compactShare } from '../../packages/test-support/postgres/compact-share.ts';
import { type FuzzDatabases, openFuzzDatabases } from '../fuzz/fuzz-databases.ts';
import { describeRequest, toUrl } from '../fuzz/fuzz-request.ts';
import { makeRequest } from '../fuzz/make-request.ts';

const ledger = { seed: 'compact', blocks: 40 };
const requests = 300;

let usual: FuzzDatabases;
let compacted: FuzzDatabases;
beforeAll(async () => {
  usual = await openFuzzDatabases(ledger);
  compacted = await openFuzzDatabases(ledger);
  for (const { connectionString } of compacted.list) {
    await compactShare(connectionString, { share: 0.5, transactionsAtOnce: 100 });
  }
});
afterAll(async () => {
  await usual?.close();
  await compacted?.close();
});

const clock = (): bigint => 1_800_000_000n * 1_000_000_000n;

/** On the page of the mirror itself: what the form is for. */
const size = /(?<=<dt>Room that it takes<\/dt><dd>)[^<]*/;

it.each(['spec', 'hiero'] as const)('%s', async (dialect) => {
  const different: string[] = [];
  let found = 0;
  for (const [place, { name, connectionString, words }] of usual.list.entries()) {
    const open = async (url: string, toForm: (db: Database) => Promise<Database>) => {
      const db = openDatabase({ connectionString: url });
      const form = await toForm(db);
      return { db, form, app: openServer(form, dialect, { settings: { clock } }) };
    };
    const compact = compacted.list[place]!.connectionString;
    const before = await open(connectionString, inItsForm);
    const after = await open(compact, inItsForm);
    const unaware = await open(compact, async (db) => db);
    expect([before, after, unaware].map(({ form }) => form.isCompact)).toEqual([false, true, false]);
    for (let number = 0; number < requests; number++) {
      const request = makeRequest(createSeededRandom('compact', `${dialect} ${name} ${number}`), words);
      // They are of the process.
      if (toUrl(request).startsWith('/metrics')) continue;
      const ask = async ({ app }: typeof before): Promise<string> => {
        const { statusCode, body } = await app.inject({ method: 'GET', url: toUrl(request) });
        return `${statusCode} ${body.replace(size, '')}`;
      };
      const was = await ask(before);
      if (was.startsWith('200')) found++;
      for (const [reader, is] of Object.entries({ after: await ask(after), unaware: await ask(unaware) })) {
        if (was !== is)
          different.push(`${name}, ${reader}: ${describeRequest(request)}\n${was.slice(0, 300)}\n${is.slice(0, 300)}`);
      }
    }
    for (const { app, db } of [before, after, unaware]) {
      await app.close();
      await db.close();
    }
  }
  expect(different).toEqual([]);
  expect(found).toBeGreaterThan(requests / 2);
});
