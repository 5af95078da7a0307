import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gauge, Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNetwork } from '../../../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../../../packages/sources/folder-source.ts';
import { StreamSourceError } from '../../../../packages/sources/stream-source.ts';
import type { ImportProgress } from '../../../importer/import-progress.ts';
import { StreamCheckError } from '../../../importer/open/stream-check-error.ts';
import { createImportWatch, type ImportWatch, toImportSignals } from './import-signals.ts';
import { createSourceLook, readImporter, readOwnImport } from './read-importer.ts';
import { createServingSignals } from './request-signals.ts';
import { createStreamSignals } from './stream-signals.ts';
import { createVerificationSignals } from './verification-signals.ts';

describe('processes and replicas', () => {
  it('are counted, and not named', async () => {
    const registry = new Registry();
    const signals = createServingSignals(registry);
    expect(await signals()).toEqual({ values: {}, facts: {} });
    const workers = new Gauge({
      name: 'ledger_mirror_workers',
      help: '-',
      labelNames: ['state'],
      registers: [registry],
    });
    workers.set({ state: 'wanted' }, 3);
    workers.set({ state: 'answering' }, 2);
    const places = new Gauge({
      ...{ name: 'ledger_mirror_database_answers', help: '-', labelNames: ['place'], registers: [registry] },
    });
    places.set({ place: 'secret-host:5432/mirror' }, 0);
    places.set({ place: 'primary' }, 1);
    expect(await signals()).toEqual({
      values: { 'api.workersMissing': 1, 'database.placesLost': 1 },
      facts: {
        'api.workersMissing': '2 of 3 processes answer',
        'database.placesLost': '1 of 2 databases answer, replicas included',
      },
    });
  });
});

function progress(rejected: number, busySeconds: number): ImportProgress {
  return {
    block: {
      consensusEnd: 0n,
      verification: { rejected: Array(rejected).fill({}), proofs: [{ signatures: { present: 3 } }] },
    },
    seconds: { wait: 9, open: busySeconds / 2, rows: busySeconds / 4, write: busySeconds / 4 },
  } as unknown as ImportProgress;
}

const missing = (transient: boolean) =>
  new StreamCheckError([
    { code: 'missing', file: 'x.rcd', node: null, expected: 'a file', found: 'a'.repeat(96), transient },
  ]);

const signalsOf = (watch: ImportWatch, now = 0) => toImportSignals(watch.state(now));

describe('the import', () => {
  it('is calm at first', () => {
    const { values } = signalsOf(createImportWatch(() => 0));
    expect(new Set(Object.values(values))).toEqual(new Set([0]));
  });

  it('says which share of the files failed, and how long a block takes', () => {
    const watch = createImportWatch(() => 0);
    watch.onProgress(progress(0, 1));
    watch.onProgress(progress(1, 4));
    expect(signalsOf(watch).values).toMatchObject({ 'import.rejectedShare': 0.111, 'import.blockMs': 2000 });
  });

  it('says for how long a file has been missing, until it goes on', () => {
    let now = 1000;
    const watch = createImportWatch(() => now);
    watch.onRetry(missing(true));
    now = 9000;
    watch.onRetry(missing(true));
    const { values, facts } = signalsOf(watch, now);
    expect(values['stream.gapMs']).toBe(8000);
    expect(facts['stream.gapMs']).toContain('aaaaaaaaaaaa…');
    watch.onProgress(progress(0, 1));
    expect(signalsOf(watch, now).values['stream.gapMs']).toBe(0);
  });

  it('tells a broken chain from an import that ended for another reason', () => {
    const watch = createImportWatch(() => 0);
    watch.onEnd(missing(false));
    expect(signalsOf(watch).values).toMatchObject({ 'import.halted': 1, 'stream.broken': 1 });
    const other = createImportWatch(() => 0);
    other.onEnd(new Error('no room'));
    expect(signalsOf(other).values).toMatchObject({ 'import.halted': 1, 'stream.broken': 0 });
  });

  it('is halted at a file that is wrong until it goes on', () => {
    const watch = createImportWatch(() => 0);
    watch.onRetry(missing(false));
    const { values, facts } = signalsOf(watch);
    expect(values).toMatchObject({ 'import.halted': 1, 'stream.broken': 1, 'stream.gapMs': 0 });
    expect(facts['stream.broken']).toContain('x.rcd');
    watch.onProgress(progress(0, 1));
    expect(signalsOf(watch).values).toMatchObject({ 'import.halted': 0, 'stream.broken': 0 });
  });

  it('says that the database takes nothing', () => {
    const watch = createImportWatch(() => 0);
    watch.onRetry(new Error('connection terminated'));
    expect(signalsOf(watch).values['database.writeFails']).toBe(1);
    watch.onProgress(progress(0, 1));
    expect(signalsOf(watch).values['database.writeFails']).toBe(0);
  });
});

describe('the stream', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stream-signals-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const start = Date.UTC(2026, 10, 21, 12);
  const block = (number: number, endMs: number, loadedMs = endMs + 3000) => ({
    number: BigInt(number),
    consensusEnd: BigInt(endMs) * 1_000_000n,
    loadEnd: BigInt(Math.floor(loadedMs / 1000)),
    hapiVersion: null,
  });
  const create = () => createStreamSignals({ windowMs: 60_000, now: start });

  const none = { newestFile: null };

  it('is behind only where the delay does not shrink', () => {
    const stream = create();
    let behind = 0;
    for (let second = 0; second <= 120; second += 10) {
      // Two hours behind, and five times as fast as the network.
      const signals = stream.signals(start + second * 1000, block(second, start - 7_200_000 + second * 6000), none);
      behind = Math.max(behind, signals['import.behindMs']!);
      expect(signals['import.lagMs']).toBe(7_200_000 - second * 5000);
    }
    expect(behind).toBe(0);
    for (let second = 130; second <= 200; second += 10) {
      const stored = block(second, start - 6_000_000 + second * 1000);
      behind = stream.signals(start + second * 1000, stored, none)['import.behindMs']!;
    }
    expect(behind).toBe(6_000_000);
  });

  it('tells a silent import from a silent network', async () => {
    const stream = create();
    const look = createSourceLook(createFolderSource({ path: folder }));
    stream.signals(start, block(1, start - 1000), none);
    const later = start + 300_000;
    mkdirSync(join(folder, 'recordstreams'));
    expect(stream.signals(later, block(1, start - 1000), await look(later, 0))).toMatchObject({
      'import.silentMs': 300_000,
      'network.silentMs': 301_000,
    });
    const node = join(folder, 'recordstreams', 'record0.0.3');
    mkdirSync(node, { recursive: true });
    writeFileSync(join(node, '2026-11-21T12_04_58.000000000Z.rcd.gz'), '');
    writeFileSync(join(node, '2026-11-21T12_04_50.000000000Z.rcd_sig'), '');
    expect(stream.signals(later + 20_000, undefined, await look(later + 20_000, 15_000))).toMatchObject({
      'import.silentMs': 320_000,
      'network.silentMs': 22_000,
    });
  });

  it.each(['blocks', 'blocks/0000/0000/0000/0000'])('sees the blocks that a network writes into %s', async (path) => {
    const network = await createNetwork({ folder, seed: 'newest block', nodes: 1, format: 'blocks' });
    const consensusStart = BigInt(start) * 1_000_000n;
    for (let block = 0n; block < 3n; block++) {
      await network.writeBlock({ consensusStart: consensusStart + block * 2_000_000_000n, transactions: 1 });
    }
    await network.close();
    const written = join(folder, 'blocks');
    const place = join(folder, 'moved', path);
    mkdirSync(place, { recursive: true });
    for (const name of readdirSync(written)) {
      renameSync(join(written, name), join(place, path === 'blocks' ? name : name.slice(16)));
    }
    const look = createSourceLook(createFolderSource({ path: join(folder, 'moved') }));
    const { newestFile, problem } = await look(start, 0);
    expect([newestFile! / 1_000_000_000n, problem]).toEqual([BigInt(start / 1000 + 4), null]);
    // The one that the import stays at: that it is there says that the network writes.
    const broken = join(place, path === 'blocks' ? '3.blk.gz' : '003.blk.gz');
    writeFileSync(broken, 'no block');
    utimesSync(broken, start / 1000 + 9, start / 1000 + 9);
    expect(await look(start + 1, 0)).toEqual({ newestFile: consensusStart + 9_000_000_000n, problem: null });
  });

  it('says nothing of the network where nothing watches its files', () => {
    const stream = create();
    expect(stream.signals(start, block(1, start - 1000), null)).toMatchObject({ 'network.silentMs': 1000 });
    const later = stream.signals(start + 300_000, block(1, start - 1000), null);
    expect(later).toMatchObject({ 'import.silentMs': 300_000 });
    expect(later).not.toHaveProperty('network.silentMs');
    expect([stream.isFresh(start + 60_000), stream.isFresh(start + 60_001)]).toEqual([true, false]);
  });

  describe('of the past', () => {
    const longAgo = start - 62 * 3_600_000;
    const written = (endMs: number) => ({ newestFile: BigInt(endMs) * 1_000_000n });
    /** The signals every ten seconds while history is imported, then as long again with nothing new. */
    function follow(source: (second: number) => { newestFile: bigint | null }) {
      const stream = create();
      const seen: ReturnType<typeof stream.signals>[] = [];
      for (let second = 0; second <= 600; second += 10) {
        const done = Math.min(second, 300);
        const stored = block(done, longAgo + done * 1000, start + second * 1000);
        seen.push(stream.signals(start + second * 1000, stored, source(second)));
      }
      return { stream, seen };
    }

    it('a network that was never seen to write is not yet known, and an import that has all of it is neither late nor silent', () => {
      const { stream, seen } = follow((second) => written(longAgo + Math.min(second, 300) * 1000));
      for (const signals of seen) expect(signals).not.toHaveProperty('network.silentMs');
      expect(Math.max(...seen.map((signals) => signals['import.behindMs']!))).toBe(0);
      expect(seen.at(-1)!['import.silentMs']).toBe(0);
      expect(stream.facts()['network.newest']).toBe(
        'Its newest file is of 2026-11-18: whether it still writes is not known yet.',
      );
    });

    it('an import that stores nothing although there are files is silent and late', () => {
      const { seen } = follow(() => written(longAgo + 3_600_000));
      expect(seen.at(-1)!['import.silentMs']).toBe(300_000);
      expect(seen.at(-1)!['import.behindMs']).toBeGreaterThan(0);
    });

    it('a network whose newest file is of now writes, however old the stored blocks are', () => {
      const { stream, seen } = follow((second) => written(start + second * 1000 - 2000));
      expect(new Set(seen.map((signals) => signals['network.silentMs']))).toEqual(new Set([2000]));
      expect(stream.facts()).toEqual({ 'network.newest': '' });
    });

    it('a network that was followed before is silent, once that has been looked at for a minute', () => {
      const stream = create();
      const last = block(7, longAgo, longAgo + 4000);
      expect(stream.signals(start, last, none)).not.toHaveProperty('network.silentMs');
      const later = stream.signals(start + 60_000, last, none);
      expect(later).toMatchObject({ 'network.silentMs': 62 * 3_600_000 + 60_000 });
      expect(stream.facts()['network.newest']).toBe('');
    });

    it('a first look at old blocks is no sign that blocks are stored', () => {
      const stream = create();
      stream.signals(start, block(7, longAgo), null);
      expect(stream.isFresh(start)).toBe(false);
      stream.signals(start + 10_000, block(8, longAgo + 2000), null);
      expect(stream.isFresh(start + 10_000)).toBe(true);
    });

    it('of an empty source nothing is known', () => {
      const stream = create();
      expect(stream.signals(start + 600_000, null, none)).not.toHaveProperty('network.silentMs');
    });
  });
});

describe('an import of this process that ended where it was set to end', () => {
  const newestFile = 1_700_000_000_000_000_000n;
  const lookAtSource = async () => ({ newestFile, problem: null });
  const hourMs = 3_600_000;
  const signalsAfter = async (end: (watch: ReturnType<typeof createImportWatch>) => void) => {
    const watch = createImportWatch(() => 0);
    end(watch);
    const { source, hasEnded, facts, values } = await readOwnImport({ watch, lookAtSource }, hourMs, 0);
    const stream = createStreamSignals({ windowMs: 60_000, now: 0 });
    stream.signals(0, { number: 1n, consensusEnd: 0n, loadEnd: 0n, hapiVersion: null }, source, hasEnded);
    return { values: { ...values, ...stream.signals(hourMs, undefined, source, hasEnded) }, facts };
  };

  it('is neither late nor silent, and the page says that it has ended', async () => {
    const { values, facts } = await signalsAfter((watch) => watch.onEnd(null));
    expect(values).toMatchObject({ 'import.silentMs': 0, 'import.behindMs': 0, 'import.absentMs': 0 });
    expect(facts['import.ended']).toBe('It has ended where it was set to end.');
  });

  it.each<[string, (watch: ReturnType<typeof createImportWatch>) => void]>([
    ['one that runs', () => {}],
    ['one that a broken file ended', (watch) => watch.onEnd(missing(false))],
  ])('is not %s', async (_what, end) => {
    const { values, facts } = await signalsAfter(end);
    expect(values).toMatchObject({ 'import.silentMs': hourMs, 'import.behindMs': hourMs });
    expect(facts['import.ended']).toBe('');
  });
});

describe('an importer in another process', () => {
  const state = { ...createImportWatch(() => 0).state(0), newestFile: 7n };
  const heard = (part: object, reachableMs = 1e9) => readImporter({ ...state, seenMs: 1000n, ...part }, reachableMs);

  it('that lives speaks for the stream and the network', () => {
    const { values, source, isKnown } = heard({});
    expect(values).toMatchObject({ 'import.absentMs': 0, 'import.halted': 0, 'stream.broken': 0 });
    expect([source?.newestFile, isKnown]).toEqual([7n, true]);
  });

  it.each([
    ['was killed', { seenMs: 40_000n }, 40_000, 'It was not asked to end.'],
    ['was ended', { isEnded: true }, 1000, 'It was ended.'],
  ])('that %s is our import, and nothing is known of the network', (_what, part, absentMs, fact) => {
    const { values, facts, source } = heard(part);
    expect(values).toEqual({ 'import.absentMs': absentMs, 'import.halted': 0 });
    expect(facts['import.absentMs']).toBe(fact);
    expect(source).toBeNull();
  });

  it('was not heard of while the database was away: that is not its fault, and says nothing of the network', () => {
    const { values, source } = heard({ seenMs: 600_000n }, 2000);
    expect(values).toEqual({ 'import.absentMs': 2000, 'import.halted': 0 });
    expect(source).toBeNull();
  });

  it('that stopped at a broken file leaves the chain broken, however long ago', () => {
    const watch = createImportWatch(() => 0);
    watch.onEnd(missing(false));
    const { values, facts, source } = heard({ ...watch.state(0), seenMs: 9_000_000n });
    expect(values).toMatchObject({ 'import.halted': 1, 'stream.broken': 1 });
    expect(facts['stream.broken']).toMatch(/^x\.rcd: missing/);
    expect(source).toBeNull();
  });

  it('that starts again stays halted until it has stored a block', () => {
    const before = createImportWatch(() => 0);
    before.onEnd(missing(false));
    const watch = createImportWatch(() => 0);
    watch.resume(before.state(0));
    expect(signalsOf(watch).values['stream.broken']).toBe(1);
    watch.onProgress(progress(0, 1));
    expect(signalsOf(watch).values).toMatchObject({ 'import.halted': 0, 'stream.broken': 0 });
  });

  it('that cannot read its source blames neither the database nor the network', () => {
    const watch = createImportWatch(() => 0);
    watch.onRetry(new StreamSourceError('unreadable' as never, 'x', 'The disk is away.'));
    const { values, source } = heard(watch.state(0));
    expect(values).toMatchObject({ 'import.sourceFails': 1, 'database.writeFails': 0 });
    expect(source).toBeNull();
  });

  it('is not known of in a database that it does not own', () => {
    expect(readImporter(null, 0)).toEqual({ values: {}, facts: {}, isKnown: false, hasEnded: false, source: null });
  });
});

describe('verification', () => {
  it('a self-test that a busy machine holds up leaves the last one to count, and one that never ends does not', async () => {
    let waiting = Promise.withResolvers<number>();
    waiting.resolve(1);
    const signals = createVerificationSignals({
      selfTest: () => waiting.promise,
      everyMs: 6000,
      retryMs: 6000,
      now: 0,
    });
    signals(30_000);
    await new Promise((done) => setImmediate(done));
    waiting = Promise.withResolvers();
    for (const atMs of [40_000, 200_000, 900_000]) expect(signals(atMs)?.values['verification.down']).toBe(0);
    expect(signals(940_001)).toBeNull();
  });

  it('says what the last self-test found, and nothing when none ends', async () => {
    let wanted: (() => Promise<number>) | null = async () => 700;
    const signals = createVerificationSignals({
      selfTest: () => wanted?.() ?? new Promise(() => {}),
      everyMs: 600_000,
      retryMs: 60_000,
      now: 0,
    });
    const settle = (): Promise<void> => new Promise((done) => setImmediate(done));
    expect(signals(29_000)).toBeNull();
    expect(signals(30_000)).toBeNull();
    await settle();
    expect(signals(40_000)!.values).toEqual({ 'verification.down': 0, 'verification.checkMs': 700 });
    wanted = async () => {
      throw new Error('no compiler');
    };
    signals(640_000);
    await settle();
    expect(signals(650_000)).toEqual({
      values: { 'verification.down': 1, 'verification.checkMs': 700 },
      facts: { 'verification.down': 'no compiler' },
    });
    wanted = async () => {
      throw Object.assign(new Error('busy'), { code: 'too_many_jobs' });
    };
    signals(710_000);
    await settle();
    expect(signals(720_000)!.values['verification.down']).toBe(0);
    // A limit that was met, or a start that took too long: either may be the machine.
    for (const [at, down, more] of [
      [1_320_000, 0, { code: 'compiler_limit' }],
      [1_390_000, 0, { code: 'compiler_not_available', retryAfterSeconds: 30 }],
      [1_460_000, 1, { code: 'compiler_limit' }],
    ] as const) {
      wanted = async () => {
        throw Object.assign(new Error('no time'), more);
      };
      signals(at);
      await settle();
      expect(signals(at + 5)!.values['verification.down']).toBe(down);
    }
    wanted = async () => {
      throw Object.assign(new Error('no such compiler'), { code: 'compiler_not_available' });
    };
    signals(1_530_000);
    await settle();
    expect(signals(1_530_005)!.facts['verification.down']).toBe('no such compiler');
    wanted = null;
    signals(1_600_000);
    expect(signals(3_000_000)).toBeNull();
  });
});
