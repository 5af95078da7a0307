// The envelope of JSON-RPC: a body of one request or of a batch becomes its answer with the HTTP status
// (docs/reference/json-rpc.md, Requests).

import { isOverload } from '../../../packages/kit/shares/cause.ts';
import { type ClientLine, createClientLine } from '../../../packages/kit/shares/client-line.ts';
import type { Outcome } from '../../../packages/kit/shares/client-outcomes.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import type { Admission } from '../../../packages/web-server/admission.ts';
import { isKept, type KeptAnswer, type KeptResults } from './kept-results.ts';
import { methods } from './methods/methods.ts';
import type { RpcContext } from './reading/context.ts';
import { isSimpleJson } from './reading/is-simple-json.ts';
import { LongResult, type Method, WrittenResult } from './reading/method.ts';
import { parseRequests, writeId } from './reading/request-id.ts';
import { beginResult, endResult, writeError } from './terms/envelope.ts';
import { busyCode, httpStatusOf, overShareCode, RpcError, rpcError, toRpcError } from './terms/rpc-error.ts';

/** `gzip`: the body, compressed. An empty body, with 204, answers notifications alone. */
export type RpcAnswer = { status: number; body: string } | { status: number; gzip: Buffer };

export type RpcOptions = {
  context: RpcContext;
  admission: Admission;
  /** null = each request is worked on. */
  kept?: KeptResults | null;
  /** An answer that failed by a fault of this program or of the database. */
  onFailure(error: unknown, method: string): void;
  /** Every answered request: code of its error, 0 = none. `method`: of the table, else `unknown`. */
  onAnswer(method: string, ended: RpcEnded): void;
};

type RpcEnded = { code: number; outcome: Outcome; durationMs: number; client: string };

export type RpcAnswerer = {
  /** Never rejects. */
  answer(body: Uint8Array, asker: Asker): Promise<RpcAnswer>;
  /** What `answer` would find kept, at once; undefined = ask it. Counted as answered. */
  find(body: Buffer, client: string): KeptAnswer | undefined;
};

type Asker = {
  /** Whose share it takes. */
  client: string;
  /** false = its client has gone, the rest of a batch is not worked on. */
  isWanted?(): boolean;
};

const maxBatch = 100;
/** The error is repeated for each of a batch of at most this many. */
const maxRefused = 1000;
/** Once the answers of a batch are longer, the others get none: a hundred may have ten thousand logs each. */
const maxBatchLength = 32 * 2 ** 20;
/**
 * Of one batch at once, and of all batches together, where clients take turns: others get theirs at the database and
 * the thread.
 */
const maxTogether = doorShares.batches.places;
const maxTogetherWhenBusy = 2;

type AskedOptions = RpcOptions & Pick<Asker, 'client'>;
type BatchOptions = AskedOptions & { gate: ClientLine };

/** As JSON; null = a notification, which is carried out and has no answer. */
type Id = string | null;
type Request = { id: Id; method: string; params: readonly unknown[] };
type Result = { id: Id; text: string } | { id: Id; error: RpcError };
type LongResultBytes = { gzip: Buffer };
/** The id of what has none to repeat. */
const noId = 'null';

export function createRpcAnswerer(options: RpcOptions): RpcAnswerer {
  const { turns } = options.context;
  // Each batch waits for a few at a time.
  const gate = createClientLine({
    concurrent: () => (turns.isBusy() ? maxTogetherWhenBusy : maxTogether),
    kept: doorShares.batches.kept,
    waiting: { count: Number.POSITIVE_INFINITY },
  });
  return {
    find(body, client) {
      const startedMs = performance.now();
      const found = options.kept?.find(body);
      if (found) {
        const durationMs = performance.now() - startedMs;
        options.onAnswer(found.method, { code: 0, outcome: 'answered', durationMs, client });
      }
      return found;
    },
    async answer(body, { client, isWanted = () => true }) {
      const asked = { ...options, client };
      const text = Buffer.from(body.buffer, body.byteOffset, body.length);
      const given = await read(text, asked);
      if (given instanceof RpcError) return toSingle({ id: noId, error: given });
      if (!Array.isArray(given)) {
        const outcome = await answerOne(given, asked, false);
        if ('text' in outcome) learn(text, given, options);
        return 'gzip' in outcome ? { status: 200, gzip: outcome.gzip } : toSingle(outcome);
      }
      if (given.length === 0) return toSingle({ id: noId, error: rpcError.invalidRequest() });
      if (given.length > maxBatch) {
        const error = write({ id: noId, error: rpcError.largeBatch(given.length, maxBatch) });
        // A megabyte of requests would be answered with fifty.
        if (given.length > maxRefused) return { status: 400, body: error };
        return { status: 200, body: `[${given.map(() => error).join(',')}]` };
      }
      const texts = (await answerAll(given, { ...asked, gate }, isWanted)).filter((one) => one !== '');
      return texts.length === 0 ? unanswered : { status: 200, body: `[${texts.join(',')}]` };
    },
  };
}

const unanswered: RpcAnswer = { status: 204, body: '' };

function learn(text: Buffer, given: unknown, { kept }: RpcOptions): void {
  const request = readRequest(given);
  if (!kept || 'error' in request) return;
  const { id, method, params } = request;
  if (id !== null) kept.learn(text, { id, method, params });
}

/** Long texts take the thread for a while: they are read in turn of their clients. */
async function read(text: Buffer, { admission, client }: AskedOptions): Promise<unknown> {
  if (text.length <= shortBytes) return parse(text);
  try {
    return await admission.run(client, async () => parse(text));
  } catch (error) {
    return toRpcError(error);
  }
}

const shortBytes = 16 * 1024;

function parse(text: Buffer): unknown {
  if (!isSimpleJson(text)) return rpcError.invalidRequest();
  try {
    return parseRequests(text.toString());
  } catch {
    // What a client sent is no JSON: that is the answer.
    return rpcError.parse();
  }
}

/** In the order of the requests; empty of notifications. */
async function answerAll(given: readonly unknown[], options: BatchOptions, isWanted: () => boolean): Promise<string[]> {
  const texts: string[] = [];
  let next = 0;
  let length = 0;
  const work = async (): Promise<void> => {
    while (next < given.length && isWanted()) {
      const place = next;
      next += 1;
      const text = length > maxBatchLength ? refuseLong(given[place]) : await answerPart(given[place], options);
      length += text.length;
      texts[place] = text;
    }
  };
  await Promise.all(Array.from({ length: maxTogether }, work));
  return texts;
}

async function answerPart(given: unknown, { gate, ...options }: BatchOptions): Promise<string> {
  const answer = () => answerOne(given, options, true);
  const outcome = await (answeredElsewhere.has((given as Partial<Request> | null)?.method)
    ? answer()
    : gate.pass(options.client, answer));
  if ('gzip' in outcome) throw new Error('A long answer is for one request alone.');
  return write(outcome);
}

/** They wait in a line of their own or for a relay, and may wait long: no other request waits for them. */
const answeredElsewhere: ReadonlySet<unknown> = new Set([
  ...['eth_call', 'eth_estimateGas', 'eth_fillTransaction', 'eth_simulateV1'],
  ...['eth_sendRawTransaction', 'eth_sendRawTransactionSync'],
]);

function refuseLong(given: unknown): string {
  const request = readRequest(given);
  return write('error' in request ? request : { id: request.id, error: rpcError.longBatch(maxBatchLength) });
}

async function answerOne(given: unknown, options: AskedOptions, isInBatch: boolean): Promise<Result | LongResultBytes> {
  const startedMs = performance.now();
  const report = (name: string, code: number, outcome: Outcome): void =>
    options.onAnswer(name, { code, outcome, durationMs: performance.now() - startedMs, client: options.client });
  const request = readRequest(given);
  if ('error' in request) {
    report('unknown', request.error.code, 'answered');
    return request;
  }
  const { id, method: name } = request;
  const method = methods.get(name);
  try {
    if (!method) throw toUnknown(name);
    const result = await find(method, request, { ...options, isInBatch });
    report(name, 0, 'answered');
    return typeof result === 'string' ? { id, text: result } : id === null ? { id, text: '' } : { gzip: result };
  } catch (error) {
    const refusal = toRpcError(error);
    const isFailure = refusal !== error && !isOverload(error);
    if (isFailure) options.onFailure(error, name);
    report(method ? name : 'unknown', refusal.code, isFailure ? 'failed' : outcomeOf(refusal));
    return { id, error: refusal };
  }
}

type FindOptions = AskedOptions & { isInBatch: boolean };

/** JSON; a long answer is a Buffer. */
function find(method: Method, request: Request, options: FindOptions): string | Promise<string | Buffer> {
  const { method: name, params } = request;
  const admit = <T>(work: () => Promise<T>): Promise<T> => options.admission.run(options.client, work);
  const ask = () => run(method, request, options);
  if (!options.kept || !isKept(name)) return admit(ask);
  const work = async () => {
    const result = await ask();
    if (typeof result !== 'string') throw new Error('A long answer is not kept.');
    return result;
  };
  return options.kept.ask({ method: name, params, work, admit });
}

async function run(method: Method, asked: Request, { context, isInBatch }: FindOptions): Promise<string | Buffer> {
  const { id, params } = asked;
  const result = await method.run(context, params);
  if (result instanceof WrittenResult) return result.json;
  if (!(result instanceof LongResult)) return JSON.stringify(result ?? null);
  if (isInBatch) throw rpcError.notInBatch(asked.method);
  const bytes = await result.compress(beginResult(id ?? noId), endResult);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function readRequest(given: unknown): Request | { id: string; error: RpcError } {
  if (typeof given !== 'object' || given === null) return { id: noId, error: rpcError.invalidRequest() };
  const { id: ofRequest, jsonrpc, method, params } = given as Record<string, unknown>;
  const id = Object.hasOwn(given, 'id') ? writeId(ofRequest) : null;
  const isValid = id !== undefined && jsonrpc === '2.0' && typeof method === 'string';
  if (!isValid) return { id: id ?? noId, error: rpcError.invalidRequest() };
  // Parameters have no names: others than a list are none, as at the relay.
  return { id, method, params: Array.isArray(params) ? params : [] };
}

const maxNameShown = 100;

function toUnknown(name: string): RpcError {
  if (name.startsWith('engine_')) return rpcError.unsupportedMethod('the network has no consensus client');
  if (/^(?:trace|debug)_/.test(name)) return rpcError.laterMethod();
  return rpcError.unknownMethod(name.slice(0, maxNameShown));
}

/** Of an error that is an answer, as of a relay, which is another's. */
function outcomeOf(refusal: RpcError): Outcome {
  return refusal.code === busyCode || refusal.code === overShareCode ? 'refused' : 'answered';
}

function toSingle(outcome: Result): RpcAnswer {
  if (outcome.id === null) return unanswered;
  return { status: 'error' in outcome ? httpStatusOf(outcome.error) : 200, body: write(outcome) };
}

/** Empty of a notification. */
function write(outcome: Result): string {
  const { id } = outcome;
  if (id === null) return '';
  return 'error' in outcome ? writeError(id, outcome.error) : `${beginResult(id)}${outcome.text}${endResult}`;
}
