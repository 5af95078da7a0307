import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import type { QueryRun } from './answer-reader.ts';
import { createSessionPool, type LentSession, type SessionPool, type SessionPoolOptions } from './session-pool.ts';
import { alwaysInFlight, queueIsFull } from './waiting-line.ts';

let scratch: ScratchDatabase;
let pool: SessionPool | null = null;
let lost: string[] = [];

beforeAll(async () => {
  scratch = await createScratchDatabase({ empty: true });
});
afterAll(() => scratch.close());
afterEach(async () => {
  await pool?.close();
  pool = null;
});

function openPool(options: Partial<SessionPoolOptions> = {}): SessionPool {
  lost = [];
  pool = createSessionPool({
    client: { connectionString: scratch.connectionString },
    maxSessions: 1,
    onConnectionLost: (error) => lost.push(error.message),
    ...options,
  });
  return pool;
}

function ask(text: string, values: unknown[] = [], reads = false, client = ''): Promise<Record<string, unknown>[]> {
  const statement = text.slice(0, 60);
  return new Promise((resolve, reject) => pool!.run({ statement, text, values, reads, client, resolve, reject }));
}

function outcomeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'answered',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
}

const processId = 'select pg_backend_pid() as pid';

/** Answers when the gate is open, and no sooner than after so many seconds. */
const atGate =
  'select pg_backend_pid() as pid, pg_sleep($1::float8), pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)';

type Gate = { close(): Promise<void>; open(): Promise<void> };

/** Holds back the queries `atGate` for as long as it is closed. */
async function withGate(work: (gate: Gate, client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  const run = (sql: string) => async () => void (await client.query(sql));
  try {
    await work({ close: run('select pg_advisory_lock(7)'), open: run('select pg_advisory_unlock(7)') }, client);
  } finally {
    await client.end();
  }
}

describe('a pool of sessions', () => {
  it('opens connections as they are needed, and no more than it may', async () => {
    openPool({ maxSessions: 3 });
    expect(pool!.counts()).toEqual({ open: 0, idle: 0, waiting: 0 });
    await ask('select 1 as one');
    expect(pool!.counts()).toEqual({ open: 1, idle: 1, waiting: 0 });
    const pids = new Set<unknown>();
    await withGate(async (gate) => {
      await gate.close();
      const asked = Array.from({ length: 20 }, () => ask(atGate, [0]));
      await vi.waitUntil(() => pool!.counts().open === 3, { timeout: 120_000 });
      await gate.open();
      for (const [row] of await Promise.all(asked)) pids.add(row!.pid);
    });
    expect(pids.size).toBe(3);
    expect(pool!.counts()).toEqual({ open: 3, idle: 3, waiting: 0 });
  });

  it('refuses what would wait too long, or has, where many are in flight', async () => {
    openPool({ maxExpectedWaitMs: 10 });
    await withGate(async (gate) => {
      await gate.close();
      const asked = Array.from({ length: alwaysInFlight + 8 }, () => outcomeOf(ask(atGate, [0])));
      await vi.waitUntil(() => pool!.counts().waiting === alwaysInFlight - 1, { timeout: 120_000 });
      expect(await outcomeOf(ask(atGate, [0]))).toBe(queueIsFull);
      await gate.open();
      const answers = [...Array(8).fill(queueIsFull), ...Array(alwaysInFlight).fill('answered')];
      expect((await Promise.all(asked)).sort()).toEqual(answers);
    });
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('leaves connections to others, whatever one client asks', async () => {
    openPool({ maxSessions: 4, maxExpectedWaitMs: 10 });
    await withGate(async (gate) => {
      await gate.close();
      const long = Array.from({ length: 3 * alwaysInFlight }, () => outcomeOf(ask(atGate, [0], false, 'hostile')));
      await vi.waitUntil(() => pool!.counts().open >= 3, { timeout: 120_000 });
      for (const client of ['one', 'two', 'three']) {
        expect(await ask('select 1 as one', [], false, client)).toEqual([{ one: 1 }]);
      }
      // Three of the four connections.
      expect(pool!.counts()).toMatchObject({ open: 4, idle: 1 });
      await gate.open();
      expect((await Promise.all(long)).filter((outcome) => outcome === 'answered').length).toBeGreaterThan(
        alwaysInFlight / 2,
      );
    });
  });

  it('lends to others, whatever one client has borrowed', async () => {
    openPool({ maxSessions: 4 });
    const toRun = (text: string, client: string): QueryRun => ({
      ...{ statement: text, text, values: [], client, resolve: () => {}, reject: () => {} },
    });
    const lend = (client: string): Promise<LentSession> =>
      new Promise((resolve) => pool!.lend(toRun('begin', client), resolve));
    const giveBack = (session: LentSession) => session.giveBack(toRun('commit', ''));
    const first = await lend('hostile');
    const waiting = [lend('hostile'), lend('hostile')];
    const other = await lend('one');
    expect(pool!.counts().waiting).toBe(2);
    giveBack(first);
    for (const each of waiting) giveBack(await each);
    giveBack(other);
  });

  it('refuses loans in the same way, and other queries go on', async () => {
    openPool({ maxSessions: 2, maxExpectedWaitMs: 10 });
    // A connection that opens slowly would be waited for.
    await Promise.all([ask('select pg_sleep(0.1)'), ask('select pg_sleep(0.1)')]);
    const toRun = (text: string, resolve = () => {}, reject = (_: Error) => {}): QueryRun => ({
      ...{ statement: text, text, values: [], client: '', resolve, reject },
    });
    const lend = (onLent: (session: LentSession) => void): Promise<string> =>
      outcomeOf(new Promise<void>((resolve, reject) => pool!.lend(toRun('begin', resolve, reject), onLent)));
    const giveBack = (session: LentSession) => session.giveBack(toRun('commit'));
    const held = Promise.withResolvers<LentSession>();
    const first = lend(held.resolve);
    const session = await held.promise;
    expect(await first).toBe('answered');
    const others = Array.from({ length: alwaysInFlight + 8 }, () => lend(giveBack));
    await vi.waitUntil(() => pool!.counts().waiting === alwaysInFlight - 1, { timeout: 120_000 });
    expect(await lend(giveBack)).toBe(queueIsFull);
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
    giveBack(session);
    const outcomes = await Promise.all(others);
    expect(new Set(outcomes)).toEqual(new Set([queueIsFull, 'answered']));
    // The query between was in flight, too, and so is the end of a loan.
    expect(outcomes.filter((outcome) => outcome === 'answered').length).toBeGreaterThan(alwaysInFlight - 5);
  });

  it('sends nothing behind a query that runs for long: it goes to the connection that is free first', async () => {
    openPool({ maxSessions: 2 });
    const quick = 'select $1::int4 as quick';
    await withGate(async (gate) => {
      // Both connections know the statement.
      await gate.close();
      const both = [ask(atGate, [0]), ask(atGate, [0])];
      await vi.waitUntil(() => pool!.counts().open === 2, { timeout: 120_000 });
      await gate.open();
      await Promise.all(both);
      await Promise.all([ask(quick, [0]), ask(quick, [0])]);
      await gate.close();
      const slow = ask('select pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7)');
      for (let i = 0; i < 50; i++) {
        await Promise.all([1, 2, 3].map(async (k) => expect(await ask(quick, [k])).toEqual([{ quick: k }])));
      }
      await gate.open();
      await slow;
    });
  });

  it('sends nothing behind a query that usually takes long, however short it has run', async () => {
    openPool({ maxSessions: 3 });
    const quick = 'select $1::int4 as quick';
    await withGate(async (gate) => {
      await gate.close();
      const three = [0.02, 0.02, 0.02].map((seconds) => ask(atGate, [seconds]));
      await vi.waitUntil(() => pool!.counts().open === 3, { timeout: 120_000 });
      await gate.open();
      await Promise.all(three);
      for (let i = 0; i < 3; i++) await Promise.all([ask(quick, [0]), ask(quick, [0]), ask(quick, [0])]);
      await gate.close();
      const slow = [ask(atGate, [0]), ask(atGate, [0])];
      // One connection is left for them: behind the others they would wait forever.
      expect(await Promise.all([1, 2, 3, 4, 5, 6].map((i) => ask(quick, [i])))).toHaveLength(6);
      await gate.open();
      await Promise.all(slow);
    });
  });

  it('answers the runs behind a query that fails', async () => {
    openPool();
    const divide = 'select 6 / $1::int4 as result';
    await ask(divide, [1]);
    const answers = await Promise.allSettled([2, 0, 3, 0, 6].map((by) => ask(divide, [by])));
    expect(
      answers.map((answer) => (answer.status === 'fulfilled' ? answer.value[0]!.result : answer.reason.code)),
    ).toEqual([3, '22012', 2, '22012', 1]);
  });

  /**
   * Each gives its number and when the transaction began that it ran in. One that has a separate number waits for the
   * disk.
   */
  const inverse = 'select 60 / $1::int4 as result, now()::text as transaction';
  // The first one goes alone, and the first one behind a failure: two others stand beside each other.
  const divisors = [1, 2, 3, 0, 4, 5, 6, 0, 10];

  async function askAtOnce(reads: boolean): Promise<{ results: unknown[]; transactions: Set<unknown> }> {
    const transactions = new Set<unknown>();
    const answers = await Promise.allSettled(divisors.map((by) => ask(inverse, [by], reads)));
    const results = answers.map((answer) => {
      if (answer.status === 'rejected') return answer.reason.code;
      transactions.add(answer.value[0]!.transaction);
      return answer.value[0]!.result;
    });
    return { results, transactions };
  }

  const expectedResults = [60, 30, 20, '22012', 15, 12, 10, '22012', 6];

  it('sends reads that come at once in one transaction, and again those that one of them cut off', async () => {
    openPool();
    await ask(inverse, [1]);
    let shared = false;
    // Nothing is sent behind a statement that has been slow, as the first one may be.
    while (!shared) {
      const { results, transactions } = await askAtOnce(true);
      expect(results).toEqual(expectedResults);
      shared = transactions.size < 7;
    }
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
    expect(pool!.counts()).toEqual({ open: 1, idle: 1, waiting: 0 });
  });

  it('runs what may write in a separate transaction', async () => {
    openPool();
    await ask(inverse, [1]);
    for (let turn = 0; turn < 20; turn++) {
      const { results, transactions } = await askAtOnce(false);
      expect(results).toEqual(expectedResults);
      expect(transactions.size).toBe(7);
    }
  });

  it('rejects what was in flight when the server ends the connection, and goes on with another', async () => {
    openPool();
    const [{ pid }] = (await ask(processId)) as [{ pid: number }];
    const interrupted = expect(ask('select pg_sleep(30)')).rejects.toMatchObject({ code: '57P01' });
    await withGate(async (_gate, client) => {
      const running = `select from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep(30)%'`;
      await vi.waitUntil(async () => (await client.query(running, [pid])).rowCount === 1, { timeout: 120_000 });
      await client.query('select pg_terminate_backend($1)', [pid]);
    });
    await interrupted;
    expect(lost).toHaveLength(1);
    const [row] = await ask(processId);
    expect(row!.pid).not.toBe(pid);
  });

  it('says why there is no connection, to every run that waits', async () => {
    openPool({ client: { connectionString: 'postgres://nobody@127.0.0.1:1/nothing' } });
    const answers = await Promise.allSettled([ask('select 1'), ask('select 2'), ask('select 3')]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'ECONNREFUSED' } });
    await expect(ask('select 4')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('lets no run wait for longer than its limit', async () => {
    openPool({ maxWaitMs: 200 });
    // On a busy machine the first connection may take longer than that.
    const isOpen = () =>
      ask('select 1 as one').then(
        () => true,
        () => false,
      );
    await vi.waitUntil(isOpen, { timeout: 120_000 });
    await withGate(async (gate) => {
      await gate.close();
      const slow = ask(atGate, [0]);
      // Behind it there is no other connection.
      await expect(ask('select 1 as one')).rejects.toThrow('No connection to PostgreSQL was free for 0.2 s');
      await gate.open();
      await slow;
    });
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('closes when everything is answered, and takes nothing more', async () => {
    const closing = openPool();
    await ask('select 1 as one');
    const last = ask('select pg_sleep(0.1), 7 as seven');
    const closed = closing.close();
    await expect(ask('select 2')).rejects.toThrow('closed');
    await closed;
    expect(await last).toMatchObject([{ seven: 7 }]);
    expect(closing.counts()).toEqual({ open: 0, idle: 0, waiting: 0 });
    pool = null;
  });
});
