// A cache of answers. An answer is served only
//  - while no block has been committed since before it was requested, and for as long as its `max-age` promises after that
//    was last known, or after it was requested if it depends on the clock; or
//  - forever, if everything in it lies before the end of a block that was known before it was requested, until the past
//    itself changes.
// The state before the request counts: a query that began before a commit may have seen the earlier moment.
// Equal requests share one query while it is running. The key is the request as typed: the link to the next page
// repeats that, so two spellings have two answers, and nothing has to be parsed for the lookup.
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { ReadyAnswer } from '../../../packages/web-server/ready-answer.ts';
import type { AnswerKeeping } from '../../../packages/web-server/route.ts';

/** What is known here of an answer. */
export type Cacheable = {
  bytes: { length: number };
  /** `sizeBytes`: of all forms kept so far. `onKept`: called when one more is kept. null = there are none. */
  compressed: { sizeBytes: number; onKept: (() => void) | null } | null;
};

/** `keep`: undefined = it is not cached. */
export type DatedAnswer<Answer extends Cacheable = ReadyAnswer> = { answer: Answer; keep: AnswerKeeping | undefined };

/** Who makes a key says what its answers are: other protocols have keys, and answers, of their own. */
export type AnswerCache = {
  /** undefined = not cached. */
  find<Answer extends Cacheable = ReadyAnswer>(key: string): Answer | undefined;
  /** The answer of an equal question that is running, and began at most `maxShareMs` ago; undefined = none is. */
  join<Answer extends Cacheable = ReadyAnswer>(key: string, maxShareMs: number): Promise<Answer> | undefined;
  /** Runs the query, or waits for a running one that began at most `maxShareMs` ago. */
  ask<Answer extends Cacheable = ReadyAnswer>(
    key: string,
    maxShareMs: number,
    work: () => Promise<DatedAnswer<Answer>>,
  ): Promise<Answer>;
};

export type AnswerCacheOptions = {
  maxBytes: number;
  blocks: BlockWatch;
  registry: Registry;
  /** How often answers have read the clock. */
  clockReadings(): number;
  /** Monotonic, ms. */
  clock?: () => number;
};

type Kept = {
  answer: Cacheable;
  isFinal: boolean;
  /** As they were before the request. */
  turn: number;
  epoch: number;
  begunMs: number;
  maxAgeMs: number;
  isByClock: boolean;
};

type Flight = { turn: number; begunMs: number; answer: Promise<Cacheable> };

/**
 * Of an entry beside its body: headers, and entries in maps. The heap grew by 1,350 bytes for each of 50,000 short
 * bodies beside these, by 2,100 if they could be compressed.
 */
const entryBytes = 2_000;
/** So that few large answers do not evict all others. */
const maxShareOfEntry = 1 / 16;

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const { maxBytes, blocks, registry, clockReadings, clock = () => performance.now() } = options;
  const counts = { hit: 0, miss: 0, shared: 0, evicted: 0 };
  const flights = new Map<string, Flight>();
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes * maxShareOfEntry)),
    sizeCalculation: ({ answer: { bytes, compressed } }, key) =>
      entryBytes + key.length + bytes.length + (compressed?.sizeBytes ?? 0),
    dispose: (_entry, _key, reason) => {
      if (reason === 'evict') counts.evicted += 1;
    },
  });
  showCounts(registry, counts, kept);
  let epoch = blocks.epoch;

  return {
    find<Answer extends Cacheable>(key: string) {
      const entry = kept.get(key);
      if (entry === undefined || !isValid(entry)) return undefined;
      counts.hit += 1;
      return entry.answer as Answer;
    },
    join,
    ask<Answer extends Cacheable>(key: string, maxShareMs: number, work: () => Promise<DatedAnswer<Answer>>) {
      const joined = join<Answer>(key, maxShareMs);
      if (joined) return joined;
      const { turn } = blocks;
      const begunMs = clock();
      counts.miss += 1;
      const flight: Flight = { turn, begunMs, answer: askAndKeep(key, begunMs, work) };
      flights.set(key, flight);
      const leave = (): void => {
        if (flights.get(key) === flight) flights.delete(key);
      };
      flight.answer.then(leave, leave);
      return flight.answer as Promise<Answer>;
    },
  };

  function join<Answer extends Cacheable>(key: string, maxShareMs: number): Promise<Answer> | undefined {
    const flight = flights.get(key);
    if (!flight || flight.turn !== blocks.turn || clock() - flight.begunMs >= maxShareMs) return undefined;
    counts.shared += 1;
    return flight.answer as Promise<Answer>;
  }

  function isValid(entry: Kept): boolean {
    if (entry.isFinal) return entry.epoch === blocks.epoch;
    if (entry.turn !== blocks.turn) return false;
    const { begunMs, maxAgeMs, isByClock } = entry;
    const trueMs = isByClock || blocks.confirmedMs < begunMs ? begunMs : blocks.confirmedMs;
    return clock() < trueMs + maxAgeMs;
  }

  async function askAndKeep(
    key: string,
    begunMs: number,
    work: () => Promise<DatedAnswer<Cacheable>>,
  ): Promise<Cacheable> {
    const before = { turn: blocks.turn, epoch: blocks.epoch, newestEnd: blocks.newestEnd };
    const readings = clockReadings();
    const { answer, keep } = await work();
    if (keep === undefined) return answer;
    const { newestEnd } = before;
    // Or another answer read it meanwhile.
    const isByClock = clockReadings() !== readings;
    const isPast = keep.settledBy !== null && newestEnd !== null && keep.settledBy < newestEnd;
    const entry: Kept = {
      answer,
      isFinal: isPast && !isByClock,
      turn: before.turn,
      epoch: before.epoch,
      begunMs,
      maxAgeMs: 1000 * keep.maxAge,
      isByClock,
    };
    if (epoch !== blocks.epoch) {
      epoch = blocks.epoch;
      kept.clear();
    }
    if (isValid(entry)) put(key, entry);
    return answer;
  }

  function put(key: string, entry: Kept): void {
    kept.set(key, entry);
    const { compressed } = entry.answer;
    // Most are compressed once, for the first client: not only what is asked for again has to be counted.
    if (compressed !== null) compressed.onKept = () => recount(key, entry);
  }

  function recount(key: string, entry: Kept): void {
    if (kept.peek(key) !== entry) return;
    kept.delete(key);
    kept.set(key, entry);
  }
}

type Counts = { hit: number; miss: number; shared: number; evicted: number };

/** Plain counters, because a hit takes little more time than updating a metric. */
function showCounts(registry: Registry, counts: Counts, kept: LRUCache<string, Kept>): void {
  const registers = [registry];
  new Counter({
    name: 'ledger_mirror_answer_cache_requests_total',
    help: 'Requests to cached endpoints: answered from the cache (hit), asked (miss), or answered with the question of another request (shared).',
    labelNames: ['outcome'] as const,
    registers,
    collect() {
      this.reset();
      for (const outcome of ['hit', 'miss', 'shared'] as const) this.inc({ outcome }, counts[outcome]);
    },
  });
  new Counter({
    name: 'ledger_mirror_answer_cache_evictions_total',
    help: 'Answers that left the cache because it was full.',
    registers,
    collect() {
      this.reset();
      this.inc(counts.evicted);
    },
  });
  addGauge(registry, {
    name: 'ledger_mirror_answer_cache_bytes',
    help: 'Size of the answers in the cache, outdated ones included.',
    read: () => kept.calculatedSize,
  });
  addGauge(registry, {
    name: 'ledger_mirror_answer_cache_entries',
    help: 'Answers in the cache, outdated ones included.',
    read: () => kept.size,
  });
}
