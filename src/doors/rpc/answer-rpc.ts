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
import { beginResult, endResult } from './terms/envelope.ts';
import { busyCode, httpStatusOf, overShareCode, RpcError, rpcError, toRpcError } from './terms/rpc-error.ts';

/** `gzip`: the body, compressed. */
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

type Request = { id: unknown; method: string; params: readonly unknown[] };
type Result = { id: unknown; text: string } | { id: unknown; error: RpcError };
type LongResultBytes = { gzip: Buffer };

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
      if (given instanceof RpcError) return toSingle({ id: null, error: given });
      if (!Array.isArray(given)) {
        const outcome = await answerOne(given, asked, false);
        if ('text' in outcome) learn(text, given, options);
        return 'gzip' in outcome ? { status: 200, gzip: outcome.gzip } : toSingle(outcome);
      }
      if (given.length > maxBatch) {
        const error = write({ id: null, error: rpcError.largeBatch(given.length, maxBatch) });
        // A megabyte of requests would be answered with fifty.
        if (given.length > maxRefused) return { status: 400, body: error };
        return { status: 200, body: `[${given.map(() => error).join(',')}]` };
      }
      return { status: 200, body: `[${(await answerAll(given, { ...asked, gate }, isWanted)).join(',')}]` };
    },
  };
}

function learn(text: Buffer, given: unknown, { kept }: RpcOptions): void {
  const request = readRequest(given);
  if (kept && !('error' in request)) kept.learn(text, request);
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
    return JSON.parse(text.toString());
  } catch {
    // What a client sent is no JSON: that is the answer.
    return rpcError.parse();
  }
}

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
const answeredElsewhere: ReadonlySet<unknown> = new Set(['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction']);

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
    if (isInBatch && method.isAlone) throw rpcError.notInBatch(name);
    const result = await find(method, request, options);
    report(name, 0, 'answered');
    return typeof result === 'string' ? { id, text: result } : { gzip: result };
  } catch (error) {
    const refusal = toRpcError(error);
    const isFailure = refusal !== error && !isOverload(error);
    if (isFailure) options.onFailure(error, name);
    report(method ? name : 'unknown', refusal.code, isFailure ? 'failed' : outcomeOf(refusal));
    return { id, error: refusal };
  }
}

/** JSON; a long answer is a Buffer. */
function find(method: Method, request: Request, options: AskedOptions): string | Promise<string | Buffer> {
  const { method: name, params } = request;
  const admit = <T>(work: () => Promise<T>): Promise<T> => options.admission.run(options.client, work);
  const ask = () => run(method, request, options.context);
  if (!options.kept || !isKept(name)) return admit(ask);
  const work = async () => {
    const result = await ask();
    if (typeof result !== 'string') throw new Error('A long answer is not kept.');
    return result;
  };
  return options.kept.ask({ method: name, params, work, admit });
}

async function run(method: Method, { id, params }: Request, context: RpcContext): Promise<string | Buffer> {
  const result = await method.run(context, params);
  if (result instanceof WrittenResult) return result.json;
  if (!(result instanceof LongResult)) return JSON.stringify(result ?? null);
  const bytes = await result.compress(begin(id), endResult);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

function readRequest(given: unknown): Request | { id: unknown; error: RpcError } {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, 'id')) {
    return { id: null, error: rpcError.invalidRequest() };
  }
  const { id, jsonrpc, method, params } = given as Record<string, unknown>;
  const isId = id === null || typeof id === 'string' || typeof id === 'number';
  if (!isId) return { id: null, error: rpcError.invalidRequest() };
  if (jsonrpc !== '2.0' || typeof method !== 'string') return { id, error: rpcError.invalidRequest() };
  // Parameters have no names: others than a list are none, as at the relay.
  return { id, method, params: Array.isArray(params) ? params : [] };
}

const maxNameShown = 100;

function toUnknown(name: string): RpcError {
  if (name.startsWith('engine_')) return rpcError.unsupportedMethod();
  if (/^(?:trace|debug)_/.test(name)) return rpcError.laterMethod();
  return rpcError.unknownMethod(name.slice(0, maxNameShown));
}

/** Of an error that is an answer, as of a relay, which is another's. */
function outcomeOf(refusal: RpcError): Outcome {
  return refusal.code === busyCode || refusal.code === overShareCode ? 'refused' : 'answered';
}

function toSingle(outcome: Result): RpcAnswer {
  return { status: 'error' in outcome ? httpStatusOf(outcome.error) : 200, body: write(outcome) };
}

function begin(id: unknown): string {
  return beginResult(JSON.stringify(id));
}

function write(outcome: Result): string {
  if (!('error' in outcome)) return `${begin(outcome.id)}${outcome.text}${endResult}`;
  const id = JSON.stringify(outcome.id);
  const { code, message, data } = outcome.error;
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`;
}
