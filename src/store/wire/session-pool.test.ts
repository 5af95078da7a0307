import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../../test/support/scratch-database.ts';
import { createSessionPool, type SessionPool, type SessionPoolOptions } from './session-pool.ts';

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

function ask(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  return new Promise((resolve, reject) => pool!.run({ statement: text.slice(0, 60), text, values, resolve, reject }));
}

const processId = 'select pg_backend_pid() as pid';

describe('a pool of sessions', () => {
  it('opens connections as they are needed, and no more than it may', async () => {
    openPool({ maxSessions: 3 });
    expect(pool!.counts()).toEqual({ open: 0, idle: 0, waiting: 0 });
    await ask('select 1 as one');
    expect(pool!.counts()).toEqual({ open: 1, idle: 1, waiting: 0 });
    const asked = Array.from({ length: 20 }, () => ask('select pg_backend_pid() as pid, pg_sleep(0.02)'));
    const pids = new Set((await Promise.all(asked)).map(([row]) => row!.pid));
    expect(pids.size).toBe(3);
    expect(pool!.counts()).toEqual({ open: 3, idle: 3, waiting: 0 });
  });

  it('sends nothing behind a query that runs for long: it goes to the connection that is free first', async () => {
    openPool({ maxSessions: 2 });
    const quick = 'select $1::int4 as quick';
    // Both connections know the statement.
    await Promise.all([ask(`${processId}, pg_sleep(0.05)`), ask(`${processId}, pg_sleep(0.05)`)]);
    await Promise.all([ask(quick, [0]), ask(quick, [0])]);
    const order: string[] = [];
    const slow = ask('select pg_sleep(0.8)').then(() => order.push('slow'));
    await sleep(50);
    for (let i = 0; i < 50; i++) {
      await Promise.all([1, 2, 3].map(async (k) => expect(await ask(quick, [k])).toEqual([{ quick: k }])));
    }
    order.push('quick ones');
    await slow;
    expect(order).toEqual(['quick ones', 'slow']);
  });

  it('sends nothing behind a query that usually takes long, however short it has run', async () => {
    openPool({ maxSessions: 3 });
    const quick = 'select $1::int4 as quick';
    const slow = 'select pg_sleep(0.25)';
    for (const text of [slow, slow]) await Promise.all([ask(text), ask(text), ask(text)]);
    for (let i = 0; i < 3; i++) await Promise.all([ask(quick, [0]), ask(quick, [0]), ask(quick, [0])]);
    const order: string[] = [];
    const asked = [
      ask(slow).then(() => order.push('slow')),
      ask(slow).then(() => order.push('slow')),
      ...Array.from({ length: 6 }, (_, i) => ask(quick, [i]).then(() => order.push('quick'))),
    ];
    await Promise.all(asked);
    expect(order).toEqual([...Array(6).fill('quick'), 'slow', 'slow']);
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

  it('rejects what was in flight when the server ends the connection, and goes on with another', async () => {
    openPool();
    const [{ pid }] = (await ask(processId)) as [{ pid: number }];
    const interrupted = expect(ask('select pg_sleep(30)')).rejects.toMatchObject({ code: '57P01' });
    const killer = createSessionPool({
      client: { connectionString: scratch.connectionString },
      maxSessions: 1,
      onConnectionLost: () => {},
    });
    await sleep(50);
    await new Promise((resolve, reject) =>
      killer.run({ statement: '', text: 'select pg_terminate_backend($1)', values: [pid], resolve, reject }),
    );
    await killer.close();
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
    const slow = ask('select pg_sleep(0.6)');
    await sleep(20);
    await expect(ask('select 1 as one')).rejects.toThrow('No connection to PostgreSQL was free for 0.2 s');
    await slow;
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
