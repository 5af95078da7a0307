// Every refusal that a client can get: status and sentence in one table. Any other thrown error is a defect of this
// program, and its message is never sent to a client.

import { type Cause, CausedError, causeOf } from '../kit/shares/cause.ts';
import type { Outcome } from '../kit/shares/client-outcomes.ts';

type Data = Record<string, string | number | undefined>;

/** Sentences of refusals with 400; `{name}` is replaced by the refusal's value of that name. */
const badRequests = {
  invalidParameter: 'Invalid parameter: {name}',
  unknownParameter: 'Unknown query parameter: {name}',
  tooManyValues: 'Parameter values count exceeds maximum number allowed: {name} count: {count} max: {max}',
  invalidUsage: 'Invalid parameter usage: {name} - {text}',
  /** The mirror node has a sentence for each list. */
  notEqual: '{sentence}',
  repeatedCondition: 'Only one {operator} operator is allowed for {name}',
  severalRanges: 'Multiple range params not allowed for {name}',
  rangeAndEqual: "Can't support both range and equal for {name}",
  missingPrimary: '{name} without a {primary} parameter filter',
  missingOperator: '{name} must have {operators} operator',
  idIsNoText: 'Entity ID "{id}" is not a string',
  invalidEntityId: 'Invalid entity ID "{id}"',
  invalidTransactionId:
    'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
  topicsWithoutRange: 'Cannot search topics without a valid timestamp range: {text}',
  repeatedParameter: 'Only one {name} filter is allowed',
  invalidHbar: "Invalid hbar parameter value: {value}. Must be 'true' or 'false'",
  limitTooSmall: 'limit must be greater than 0',
  limitTooLarge: 'limit must be less than or equal to {max}',
  tooManyConditions: '{given} size must be between 0 and {max}',
  missingBody: 'Failed to read request',
  unreadableTransaction: 'Unable to parse transaction',
  transactionWithoutBody: 'Transaction must contain body bytes or signed transaction bytes',
  unknownTransactionType: 'Unknown transaction type',
  throttleTooSmall: 'highVolumeThrottle must be greater than or equal to 0',
  throttleTooLarge: 'highVolumeThrottle must be less than or equal to 10000',
  repeatedValue: 'Only a single instance is supported for {name}',
  onlyEqual: 'Only equality operator is supported for {name}',
  numberTooSmall: '{name} must be greater than or equal to 0',
  invalidRange: 'Invalid range provided for {name}',
  nameAndToken: 'token.id and name can not be used together. Use a more specific name instead.',
  nameAndAccount: 'account.id and name cannot be used together',
  malformedRequest: 'Bad request',
  malformedQuery: '{text}',
  /** Of the body of a call. */
  invalidCall: '{text}',
  /** A contract failed; `message` is the name of the status. */
  callFailed: '{message}',
};

/** The others: status, sentence, and seconds until a retry if that may help. */
const otherRefusals = {
  invalidCredentials: [401, 'Invalid credentials'],
  hostNotAllowed: [403, 'This service may not be asked by the name {host}; --allowed-hosts says by which names it may'],
  originNotAllowed: [403, 'Pages of {origin} may not ask for this here; --allowed-origins says whose pages may'],
  /** `sentence`: the specific one, where the mirror node answers from Java. */
  notFound: [404, 'Not found'],
  noMatchingAlias: [404, 'No account with a matching alias found'],
  emptyTimestampRange: [404, 'Timestamp range is empty'],
  methodNotAllowed: [405, "Request method '{method}' is not supported"],
  notAcceptable: [406, '{text}'],
  requestTimeout: [408, 'Request timeout'],
  bodyTooLarge: [413, 'The body is larger than any transaction'],
  notJson: [415, "Content-Type '{type}' is not JSON: send application/json"],
  unsupportedMediaType: [415, "Content-Type '{type}' is not supported"],
  callThrottled: [429, '{text}', 1],
  callFiltered: [429, '{text}'],
  shareHeld: [429, 'Your network holds its share of {what}. Try again in a few seconds.', 5],
  overShare: [429, 'Your network has its share of the requests that are worked on. Try again in a second.', 1],
  tooManyRequests: [429, 'More than {max} requests in {seconds} seconds'],
  headTooLarge: [431, 'Request header fields too large'],
  internal: [500, 'Internal error'],
  callLost: [500, 'The thread that ran the call was lost, and is replaced'],
  notSimulated: [501, '{text}'],
  notPriced: [501, 'The price of a transaction of the type {type} cannot be computed exactly here'],
  noProof: [501, '{reason}'],
  noProofNow: [503, '{reason}', 5],
  unavailable: [503, 'Service unavailable', 5],
  overloaded: [503, 'More requests than can be answered. Try again in a second.', 1],
  allHeld: [503, 'All {what} are held. Try again in a few seconds.', 5],
  tooManyConnections: [503, 'Too many open connections. Try again in a few seconds.', 5],
  /** `elsewhere`: a further sentence, or empty. */
  httpVersionNotSpoken: [505, 'This port speaks HTTP/1.1, not HTTP/2.{elsewhere}'],
} as const satisfies Record<string, RefusalRule>;

type RefusalRule = readonly [status: number, sentence: string, retryAfterSeconds?: number];

const badRequestRules = Object.entries(badRequests).map(([code, text]): [string, RefusalRule] => [code, [400, text]]);
const refusals: Readonly<Record<string, RefusalRule>> = { ...Object.fromEntries(badRequestRules), ...otherRefusals };

export type RefusalCode = keyof typeof badRequests | keyof typeof otherRefusals;
export type Refusal = { code: RefusalCode; data?: Data };

/** Those with 5xx that are no fault of the service, as the status page counts them. */
const outcomes: Partial<Record<RefusalCode, Outcome>> = {
  noProofNow: 'answered',
  overloaded: 'refused',
  allHeld: 'refused',
  overShare: 'refused',
  shareHeld: 'refused',
  tooManyConnections: 'refused',
  httpVersionNotSpoken: 'answered',
};

const notImplemented = 501;

export function outcomeOfStatus(status: number): Outcome {
  return status < 500 || status === notImplemented ? 'answered' : 'failed';
}

export class RequestError extends CausedError {
  readonly status: number;
  readonly messages: string[];
  /** When to retry, if that may help. */
  readonly retryAfterSeconds: number | undefined;
  readonly outcome: Outcome;
  readonly causedBy: Cause | null;

  readonly found: readonly Refusal[];

  /** All refusals of one answer share the status of the first. */
  constructor(found: readonly Refusal[]) {
    const messages = found.map(textOf);
    super(messages.join('; '));
    this.name = 'RequestError';
    const [status, , retryAfterSeconds] = refusals[found[0]!.code]!;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.outcome = outcomes[found[0]!.code] ?? outcomeOfStatus(status);
    this.causedBy = causes[found[0]!.code] ?? null;
    this.messages = messages;
    this.found = found;
  }
}

export function textOf({ code, data = {} }: Refusal): string {
  return refusals[code]![1].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(data[name]));
}

/** Those that name what else is asked as the reason. */
const causes: Partial<Record<RefusalCode, Cause>> = {
  overloaded: 'overloaded',
  allHeld: 'overloaded',
  overShare: 'overShare',
  shareHeld: 'overShare',
};

/** The refusal for what ended a request; `internal` for a defect. */
export function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const cause = causeOf(error);
  return refuse(cause === null ? 'internal' : refusalOf[cause]);
}

const refusalOf: Record<Cause, RefusalCode> = {
  overShare: 'overShare',
  overloaded: 'overloaded',
  timeout: 'unavailable',
  unavailable: 'unavailable',
};

export function refuse(code: RefusalCode, data?: Data): RequestError {
  return new RequestError([{ code, data }]);
}

export function formatErrorBody(messages: string[]): string {
  return JSON.stringify({ _status: { messages: messages.map((message) => ({ message })) } });
}
