// Proof of the answer cache: a ledger grows block by block while servers are asked at random. A second database takes
// the same steps behind it, and a server without a cache is asked as of each step; each answer must be the one of some
// step that was the newest no longer ago than the answer's Cache-Control allows.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { toUrl } from '../fuzz/fuzz-request.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { makeGoodRequest } from '../fuzz/make-good-request.ts';
import { type Answer, createAnswerWindows } from './answer-windows.ts';
import { openSteppedLedger } from './stepped-ledger.ts';

export type ProofServer = { url: string; close(): Promise<void> };

export type ProofReplica = { connectionString: string; close(): Promise<void> };

export type CacheProofOptions = {
  seed: string;
  /** Longer where servers could not be asked often enough in that time. */
  seconds: number;
  /** Databases: empty or with the schema of the program. */
  live: string;
  truth: string;
  /** Runs `serve` with these flags. */
  serve(flags: string[]): Promise<ProofServer>;
  /** A database that follows `live`, with a separate server. */
  startReplica?(): Promise<ProofReplica>;
  say?(sentence: string): void;
};

export type CacheProof = {
  blocks: number;
  requests: number;
  /** Different ones. */
  urls: number;
  statuses: Record<string, number>;
  /** How many were answered 304. */
  unchanged: number;
  wrong: string[];
  /** By server: hits, and how long what was served had been replaced when it was asked for, ms. */
  servers: Record<string, { requests: number; hits: number; behindP99Ms: number; behindMostMs: number }>;
};

/** Requests that are asked again and again; from time to time some are replaced. */
const poolSize = 60;
const replicaName = 'of a replica';
const truthName = 'without a cache';
const lanesOfServer = 3;
/** Blocks with which the ledger begins. */
const firstBlocks = 12;
/** The truth stays behind so far: what may be asked of a step is known then, and its answers are waited for. */
const behindMs = 3_000;
/** Requests of each server at least: some of them are then answered from what it keeps. */
const minRequests = 200;

export async function proveCache(options: CacheProofOptions): Promise<CacheProof> {
  const { seed, seconds, live, truth, serve, startReplica, say = () => {} } = options;
  const random = createSeededRandom(seed, 'cache proof');
  const ledger = await openSteppedLedger({ seed, random });
  for (const connectionString of [live, truth]) await migrate({ connectionString });
  const [liveImport, truthImport] = await Promise.all([live, truth].map((to) => ledger.openImport(to)));
  const liveDb = openDatabase({ connectionString: live, maxConnections: 2 });
  const windows = createAnswerWindows();
  const blocks: bigint[] = [];
  const servers: ProofServer[] = [];
  const urls = new Map<string, string>();
  const now = (): number => performance.now();

  for (let count = 1; count < firstBlocks; count++) await ledger.writeBlock();
  const first = await ledger.writeBlock();
  for (const each of [liveImport!, truthImport!]) await each.importUntil(first);
  blocks.push(first);
  const replica = (await startReplica?.()) ?? null;
  const places: Record<string, string[]> = {
    [truthName]: ['--database-url', truth, '--answer-cache', '0'],
    'one of two': ['--database-url', live],
    'the other': ['--database-url', live],
    'without notifications': ['--database-url', live, '--read-only'],
    ...(replica ? { [replicaName]: ['--database-url', replica.connectionString, '--read-only'] } : {}),
  };
  const replicaClient = replica && new pg.Client(replica);
  await replicaClient?.connect();

  try {
    const starts = Object.entries(places).map(async ([name, args]) => {
      const usual = ['--port', '0', '--dialect', 'hiero', '--chain-id', '0x128', '--status-service', 'off'];
      const server = await serve([...usual, ...args]);
      servers.push(server);
      urls.set(name, server.url);
    });
    await Promise.all(starts);
    const truthUrl = urls.get(truthName)!;
    urls.delete(truthName);
    for (const name of urls.keys()) windows.addState(name, { begunMs: 0, visibleMs: 0 });

    const observed: Answer[] = [];
    let unchanged = 0;
    const pool: string[] = [];
    let words = await readLedgerWords(liveDb);
    const fillPool = (words: LedgerWords): void => {
      while (pool.length < poolSize) {
        const url = toUrl(makeGoodRequest(random, words));
        // Never kept, and one a second.
        if (!/\/opcodes(?:\?|$)/.test(url)) pool.push(url);
      }
    };
    fillPool(words);
    const endMs = now() + 1000 * seconds;
    const asked = new Map([...urls.keys()].map((name) => [name, 0]));
    const isOver = (): boolean => now() >= endMs && [...asked.values()].every((count) => count >= minRequests);
    /** When each request was sent that has no answer yet. */
    const inFlight = new Set<{ sentMs: number }>();
    let isDriven = false;
    const driving = Promise.all([
      grow(),
      renewPool(),
      ...[...urls].flatMap(([server, url]) => Array.from({ length: lanesOfServer }, () => askOften(server, url))),
    ]).finally(() => {
      isDriven = true;
    });
    const [result] = await Promise.all([judge(), driving]);
    for (const [name, url] of urls) result.servers[name]!.hits = await readHits(url);
    return result;

    async function grow(): Promise<void> {
      while (!isOver()) {
        const count = random.pick([1, 1, 1, 2, 5]);
        for (let written = 0; written < count; written++) {
          const block = await ledger.writeBlock();
          const begunMs = now();
          await liveImport!.importUntil(block);
          const visibleMs = now();
          for (const name of urls.keys()) {
            if (name !== replicaName) windows.addState(name, { begunMs, visibleMs });
          }
          if (replicaClient) {
            const text = 'select from record_file where index = $1';
            while ((await replicaClient.query(text, [block])).rowCount === 0) await sleep(5);
            windows.addState(replicaName, { begunMs, visibleMs: now() });
          }
          blocks.push(block);
        }
        await sleep(random.pick([0, 100, 300, 800, 2_000]));
      }
    }

    async function renewPool(): Promise<void> {
      while (!isOver()) {
        await sleep(1_000);
        words = await readLedgerWords(liveDb);
        pool.splice(0, poolSize / 12);
        fillPool(words);
      }
    }

    async function askOften(server: string, base: string): Promise<void> {
      /** By request and tag, what a 304 stands for. */
      const known = new Map<string, string>();
      const tags = new Map<string, string>();
      while (!isOver()) {
        // Some are asked far more often than others.
        const url = pool[Math.min(random.below(poolSize), random.below(poolSize))]!;
        const tag = random.chance(0.2) ? tags.get(url) : undefined;
        const atOnce = random.chance(0.05) ? 10 : 1;
        await Promise.all(Array.from({ length: atOnce }, () => askOnce(url, tag)));
        if (random.chance(0.5)) await sleep(random.integer(1, 40));
      }

      async function askOnce(url: string, tag: string | undefined): Promise<void> {
        const sentMs = now();
        const request = { sentMs };
        inFlight.add(request);
        // Without its second header, fetch would ask for a new body.
        const conditional = tag === undefined ? {} : { 'if-none-match': tag, 'cache-control': 'max-age=0' };
        const response = await fetch(base + url, { headers: conditional as Record<string, string> });
        const body = await response.text();
        const receivedMs = now();
        const { status, headers } = response;
        const etag = headers.get('etag')!;
        if (status === 304) unchanged += 1;
        const text = status === 304 ? known.get(`${url} ${etag}`)! : describe(status, headers.get('link'), body);
        known.set(`${url} ${etag}`, text);
        tags.set(url, etag);
        // Errors may be those of the question of another request.
        const maxAge = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1] ?? '1';
        inFlight.delete(request);
        asked.set(server, asked.get(server)! + 1);
        observed.push({ server, url, sentMs, receivedMs, maxAgeMs: 1000 * Number(maxAge), text });
      }
    }

    async function judge(): Promise<CacheProof> {
      const truths = new Map<string, Map<number, string>>();
      const judged = { blocks: 0, requests: 0, urls: 0, statuses: {}, unchanged, wrong: [], servers: {} } as CacheProof;
      const behind = new Map<string, number[]>([...urls.keys()].map((name) => [name, []]));
      for (let state = 0; ; state++) {
        while (!isDriven && (blocks.length <= state + 1 || isAskedFor(state))) await sleep(50);
        const wanted = new Set(
          observed.filter((answer) => isWithin(windows.windowOf(recent(answer)), state)).map(({ url }) => url),
        );
        for (const url of wanted) {
          if (!truths.has(url)) truths.set(url, new Map());
          truths.get(url)!.set(state, await ask(truthUrl + url));
        }
        const isLast = isDriven && state === blocks.length - 1;
        for (let index = observed.length - 1; index >= 0; index--) {
          const answer = observed[index]!;
          const { first, last } = windows.windowOf(answer);
          if (last > state && !isLast) continue;
          observed.splice(index, 1);
          judgeOne(answer, first, last);
        }
        if (state % 50 === 49) say(`${state + 1} of ${blocks.length} blocks, ${judged.requests} answers judged`);
        if (isLast) break;
        await truthImport!.importUntil(blocks[state + 1]!);
      }
      for (const [name, list] of behind) {
        list.sort((one, other) => one - other);
        judged.servers[name] = {
          requests: list.length,
          hits: 0,
          behindP99Ms: list[Math.floor(list.length * 0.99)] ?? 0,
          behindMostMs: list.at(-1) ?? 0,
        };
      }
      return { ...judged, unchanged, blocks: blocks.length, urls: truths.size };

      function judgeOne(answer: Answer, first: number, last: number): void {
        judged.requests += 1;
        const status = answer.text.slice(0, 3);
        judged.statuses[status] = (judged.statuses[status] ?? 0) + 1;
        const ofUrl = truths.get(answer.url);
        for (let state = last; state >= first; state--) {
          if (ofUrl?.get(state) !== answer.text) continue;
          behind.get(answer.server)!.push(windows.ageOf(answer, state));
          return;
        }
        const shown = [...(ofUrl ?? [])].filter(([, text]) => text === answer.text).map(([state]) => state);
        judged.wrong.push(
          `${answer.server}: ${answer.url} is of ${shown.length > 0 ? `step ${shown.join(', ')}` : 'no step'} in place of ${first} to ${last}: ${answer.text}`,
        );
      }

      /** Whether a request may still come, or is under way, that this state answers. */
      function isAskedFor(state: number): boolean {
        const untilMs = begunOf(state + 1) + behindMs;
        return now() < untilMs || [...inFlight].some(({ sentMs }) => sentMs < untilMs);
      }

      function begunOf(state: number): number {
        return windows.begunOf('one of two', state);
      }
    }
  } finally {
    for (const server of servers) await server.close();
    await replicaClient?.end();
    await replica?.close();
    for (const each of [liveImport!, truthImport!]) await each.close();
    await liveDb.close();
    await ledger.close();
  }
}

/** What is older was asked of the truth when it was new. */
function recent(answer: Answer): Answer {
  return { ...answer, maxAgeMs: Math.min(answer.maxAgeMs, behindMs) };
}

function isWithin({ first, last }: { first: number; last: number }, state: number): boolean {
  return first <= state && state <= last;
}

async function ask(url: string): Promise<string> {
  const response = await fetch(url);
  return describe(response.status, response.headers.get('link'), await response.text());
}

/** Short, and equal for equal answers only. */
function describe(status: number, link: string | null, body: string): string {
  return `${status} ${createHash('sha1').update(`${link}\n${body}`).digest('hex')}`;
}

async function readHits(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/requests_total\{outcome="hit"\} (\d+)/.exec(text)?.[1]);
}
