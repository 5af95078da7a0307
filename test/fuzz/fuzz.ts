// Sends requests of a grammar and judges every answer. Request n of a seed is always the same.
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { describeRequest, type FuzzRequest, toUrl } from './fuzz-request.ts';
import type { FuzzTarget } from './fuzz-targets.ts';
import { judgeAnswer } from './judge-answer.ts';
import { makeRequest } from './make-request.ts';
import { type FuzzAnswer, sendDirectly, sendOverSocket } from './send-request.ts';
import { shortenRequest } from './shorten-request.ts';

export type FuzzOptions = {
  targets: readonly FuzzTarget[];
  seed: string;
  /** Number of the first request. */
  first?: number;
  requests: number;
  /** Maximum of requests at a time. */
  lanes?: number;
  /** Share of the requests over a socket. */
  socketShare?: number;
  /** Slower answers are faults, if they are slow again; not judged when absent. */
  slowestMs?: number;
  /** Ends early after so many faults. */
  maxFaults?: number;
  onProgress?: (done: number) => void;
};

export type FuzzReport = {
  requests: number;
  /** Answers by status; 0 = closed without an answer. */
  statuses: Record<number, number>;
  slowestMs: number;
  /** One text each: request, server and fault. */
  faults: string[];
};

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const {
    targets,
    seed,
    first = 0,
    requests,
    lanes = 4,
    socketShare = 0.1,
    slowestMs,
    maxFaults = 20,
    onProgress,
  } = options;
  const report: FuzzReport = { requests: 0, statuses: {}, slowestMs: 0, faults: [] };
  let next = first;

  async function runLane(): Promise<void> {
    while (next < first + requests && report.faults.length < maxFaults) {
      await runRequest(next++);
      report.requests += 1;
      if (report.requests % 1000 === 0) onProgress?.(report.requests);
    }
  }

  async function runRequest(number: number): Promise<void> {
    const random = createSeededRandom(seed, `request ${number}`);
    const target = random.pick(targets);
    const overSocket = random.chance(socketShare);
    const request = makeRequest(random, target.words);
    const ask = overSocket ? askOverSocket : askDirectly;
    const { answer, faults } = await ask(target, request);
    const status = answer?.status ?? 0;
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
    report.slowestMs = Math.max(report.slowestMs, answer?.durationMs ?? 0);
    const slow =
      slowestMs !== undefined && (answer?.durationMs ?? 0) > slowestMs && (await isSlow(target, request, slowestMs));
    if (faults.length === 0 && !slow) return;
    const shortest = slow
      ? request
      : await shortenRequest(request, async (candidate) => sameKind((await ask(target, candidate)).faults, faults));
    const reasons = slow ? [`slower than ${slowestMs} ms each of four times`] : (await ask(target, shortest)).faults;
    report.faults.push(
      [
        `request ${number} of seed "${seed}" to ${target.name}${overSocket ? ', over a socket' : ''}:`,
        `    ${describeRequest(shortest)}`,
        ...reasons.slice(0, 5).map((reason) => `  ${reason}`),
      ].join('\n'),
    );
  }

  await Promise.all(Array.from({ length: lanes }, runLane));
  return report;
}

/** The request that `links.next` asks for; null without one. */
function nextPage({ headers }: FuzzAnswer, { maxRepeated }: FuzzTarget): FuzzRequest | null {
  // Links repeat the request: odd characters as well, and as many values as are allowed, plus one.
  const path = /^<([\w/.:?&=-]+)>; rel="next"$/.exec(headers.link ?? '')?.[1];
  if (!path) return null;
  const names = path
    .slice(path.indexOf('?') + 1)
    .split('&')
    .map((pair) => pair.split('=')[0]!);
  if (names.some((name) => names.filter((other) => other === name).length > maxRepeated)) return null;
  return { method: 'GET', path, query: [], headers: [], body: '' };
}

type Asked = { answer: FuzzAnswer | null; faults: string[] };

async function askDirectly(target: FuzzTarget, request: FuzzRequest): Promise<Asked> {
  return judge(target, request, isTidy(request) ? sendDirectly : sendOverSocket);
}

/** Other URLs would be normalized on their way into the server. */
function isTidy(request: FuzzRequest): boolean {
  const url = toUrl(request);
  const parsed = URL.parse(url, 'http://localhost');
  return parsed !== null && parsed.host === 'localhost' && parsed.pathname + parsed.search === url;
}

async function askOverSocket(target: FuzzTarget, request: FuzzRequest): Promise<Asked> {
  return judge(target, request, sendOverSocket);
}

async function judge(
  target: FuzzTarget,
  request: FuzzRequest,
  send: (target: FuzzTarget, request: FuzzRequest) => Promise<FuzzAnswer | null>,
): Promise<Asked> {
  try {
    const answer = await send(target, request);
    const faults = answer ? judgeAnswer(request, answer, target.validator) : [];
    const next = answer && faults.length === 0 ? nextPage(answer, target) : null;
    return { answer, faults: next ? await judgeNextPage(target, next) : faults };
  } catch (error) {
    return { answer: null, faults: [`no answer at all: ${(error as Error).message}`] };
  }
}

async function judgeNextPage(target: FuzzTarget, request: FuzzRequest): Promise<string[]> {
  const page = await sendDirectly(target, request);
  // A full page may end with an account's first transaction: before that there was no account.
  const isFound = page.status === 200 || (page.status === 404 && /\/accounts\//i.test(request.path));
  const faults = isFound ? judgeAnswer(request, page, target.validator) : [`status ${page.status}`];
  return faults.map((fault) => `the next page, ${request.path}: ${fault}`);
}

/** A shorter request must fail for the same reason. */
function sameKind(faults: readonly string[], others: readonly string[]): boolean {
  const kind = (fault: string) => fault.replace(/^\S*\/\S*/, '').slice(0, 24);
  return faults.some((fault) => others.some((other) => kind(fault) === kind(other)));
}

async function isSlow(target: FuzzTarget, request: FuzzRequest, slowestMs: number): Promise<boolean> {
  for (let repeat = 0; repeat < 3; repeat++) {
    const { answer } = await askDirectly(target, request);
    if (!answer || answer.durationMs <= slowestMs) return false;
  }
  return true;
}
