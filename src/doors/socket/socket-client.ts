// One web socket: its requests one after the other, and its subscriptions.
import { promisify } from 'node:util';
import { gunzip as gunzipAside } from 'node:zlib';
import type { WebSocket } from 'ws';
import { isOverload } from '../../../packages/kit/shares/cause.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import { RequestError } from '../../../packages/web-server/request-error.ts';
import type { RpcAnswer, RpcAnswerer } from '../rpc/answer-rpc.ts';
import type { RpcContext } from '../rpc/reading/context.ts';
import { subscribedHeads, subscribedLogs } from '../rpc/reading/kinds.ts';
import { parseRequests, writeId } from '../rpc/reading/request-id.ts';
import { beginResult, endResult, writeError } from '../rpc/terms/envelope.ts';
import { hex } from '../rpc/terms/hex.ts';
import { rpcError, toRpcError } from '../rpc/terms/rpc-error.ts';
import type { HeadInterest, LogInterest, Subscriptions } from './subscriptions.ts';

const gunzip = promisify(gunzipAside);

export type Client = {
  /** Whose share it takes. */
  name: string;
  /** Bytes that were sent and not read. */
  unread(): number;
  /**
   * Those of them that it did not ask for one by one: events, and what was sent before the answer that it reads now.
   */
  unreadEvents(): number;
  /** Whether the answer that it asked for last is not read. */
  owesReading(): boolean;
  /** Whether it was heard since the last time; asks for another sign of life. */
  isAlive(): boolean;
  /** Its subscriptions end. */
  forget(): void;
  /** `code`: null = at once, without a word. */
  end(code: number | null): void;
};

type Options = {
  /** Whose share its requests take. */
  name: string;
  context: RpcContext;
  answerer: RpcAnswerer;
  subscriptions: Subscriptions;
  maxSubscriptions: number;
  /** Bytes of an answer. */
  maxAnswer: number;
  onSent(): void;
  /** One of its subscriptions went to another client. */
  onWithdrawn(): void;
  onFailure(error: unknown): void;
};

export function createSocketClient(socket: WebSocket, options: Options): Client {
  const { name, answerer, subscriptions, maxAnswer, onSent, onWithdrawn, onFailure } = options;
  const own = new Set<string>();
  /** Bytes of the answer that is not read yet. */
  let answering = 0;
  let wasHeard = true;
  let isGone = false;

  socket.on('message', (data: Buffer) => {
    wasHeard = true;
    // The next one is read when this one's answer is: a client that does not read costs one answer.
    socket.pause();
    void answer(data);
  });
  socket.on('pong', () => {
    wasHeard = true;
  });

  return {
    name,
    unread: () => socket.bufferedAmount,
    unreadEvents: () => Math.max(0, socket.bufferedAmount - answering),
    owesReading: () => answering > 0 && socket.bufferedAmount > 0,
    isAlive() {
      const was = wasHeard;
      wasHeard = false;
      if (was && socket.readyState === 1) socket.ping();
      return was;
    },
    forget() {
      isGone = true;
      for (const id of own) subscriptions.remove(id);
      own.clear();
    },
    end(code) {
      if (code === null) socket.terminate();
      else socket.close(code);
    },
  };

  async function answer(data: Buffer): Promise<void> {
    const text =
      (await answerSubscription(data)) ??
      (await textOf(await answerer.answer(data, { client: name }), data, maxAnswer));
    if (isGone) return;
    // A notification has no answer.
    if (text === '') return void socket.resume();
    answering = Buffer.byteLength(text) + frameHead;
    socket.send(text, () => {
      answering = 0;
      socket.resume();
    });
    onSent();
  }

  /** null = it is about something else. A batch cannot subscribe. */
  async function answerSubscription(data: Buffer): Promise<string | null> {
    const request = readSubscription(data);
    if (!request) return null;
    const { id, method, params } = request;
    try {
      const result = method === 'eth_subscribe' ? await runAs(name, () => subscribe(params)) : unsubscribe(params);
      return beginResult(id) + JSON.stringify(result) + endResult;
    } catch (error) {
      const refusal = toRpcError(error);
      if (refusal !== error && !isOverload(error) && !(error instanceof RequestError)) onFailure(error);
      return writeError(id, refusal);
    }
  }

  async function subscribe([what, filter]: readonly unknown[]): Promise<string> {
    if (what === undefined) throw rpcError.missingParameter(0);
    if (own.size >= options.maxSubscriptions) throw rpcError.tooManySubscriptions();
    const interest = await findInterest(options.context, what, filter);
    const later = sendLater(push);
    const id = await subscriptions.add({ client: name, interest, withdraw: onWithdrawn, send: later.send });
    own.add(id);
    if (isGone) subscriptions.remove(id);
    setImmediate(later.begin);
    return id;
  }

  function push(text: string): void {
    if (isGone || socket.readyState !== 1) return;
    socket.send(text);
    onSent();
  }

  function unsubscribe([id]: readonly unknown[]): boolean {
    if (typeof id !== 'string') throw rpcError.missingParameter(0);
    return own.delete(id) && subscriptions.remove(id);
  }
}

/** What happens before the client knows the id of its subscription comes after its answer all the same. */
function sendLater(push: (text: string) => void) {
  let early: string[] | null = [];
  return {
    send(text: string): void {
      if (early) early.push(text);
      else push(text);
    },
    begin(): void {
      const texts = early ?? [];
      early = null;
      for (const text of texts) push(text);
    },
  };
}

/** Bytes before a message, at most. */
const frameHead = 14;

/** One that is too long becomes a refusal. */
async function textOf(answer: RpcAnswer, asked: Buffer, maxBytes: number): Promise<string> {
  const text = 'gzip' in answer ? await expand(answer.gzip, maxBytes) : answer.body;
  if (text !== null && text.length <= maxBytes) return text;
  return writeError(idOf(asked), rpcError.longAnswer(maxBytes));
}

/** null = longer than `max`. */
async function expand(gzip: Buffer, max: number): Promise<string | null> {
  // A gzip file ends with the length of what is in it.
  return gzip.readUInt32LE(gzip.length - 4) > max ? null : (await gunzip(gzip)).toString();
}

/** As JSON, of a request that was answered; null of a batch. */
function idOf(asked: Buffer): string {
  return writeId((parseRequests(asked.toString()) as { id?: unknown }).id) ?? 'null';
}

/** `id`: as JSON. */
type SubscriptionRequest = { id: string; method: 'eth_subscribe' | 'eth_unsubscribe'; params: readonly unknown[] };

function readSubscription(data: Buffer): SubscriptionRequest | null {
  // Every other message is read once.
  if (!data.includes('subscribe')) return null;
  let given: unknown;
  try {
    given = parseRequests(data.toString());
  } catch {
    // It gets the refusal of any text that is no JSON.
    return null;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const { id: ofRequest, jsonrpc, method, params = [] } = given as Record<string, unknown>;
  const id = writeId(ofRequest);
  const isOne = method === 'eth_subscribe' || method === 'eth_unsubscribe';
  if (!isOne || jsonrpc !== '2.0' || id === undefined || !Array.isArray(params)) return null;
  return { id, method, params };
}

const maxAddresses = 100;

/** null = in what never comes: nothing is pending before it has reached consensus, and eth_syncing never changes. */
async function findInterest(
  context: RpcContext,
  what: unknown,
  filter: unknown,
): Promise<LogInterest | HeadInterest | null> {
  if (what === 'newHeads') return toHeadInterest(filter);
  if (what === 'logs') return toInterest(context, filter);
  if (what === 'newPendingTransactions' || what === 'syncing') return null;
  throw rpcError.unsupportedMethod('there are newHeads, logs, newPendingTransactions and syncing');
}

function toHeadInterest(given: unknown): HeadInterest {
  const found = subscribedHeads.read(given ?? {});
  if (!found) throw rpcError.invalidParameter(1, subscribedHeads.error);
  return { isWhole: found.includeTransactions === true };
}

async function toInterest({ ledger }: RpcContext, filter: unknown): Promise<LogInterest> {
  const given = subscribedLogs.read(filter ?? {});
  if (!given) throw rpcError.invalidParameter(1, subscribedLogs.error);
  const { address: addresses, topics = [] } = given;
  if (!addresses || addresses.length === 0) return { contracts: null, topics };
  if (addresses.length > maxAddresses) {
    throw rpcError.invalidParameter('filters.address', `A maximum of ${maxAddresses} contract addresses are allowed`);
  }
  const contracts = new Set<bigint>();
  for (const address of addresses) {
    const entity = await ledger.chain.entityAt(address);
    if (entity?.type !== 'CONTRACT' && entity?.type !== 'TOKEN') {
      const text = `${hex(address)} is not a valid contract or token type or does not exists`;
      throw rpcError.invalidParameter('filters.address', text);
    }
    contracts.add(entity.id);
  }
  return { contracts, topics };
}
