// Errors that JSON-RPC clients get: code and text in one table, equal to those of the Hiero JSON-RPC relay, and the
// HTTP status of each (docs/reference/json-rpc.md, Errors).

import { type Cause, causeOf } from '../../../../packages/kit/shares/cause.ts';

export class RpcError extends Error {
  readonly code: number;
  /** Bytes that a contract reverted with, as hex; of another server's error whatever that says. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** One transaction cannot be traced, whatever others can. */
export class Untraceable extends RpcError {}

/** What ran, and ended without its own will. */
class Halted extends RpcError {}

/** Nothing is wrong with the question: it can be asked again. */
class Unavailable extends RpcError {}

const error = (code: number, message: string): RpcError => new RpcError(code, message);

const failed = 'Error occurred during transaction simulation';
/** Behind what the relay says: clients look for these words, and ask for less. */
const wideRange = 'block range too large';

export const rpcError = {
  parse: () => error(-32700, 'Parse error'),
  invalidRequest: () => error(-32600, 'Invalid Request'),
  unknownMethod: (name: string) => error(-32601, `Method ${name} not found`),
  /** `reason`: why, in a sentence behind the relay's text. */
  unsupportedMethod: (reason?: string) =>
    error(-32601, `Unsupported JSON-RPC method${reason === undefined ? '' : `: ${reason}`}`),
  laterMethod: () => error(-32601, 'Not yet implemented'),
  tooManyParameters: () => error(-32602, 'Invalid params'),
  missingParameter: (place: number | string) => error(-32602, `Missing value for required parameter ${place}`),
  invalidParameter: (place: number | string, text: string) => error(-32602, `Invalid parameter ${place}: ${text}`),
  internal: (text: string) => error(-32603, `Error invoking RPC: ${text}`),
  unavailable: () => new Unavailable(-32603, 'Error invoking RPC: Service unavailable'),
  busy: () => error(busyCode, 'Request timeout. Please try again.'),
  /** As EIP-1474 numbers it. */
  overShare: () => error(overShareCode, 'Limit exceeded: your network has its share. Try again in a second.'),
  reverted: (reason: string, data: string) =>
    new RpcError(revertCode, reason === '' ? 'execution reverted' : `execution reverted: ${reason}`, data),
  failedSimulation: (text: string) => error(-32000, `${failed}: ${text}`),
  /** `end`: as nodes of Ethereum name it. */
  halted: (status: string, end: string) => new Halted(-32000, `${failed}: ${status}: ${end}`),
  /** Of a question to a contract: as the relay says it of the mirror node that it asks. */
  throttled: (text: string) => upstream(429, text),
  notSimulated: (text: string) => upstream(501, text),
  tooManyBlocks: (max: bigint) => error(-32000, `Exceeded maximum block range: ${max}: ${wideRange}`),
  tooManyLogs: (max: number) => error(-32000, `Exceeded maximum number of logs: ${max}: ${wideRange}`),
  longLogs: (max: number) => error(-32000, `Exceeded maximum size of logs: ${max} bytes: ${wideRange}`),
  longBatch: (max: number) =>
    error(-32000, `The answers of the batch are longer than ${max} bytes; ask in smaller batches`),
  longAnswer: (max: number) =>
    error(-32000, `The answer is longer than ${max} bytes, the most that a web socket gets; ask over HTTP`),
  tooManyAddresses: (max: number) => error(-32000, `Exceeded maximum number of addresses: ${max}`),
  tooManyActions: (max: number) => error(-32000, `Exceeded maximum number of calls in a trace: ${max}`),
  longTraces: (max: number) => error(-32000, `Exceeded maximum size of the calls of an answer: ${max} bytes`),
  longTraceText: (max: number) => error(-32000, `Exceeded maximum size of the traces of an answer: ${max} bytes`),
  longSearch: () =>
    error(-32000, 'Too many calls and logs of the address have to be looked through; begin at another block'),
  tooManyTraced: (max: number) =>
    error(-32000, `Exceeded maximum number of transactions of a search for traces: ${max}`),
  tooManyReruns: (max: number) =>
    error(-32000, `Exceeded maximum number of transactions of a block that are run again: ${max}`),
  /** `parts`: what is not as the ledger has it. */
  otherRun: (parts: string) =>
    new Untraceable(-32000, `The transaction does not end as the ledger says when it is run again: ${parts} differ`),
  largeBlock: (count: bigint) => error(-32000, `Exceeded max transactions that can be returned in a block: ${count}`),
  beyondHead: (asked: bigint, head: bigint) =>
    error(-32000, `Request beyond head block: requested ${asked}, head ${head}`),
  noBlockNamed: () => error(-32000, 'Invalid arguments: neither block nor hash specified'),
  notFound: (text: string) => error(-32001, `Requested resource not found. ${text}`),
  unknownFilter: () => error(-32001, 'Filter not found'),
  notInBatch: (name: string) => error(-32007, `Method ${name} is not permitted as part of batch requests`),
  missingFromBlock: () => error(-32011, 'Provided toBlock parameter without specifying fromBlock'),
  invalidContractAddress: (address: string, length: number) =>
    error(-32012, `Invalid Contract Address: ${address}. Expected length of 42 chars but was ${length}.`),
  largeBatch: (count: number, max: number) => error(-32203, `Batch request amount ${count} exceeds max ${max}`),
  noNewestBlock: () => error(-32607, 'Error encountered retrieving latest block'),
  tooManySubscriptions: () => error(-32608, 'Exceeded maximum allowed subscriptions'),
  onlyReading: (text: string) => error(-32610, `Unsupported operation. ${text}`),
  unknownBlock: (text?: string) => error(-39012, text ?? 'Unknown block'),
  invalidBlockRange: () => error(-39013, 'Invalid block range'),
};

/** Of what ended a request; the reason of a defect is in the log alone. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const cause = causeOf(error);
  return cause === null ? rpcError.internal('Internal error') : errorOf[cause]();
}

const errorOf: Record<Cause, () => RpcError> = {
  overShare: rpcError.overShare,
  overloaded: rpcError.busy,
  timeout: rpcError.unavailable,
  unavailable: rpcError.unavailable,
};

function upstream(status: number, text: string): RpcError {
  return new RpcError(upstreamCode, `Mirror node upstream failure: statusCode=${status}, message=${text}`, status);
}

export const revertCode = 3;
const upstreamCode = -32020;
/** A relay's own errors have others, too. */
const upstreamStatuses: ReadonlySet<unknown> = new Set([429, 501]);
export const busyCode = -32010;
export const overShareCode = -32005;

/** Those that differ from 400. */
const statuses: ReadonlyMap<number, number> = new Map([
  [revertCode, 200],
  [-32603, 500],
  [overShareCode, 429],
  [-32605, 429],
  // Others answer at once: this server cannot now.
  [busyCode, 503],
]);

/** Of an answer that is one error. */
export function httpStatusOf(error: RpcError): number {
  const { code, data } = error;
  if (error instanceof Halted) return 200;
  if (error instanceof Unavailable) return 503;
  if (code === upstreamCode && upstreamStatuses.has(data)) return data as number;
  return statuses.get(code) ?? 400;
}
