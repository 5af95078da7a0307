import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallPool, type CallPoolOptions, createCallPool, PoolFull } from './call-pool.ts';

let folder: string;
let pool: CallPool | null = null;
let lost: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'call-pool-'));
  lost = [];
});
afterEach(async () => {
  await pool?.close();
  rmSync(folder, { recursive: true });
});

function openPool(more: Partial<CallPoolOptions> = {}): CallPool {
  const bytes = 2 ** 20;
  pool = createCallPool({
    ...{ maxThreads: 1, maxWaiting: 10, maxWaitMs: 60_000, maxHeapMb: 256 },
    cache: { maxCodeBytes: bytes, maxPastBytes: bytes, maxPresentBytes: bytes },
    onLost: (error) => lost.push(error.message),
    ...more,
  });
  return pool;
}

/** A thread's module that does something before it is the usual one. */
function entryAfter(code: string): URL {
  const usual = new URL('../call-thread.ts', import.meta.url).href;
  const path = join(folder, 'entry.mjs');
  writeFileSync(path, `import { existsSync } from 'node:fs';\n${code}\nawait import(${JSON.stringify(usual)});\n`);
  return pathToFileURL(path);
}

const waitUntil = (file: string) =>
  `while (!existsSync(${JSON.stringify(join(folder, file))})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);`;
const note = (file: string) => writeFileSync(join(folder, file), '');

/** Of work that has the thread until it is said to end. */
function hold(client: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const done = pool!.use(client, () => promise);
  // A test that fails before it waits for it says why by itself.
  done.catch(() => {});
  return { done, end: resolve };
}

describe('the line', () => {
  it('refuses a job that has waited for too long, and gives the thread to the next one', async () => {
    const { use, counts } = openPool({ maxWaitMs: 500 });
    // A thread starts slowly beside other work; the job that waits for it is refused as any other.
    const isStarted = () => use('a', async () => true).catch(() => false);
    await vi.waitUntil(isStarted, { timeout: 20_000 });
    const first = hold('a');
    await vi.waitUntil(() => counts().busy === 1, { timeout: 20_000 });
    await expect(use('a', async () => 'never')).rejects.toThrow(PoolFull);
    expect(counts()).toMatchObject({ threads: 1, busy: 1, waiting: 0 });
    first.end('first');
    expect(await first.done).toBe('first');
    expect(await use('a', async () => 'second')).toBe('second');
    expect(counts()).toEqual({ threads: 1, busy: 0, starting: 0, waiting: 0, lost: 0 });
  });

  it('refuses a job where as many wait as may', async () => {
    const { use, counts } = openPool({ maxWaiting: 1 });
    const first = hold('a');
    const waits = use('a', async () => 'second');
    await expect(use('a', async () => 'third')).rejects.toThrow(PoolFull);
    expect(counts().waiting).toBe(1);
    first.end('first');
    expect(await Promise.all([first.done, waits])).toEqual(['first', 'second']);
  });

  it('keeps a thread for a client that has taken little, while another has the usual one and waits for more', async () => {
    const { use, counts } = openPool();
    const first = hold('a');
    const waits = use('a', async () => 'later');
    expect(await use('b', async () => 'at once')).toBe('at once');
    expect(counts()).toMatchObject({ threads: 2, waiting: 1 });
    first.end('first');
    expect(await Promise.all([first.done, waits])).toEqual(['first', 'later']);
  });

  it('never gives one client the kept thread beside the usual one', async () => {
    const { use, counts } = openPool();
    const first = hold('b');
    // The kept one, since b has the other.
    const second = hold('a');
    const waits = use('a', async () => 'later');
    first.end('first');
    expect(await first.done).toBe('first');
    expect(counts()).toMatchObject({ waiting: 1 });
    expect(await use('b', async () => 'again')).toBe('again');
    expect(counts()).toMatchObject({ waiting: 1 });
    second.end('second');
    expect(await Promise.all([second.done, waits])).toEqual(['second', 'later']);
  });

  it('lets one who has taken much time wait behind the others, also where it was taken elsewhere', async () => {
    const { use, spend } = openPool();
    spend('a', 60_000);
    spend('b', 20_000);
    const first = hold('c');
    const order: string[] = [];
    const asked = ['a', 'b'].map((client) => use(client, async () => order.push(client)));
    first.end('');
    await Promise.all(asked);
    expect(order).toEqual(['b', 'a']);
  });
});

describe('a thread that starts slowly', () => {
  it('is waited for, and its start is nobody’s time', async () => {
    const { use, counts } = openPool({ entry: entryAfter(waitUntil('go')) });
    const answer = use('a', async () => 'answer');
    await vi.waitUntil(() => counts().starting === 1, { timeout: 20_000 });
    note('go');
    expect(await answer).toBe('answer');
    expect(counts()).toEqual({ threads: 1, busy: 0, starting: 0, waiting: 0, lost: 0 });
    expect(lost).toEqual([]);
  });

  it('is kept where its job was refused, and serves the next one', async () => {
    const { use, counts } = openPool({ maxWaitMs: 200, entry: entryAfter(waitUntil('go')) });
    for (let attempt = 0; attempt < 3; attempt++) {
      await expect(use('a', async () => 'never')).rejects.toMatchObject({ by: 'all' });
      expect(counts()).toMatchObject({ threads: 1, starting: 1, busy: 0 });
    }
    note('go');
    await vi.waitUntil(() => counts().starting === 0, { timeout: 20_000 });
    expect(await use('a', async () => 'answer')).toBe('answer');
    expect(counts()).toEqual({ threads: 1, busy: 0, starting: 0, waiting: 0, lost: 0 });
    expect(lost).toEqual([]);
  });
});

describe('a thread that does not start', () => {
  const broken = `if (!existsSync(FILE)) throw new Error('broken');`;
  const entry = () => entryAfter(broken.replace('FILE', JSON.stringify(join(folder, 'mended'))));

  it('is told and counted, and is not tried again at once', async () => {
    const { use, counts } = openPool({ entry: entry() });
    const refused = await Promise.allSettled([1, 2, 3].map(() => use('a', async () => 'never')));
    for (const one of refused) expect(one).toMatchObject({ status: 'rejected', reason: { by: 'all' } });
    // The second one, of those that waited, came while the first attempt was young.
    expect(lost).toEqual(['A thread did not start: broken']);
    expect(counts()).toMatchObject({ threads: 0, starting: 0, lost: 1 });
    await expect(use('a', async () => 'never')).rejects.toBeInstanceOf(PoolFull);
    expect(lost).toHaveLength(1);
  });

  it('is tried again later', async () => {
    const { use } = openPool({ entry: entry() });
    await expect(use('a', async () => 'never')).rejects.toBeInstanceOf(PoolFull);
    note('mended');
    await vi.waitUntil(() => use('a', async () => true).catch(() => false), { timeout: 20_000, interval: 50 });
    expect(lost).toEqual(['A thread did not start: broken']);
  });
});

it.runIf(process.platform === 'linux')('a thread gives way, but not to everything', async () => {
  const before = new Set(readdirSync('/proc/self/task'));
  const { use } = openPool();
  await use('a', async () => '');
  const priorities = readdirSync('/proc/self/task')
    .filter((task) => !before.has(task))
    .map((task) => Number(readFileSync(`/proc/self/task/${task}/stat`, 'utf8').split(') ')[1]!.split(' ')[16]));
  // Others may have begun meanwhile, with what this process has.
  expect(priorities).toContain(5);
});
