// Where the mirror's own JSON-RPC differs from the relay, and why (docs/reference/json-rpc.md).
import { type Difference, isObject, type Json, rules, text, why } from './difference-rules.ts';
import { isSameRun } from './opcode-lists.ts';
import type { RelayRequest } from './relay-requests.ts';

export type Answer = { status: number; body: unknown };

/** What no rule explains, a line each. */
export function listUnexplained({ body }: RelayRequest, relay: Answer, own: Answer): string[] {
  return [...differences(body, relay, own)]
    .filter((one) => !rules.some(({ is }) => is(one)))
    .map((one) => `${one.method} ${one.path}: ${text(one.relay)} and ${text(one.own)}`);
}

/** Lists of transactions are compared by their hashes: the relay has transfers of tokens last. null = not known why. */
export function explain({ body }: RelayRequest, relay: Answer, own: Answer): readonly string[] | null {
  const method = methodOf(body);
  if (/^debug_trace/.test(method) && isTraceOf(body, 'opcodeLogger') && isResult(relay) && isResult(own))
    return explainOpcodes(relay, own);
  if (/^debug_trace/.test(method) && isTraceOf(body, 'prestateTracer') && isResult(relay) && isResult(own))
    return [why.states];
  const reasons = new Set<string>();
  for (const difference of differences(body, relay, own)) {
    const rule = rules.find(({ is }) => is(difference));
    if (!rule) return null;
    reasons.add(rule.why);
  }
  return reasons.size === 0
    ? ['transactions of a block stand in the order of their index; the relay has transfers of tokens last']
    : [...reasons];
}

const methodOf = (body: Json): string => (Array.isArray(body) ? 'batch' : String(body?.method ?? ''));
const isResult = ({ body }: Answer): boolean => (body as Json)?.result !== undefined;

function isTraceOf(body: Json, tracer: string): boolean {
  const ofBlock = body.method !== 'debug_traceTransaction';
  return (body.params?.[1]?.tracer ?? (ofBlock ? 'callTracer' : 'opcodeLogger')) === tracer;
}

function explainOpcodes({ body: relay }: Answer, { body: own }: Answer): string[] | null {
  const [theirs, ours] = [relay, own].map((one) => (one as Json).result);
  if (theirs.structLogs.length === 0 && ours.structLogs.length === 0)
    return theirs.gas === ours.gas ? [why.refused] : null;
  const isSame = (name: string): boolean => text(theirs[name]) === text(ours[name]);
  return ['gas', 'failed', 'returnValue'].every(isSame) && isSameRun(theirs.structLogs, ours.structLogs)
    ? [why.opcodes]
    : null;
}

function* differences(body: Json, relay: Answer, own: Answer): Generator<Difference> {
  const method = methodOf(body);
  const [theirs, ours] = [relay.body as Json, own.body as Json];
  // What the status follows from.
  const codeOf = (one: Json): unknown => one?.error?.code ?? null;
  if (relay.status !== own.status && codeOf(theirs) === codeOf(ours))
    yield { method, path: 'status', relay: relay.status, own: own.status };
  if (Array.isArray(body) && Array.isArray(theirs) && Array.isArray(ours))
    return yield* differencesOfBatch(body, theirs, ours);
  if (!isObject(theirs?.result) || !isObject(ours?.result)) {
    if (text(theirs) !== text(ours)) yield { method, path: '', relay: theirs, own: ours };
    return;
  }
  const [around, ownAround] = [theirs, ours].map(({ result: _, ...others }) => others);
  if (text(around) !== text(ownAround)) yield { method, path: 'envelope', relay: around, own: ownAround };
  const wanted = method === 'eth_getLogs' ? endingTopics(body) : 0;
  const logs = wanted > 0 ? theirs.result.filter(({ topics }: Json) => topics.length >= wanted) : theirs.result;
  if (logs.length !== theirs.result.length)
    yield { method, path: 'topics', relay: theirs.result.length, own: logs.length };
  const listed =
    /^debug_trace/.test(method) && isTraceOf(body, 'callTracer') ? withListedCalls(ours.result) : ours.result;
  if (text(listed) !== text(ours.result)) yield { method, path: 'nesting', relay: logs, own: ours.result };
  const [relayNow, ownNow] = [byHash(logs), byHash(listed)];
  if (method.startsWith('debug_traceBlock')) yield* alignTransfers(method, relayNow, ownNow);
  for (const found of walk('', relayNow, ownNow)) yield { method, ...found };
}

/** Each request with its answers; to a notification there is none of ours. */
function* differencesOfBatch(requests: Json[], theirs: Json[], ours: Json[]): Generator<Difference> {
  const isAnswered = (request: Json): boolean => !isObject(request) || Array.isArray(request) || 'id' in request;
  const isWhole = theirs.length === requests.length && ours.length === requests.filter(isAnswered).length;
  if (!isWhole) return yield { method: 'batch', path: 'length', relay: theirs.length, own: ours.length };
  let next = 0;
  for (const [at, request] of requests.entries()) {
    if (!isAnswered(request)) {
      yield { method: 'batch', path: 'notification', relay: theirs[at], own: undefined };
      continue;
    }
    const [relay, own] = [theirs[at], ours[next]].map((body) => ({ status: 200, body }));
    next += 1;
    yield* differences(request, relay!, own!);
  }
}

/** Traces of a block, by hash: those of transfers without code get the relay's parties, which are told once. */
function* alignTransfers(method: string, relay: Json, own: Json): Generator<Difference> {
  const isTransfer = (one: Json): boolean =>
    one?.type === 'CALL' && one.gasUsed === '0x0' && one.input === '0x' && one.calls?.length === 0;
  for (const [hash, { result: theirs }] of Object.entries<Json>(isObject(relay) ? relay : {})) {
    const ours = own?.[hash]?.result;
    if (!isTransfer(theirs) || !isTransfer(ours)) continue;
    const [{ from, to }, found] = [theirs, { from: ours.from, to: ours.to }];
    if (text({ from, to }) === text(found)) continue;
    yield { method, path: 'parties', relay: { from, to }, own: found };
    own[hash] = { ...own[hash], result: { ...ours, from, to } };
  }
}

/** Traces of calls as the relay has them: all calls inside the outermost one as one list, in the order of their beginnings. */
function withListedCalls(traced: Json): Json {
  if (Array.isArray(traced)) return traced.map((one) => ({ ...one, result: withListedCalls(one.result) }));
  return Array.isArray(traced?.calls) ? { ...traced, calls: traced.calls.flatMap(listCalls) } : traced;
}

function listCalls({ calls = [], ...call }: Json): Json[] {
  return [call, ...calls.flatMap(listCalls)];
}

/** How many topics a search names that ends with null; else 0. */
function endingTopics(body: Json): number {
  const topics = body.params?.[0]?.topics;
  return Array.isArray(topics) && topics.at(-1) === null ? topics.length : 0;
}

function* walk(path: string, relay: Json, own: Json): Generator<Omit<Difference, 'method'>> {
  if (text(relay) === text(own)) return;
  if (!isObject(relay) || !isObject(own)) return yield { path, relay, own };
  for (const name of new Set([...Object.keys(relay), ...Object.keys(own)])) {
    yield* walk(/^0x/.test(name) ? `${path}[${name}]` : `${path}.${name}`, relay[name], own[name]);
  }
}

/** Lists of transactions, receipts and traces as objects by hash. */
function byHash(value: Json): Json {
  if (Array.isArray(value)) {
    const keys = value.map((one) =>
      typeof one === 'string' ? one : (one?.hash ?? one?.transactionHash ?? one?.txHash),
    );
    const isNamed = keys.every((key) => typeof key === 'string' && key.length === 66);
    const isUnique = new Set(keys).size === keys.length;
    if (isNamed && isUnique && value.length > 0) return Object.fromEntries(value.map((one, at) => [keys[at], one]));
  }
  return isObject(value) && Array.isArray(value.transactions)
    ? { ...value, transactions: byHash(value.transactions) }
    : value;
}
