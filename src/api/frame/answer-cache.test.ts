import { randomBytes } from 'node:crypto';
import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BlockState } from '../../../packages/store/notify/block-watch.ts';
import { makeReady, type ReadyAnswer } from '../../../packages/web-server/ready-answer.ts';
import { type AnswerCache, createAnswerCache, type DatedAnswer } from './answer-cache.ts';

let blocks: BlockState;
let now: number;
let readings: number;
let registry: Registry;
let cache: AnswerCache;

beforeEach(() => {
  now = 0;
  readings = 0;
  blocks = { turn: 1, epoch: 1, newestEnd: 100n, confirmedMs: Number.NEGATIVE_INFINITY };
  registry = new Registry();
  cache = createAnswerCache({ maxBytes: 100_000, blocks, registry, clock: () => now, clockReadings: () => readings });
});

function dated(body: string, keep?: Partial<NonNullable<DatedAnswer['keep']>>): DatedAnswer {
  return { answer: makeReady({ status: 200, body }), keep: keep && { maxAge: 1, settledBy: null, ...keep } };
}

const bodyOf = (answer: ReadyAnswer | undefined): string | undefined => answer?.bytes.toString();

function commit(end: bigint): void {
  blocks.turn += 1;
  blocks.newestEnd = end;
}

function changePast(): void {
  blocks.turn += 1;
  blocks.epoch += 1;
}

async function put(key: string, answer: DatedAnswer): Promise<void> {
  await cache.ask(key, 1000, async () => answer);
}

async function count(name: string): Promise<Record<string, number>> {
  const metric = await registry.getSingleMetric(name)!.get();
  return Object.fromEntries(metric.values.map(({ labels, value }) => [Object.values(labels)[0] ?? 'all', value]));
}

describe('an answer', () => {
  it.each([
    [
      'that may change is found before its time is over',
      { settledBy: null },
      () => {
        now = 999;
      },
      true,
    ],
    [
      'that may change is not found later',
      { settledBy: null },
      () => {
        now = 1000;
      },
      false,
    ],
    ['that may change is not found after the next block', { settledBy: null }, () => commit(200n), false],
    [
      'of the past is found at any time',
      { settledBy: 99n },
      () => {
        now = 1e9;
      },
      true,
    ],
    ['of the past is found after further blocks', { settledBy: 99n }, () => commit(200n), true],
    ['of the past is not found when the past has changed', { settledBy: 99n }, changePast, false],
    ['of the end of the newest block is none of the past', { settledBy: 100n }, () => commit(200n), false],
  ])('%s', async (_case, keep, happens, found) => {
    await put('/a', dated('a', keep));
    expect(bodyOf(cache.find('/a'))).toBe('a');
    happens();
    expect(bodyOf(cache.find('/a'))).toBe(found ? 'a' : undefined);
  });

  it('that may change is found for as long as it is confirmed that no block was committed', async () => {
    await put('/a', dated('a', {}));
    for (now = 900; now < 5_000; now += 900) {
      blocks.confirmedMs = now - 100;
      expect(bodyOf(cache.find('/a'))).toBe('a');
    }
    now = blocks.confirmedMs + 1_000;
    expect(cache.find('/a')).toBeUndefined();
    commit(200n);
    blocks.confirmedMs = now;
    expect(cache.find('/a')).toBeUndefined();
  });

  it('that looked at the clock is not found after its time, whatever is confirmed', async () => {
    await cache.ask('/a', 1000, async () => {
      readings += 1;
      return dated('a', {});
    });
    blocks.confirmedMs = 900;
    now = 999;
    expect(bodyOf(cache.find('/a'))).toBe('a');
    now = 1000;
    expect(cache.find('/a')).toBeUndefined();
  });

  it('of the past that looked at the clock is not kept forever', async () => {
    await cache.ask('/a', 1000, async () => {
      readings += 1;
      return dated('a', { settledBy: 99n });
    });
    commit(200n);
    expect(cache.find('/a')).toBeUndefined();
  });

  it('of the past is known as such by what was known before it was asked for', async () => {
    await cache.ask('/a', 1000, async () => {
      commit(200n);
      return dated('a', { settledBy: 150n });
    });
    expect(cache.find('/a')).toBeUndefined();
    blocks.newestEnd = null;
    await put('/b', dated('b', { settledBy: 1n }));
    commit(300n);
    expect(cache.find('/b')).toBeUndefined();
  });

  it.each([
    ['a block is committed', () => commit(200n)],
    ['the past changes', changePast],
    [
      'its time goes by',
      () => {
        now = 1000;
      },
    ],
  ])('is not kept when %s while it is asked for', async (_case, happens) => {
    const answer = await cache.ask('/a', 1000, async () => {
      happens();
      return dated('a', {});
    });
    expect(bodyOf(answer)).toBe('a');
    expect(cache.find('/a')).toBeUndefined();
  });

  it('is not kept where it says no time, nor where it fails', async () => {
    await put('/a', dated('a'));
    await expect(cache.ask('/b', 1000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([cache.find('/a'), cache.find('/b')]).toEqual([undefined, undefined]);
    await put('/b', dated('b', {}));
    expect(bodyOf(cache.find('/b'))).toBe('b');
  });
});

describe('equal requests', () => {
  it('share one question, however many they are', async () => {
    const { promise, resolve } = Promise.withResolvers<DatedAnswer>();
    let questions = 0;
    const answers = Array.from({ length: 1000 }, () =>
      cache.ask('/a', 1000, () => {
        questions += 1;
        return promise;
      }),
    );
    resolve(dated('a', {}));
    expect(new Set((await Promise.all(answers)).map(bodyOf))).toEqual(new Set(['a']));
    expect(questions).toBe(1);
    expect(await count('ledger_mirror_answer_cache_requests_total')).toEqual({ hit: 0, miss: 1, shared: 999 });
  });

  it.each([
    ['a block was committed meanwhile', () => commit(200n)],
    [
      'it began too long ago',
      () => {
        now = 1000;
      },
    ],
  ])('do not share a question when %s', async (_case, happens) => {
    const first = Promise.withResolvers<DatedAnswer>();
    const asked = cache.ask('/a', 1000, () => first.promise);
    happens();
    const again = cache.ask('/a', 1000, async () => dated('new', {}));
    expect(bodyOf(await again)).toBe('new');
    first.resolve(dated('old', {}));
    expect(bodyOf(await asked)).toBe('old');
    expect(bodyOf(cache.find('/a'))).toBe('new');
  });

  it('share a failure, and ask again after it', async () => {
    const { promise, reject } = Promise.withResolvers<DatedAnswer>();
    const answers = Array.from({ length: 3 }, () => cache.ask('/a', 1000, () => promise));
    reject(new Error('no'));
    for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected');
    expect(bodyOf(await cache.ask('/a', 1000, async () => dated('a', {})))).toBe('a');
  });
});

describe('the size', () => {
  it('stays within its bound: what was not asked for longest goes first', async () => {
    for (let number = 0; number < 100; number++) {
      await put(`/${number}`, dated('x'.repeat(2000), {}));
      cache.find('/0');
    }
    expect(bodyOf(cache.find('/0'))).toBeDefined();
    expect(cache.find('/1')).toBeUndefined();
    expect(bodyOf(cache.find('/99'))).toBeDefined();
    const { all: bytes } = await count('ledger_mirror_answer_cache_bytes');
    const { all: entries } = await count('ledger_mirror_answer_cache_entries');
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(bytes).toBeGreaterThan(50_000);
    expect(await count('ledger_mirror_answer_cache_evictions_total')).toEqual({ all: 100 - entries! });
  });

  it('has no room for one answer that takes a large part of it', async () => {
    await put('/a', dated('x'.repeat(20_000), {}));
    expect(cache.find('/a')).toBeUndefined();
  });

  it('counts compressed forms, too', async () => {
    await put('/a', dated('x'.repeat(4000), {}));
    const before = (await count('ledger_mirror_answer_cache_bytes')).all!;
    const form = await cache.find('/a')!.compressed!.bytes('gzip');
    expect((await count('ledger_mirror_answer_cache_bytes')).all).toBe(before + form.length);
    expect(await cache.find('/a')!.compressed!.bytes('gzip')).toBe(form);
  });

  it('is that of the answers also where each was compressed for its only reader', async () => {
    const forms: Buffer[] = [];
    for (let number = 0; number < 200; number++) {
      const made = dated(randomBytes(1000).toString('hex'), {});
      await put(`/${number}`, made);
      forms.push(await made.answer.compressed!.bytes('br'));
    }
    // Views of larger pieces of memory would keep those.
    expect(forms.filter(({ length, buffer }) => buffer.byteLength > length)).toEqual([]);
    // 2,000 bytes for the entry, 2,000 for the text, about 1,100 for its compressed form.
    expect(forms.every(({ length }) => length > 1000 && length < 1250)).toBe(true);
    const { all: bytes } = await count('ledger_mirror_answer_cache_bytes');
    const { all: entries } = await count('ledger_mirror_answer_cache_entries');
    expect(bytes).toBeLessThanOrEqual(100_000);
    expect(entries).toBe(19);
  });
});
