// A mirror that began in the middle of the stream beside one that knows it all: what it does not know it does not make
// up.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { describeExtent } from '../../src/ledger/extent/extent.ts';
import { findExtent } from '../../src/ledger/extent/find-extent.ts';
import { openMirror, type TestMirror } from '../support/program/open-mirror.ts';

let stream: SimulatedStream;
const mirrors: TestMirror[] = [];

beforeAll(async () => {
  stream = await writeSimulatedStream({ seed: 'began later', blocks: 40, transactionsPerBlock: 8 });
  for (const number of [0n, 12n]) {
    const start = { kind: 'block' as const, number };
    mirrors.push(await openMirror((connectionString) => stream.importInto(connectionString, { start })));
  }
});
afterAll(async () => {
  for (const { close } of mirrors) await close();
  stream?.close();
});

test('each says what it holds', async () => {
  const [whole, later] = await Promise.all(mirrors.map(({ db }) => findExtent(db)));
  expect(describeExtent(whole!)).toBeNull();
  expect(later).toMatchObject({ firstBlock: 12n, knowsBeginning: false, isCut: false });
  expect(describeExtent(later!)).toMatch(
    /^This mirror holds data from block 12 \(2026-\d\d-\d\dT\d\d:\d\d:\d\dZ\) on\. Earlier data is unknown to it/,
  );
});

test('a balance is unknown or right, and accounts that were created since are known', async () => {
  const query = {
    name: 'test-balances',
    text: `select id::text as id, balance, created_timestamp as created from entity
where type in ('ACCOUNT', 'CONTRACT') and memo not like 'Mirror node%' order by id`,
  };
  type Row = { id: string; balance: bigint | null; created: bigint | null };
  const [whole, later] = await Promise.all(mirrors.map(({ db }) => db.query<Row>(query)));
  const truth = new Map(whole!.map((row) => [row.id, row]));
  const wrong = later!.filter(({ id, balance, created }) => {
    const known = truth.get(id)!;
    return created === null ? balance !== null : balance !== known.balance || created !== known.created;
  });
  expect(wrong).toEqual([]);
  // Both kinds are there.
  expect(later!.filter(({ created }) => created === null).length).toBeGreaterThan(0);
  expect(later!.filter(({ created }) => created !== null).length).toBeGreaterThan(0);
});

test('an account from before is answered with what is known of it, now and at a moment', async () => {
  const [, later] = mirrors;
  const [account] = await later!.db.query<{ num: string }>({
    name: 'test-unknown',
    text: `select num::text as num from entity where type = 'ACCOUNT' and created_timestamp is null and id <> 2 limit 1`,
  });
  const [moment] = await later!.db.query<{ at: string }>({
    name: 'test-moment',
    text: `select max(consensus_timestamp)::text as at from account_balance_file`,
  });
  const time = `${moment!.at.slice(0, -9)}.${moment!.at.slice(-9)}`;
  for (const dialect of ['spec', 'hiero'] as const) {
    const url = `/api/v1/accounts/0.0.${account!.num}`;
    const now = await later!.answers.get(dialect, url);
    expect(now.body).toMatchObject({ created_timestamp: null, balance: { balance: null } });
    const then = await later!.answers.get(dialect, `${url}?timestamp=gte:${time}`);
    expect(then.body).toMatchObject({ created_timestamp: null, balance: { balance: null } });
  }
});

test('what is not found may be older: dialect spec says so, dialect hiero answers as the Hiero mirror node', async () => {
  const [whole, later] = mirrors;
  const plain = { _status: { messages: [{ message: 'Not found' }] } };
  for (const path of ['blocks/3', 'network/supply']) {
    const url = `/api/v1/${path}`;
    expect((await whole!.answers.get('spec', url)).status).toBe(200);
    expect(await later!.answers.get('hiero', url)).toMatchObject({
      status: 404,
      text: expect.not.stringContaining('12'),
    });
    expect(await later!.answers.get('spec', url)).toMatchObject({
      status: 404,
      body: { _status: { messages: [{ message: 'Not found', detail: expect.stringContaining('from block 12') }] } },
    });
  }
  expect((await whole!.answers.get('spec', '/api/v1/blocks/100')).body).toEqual(plain);
  expect((await later!.answers.get('spec', '/api/v1/nothing')).body).toEqual(plain);
});
