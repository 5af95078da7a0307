// Every refusal that a client can get: status and sentence in one table. Anything thrown that is not a RequestError is a
// defect of this program, and its message is never sent to a client.

type Data = Record<string, string | number | undefined>;

type RefusalRule = { status: number; text: (data: Data) => string; retryAfterSeconds?: number };

const refusals = {
  invalidParameter: { status: 400, text: ({ name }: Data) => `Invalid parameter: ${name}` },
  unknownParameter: { status: 400, text: ({ name }: Data) => `Unknown query parameter: ${name}` },
  tooManyValues: {
    status: 400,
    text: ({ name, count, max }: Data) =>
      `Parameter values count exceeds maximum number allowed: ${name} count: ${count} max: ${max}`,
  },
  invalidUsage: { status: 400, text: ({ name, text }: Data) => `Invalid parameter usage: ${name} - ${text}` },
  notEqualCondition: {
    status: 400,
    text: ({ name }: Data) => `Not equal (ne) operator is not supported for ${name}`,
  },
  repeatedCondition: {
    status: 400,
    text: ({ name, operator }: Data) => `Only one ${operator} operator is allowed for ${name}`,
  },
  notEqualComparison: {
    status: 400,
    text: ({ name }: Data) => `Not equal (ne) comparison operator is not supported for ${name}`,
  },
  notEqualsCondition: {
    status: 400,
    text: ({ name }: Data) => `Not equals (ne) operator is not supported for ${name}`,
  },
  notEqualsComparison: { status: 400, text: () => 'Not equals (ne) comparison operator is not supported' },
  severalRanges: { status: 400, text: ({ name }: Data) => `Multiple range params not allowed for ${name}` },
  rangeAndEqual: { status: 400, text: ({ name }: Data) => `Can't support both range and equal for ${name}` },
  missingPrimary: {
    status: 400,
    text: ({ name, primary }: Data) => `${name} without a ${primary} parameter filter`,
  },
  missingOperator: { status: 400, text: ({ name, operators }: Data) => `${name} must have ${operators} operator` },
  idIsNoText: { status: 400, text: ({ id }: Data) => `Entity ID "${id}" is not a string` },
  invalidEntityId: { status: 400, text: ({ id }: Data) => `Invalid entity ID "${id}"` },
  invalidTransactionId: {
    status: 400,
    text: () =>
      'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds',
  },
  topicsWithoutRange: {
    status: 400,
    text: ({ text }: Data) => `Cannot search topics without a valid timestamp range: ${text}`,
  },
  repeatedParameter: { status: 400, text: ({ name }: Data) => `Only one ${name} filter is allowed` },
  invalidHbar: {
    status: 400,
    text: ({ value }: Data) => `Invalid hbar parameter value: ${value}. Must be 'true' or 'false'`,
  },
  limitTooSmall: { status: 400, text: () => 'limit must be greater than 0' },
  limitTooLarge: { status: 400, text: ({ max }: Data) => `limit must be less than or equal to ${max}` },
  tooManyConditions: { status: 400, text: ({ given, max }: Data) => `${given} size must be between 0 and ${max}` },
  missingBody: { status: 400, text: () => 'Failed to read request' },
  unreadableTransaction: { status: 400, text: () => 'Unable to parse transaction' },
  transactionWithoutBody: {
    status: 400,
    text: () => 'Transaction must contain body bytes or signed transaction bytes',
  },
  unknownTransactionType: { status: 400, text: () => 'Unknown transaction type' },
  throttleTooSmall: { status: 400, text: () => 'highVolumeThrottle must be greater than or equal to 0' },
  throttleTooLarge: { status: 400, text: () => 'highVolumeThrottle must be less than or equal to 10000' },
  bodyTooLarge: { status: 413, text: () => 'The body is larger than any transaction' },
  unsupportedMediaType: { status: 415, text: ({ type }: Data) => `Content-Type '${type}' is not supported` },
  notPriced: {
    status: 501,
    text: ({ type }: Data) => `The price of a transaction of the type ${type} cannot be told exactly here`,
  },
  repeatedValue: { status: 400, text: ({ name }: Data) => `Only a single instance is supported for ${name}` },
  onlyEqual: { status: 400, text: ({ name }: Data) => `Only equality operator is supported for ${name}` },
  numberTooSmall: { status: 400, text: ({ name }: Data) => `${name} must be greater than or equal to 0` },
  invalidRange: { status: 400, text: ({ name }: Data) => `Invalid range provided for ${name}` },
  nameAndToken: {
    status: 400,
    text: () => 'token.id and name can not be used together. Use a more specific name instead.',
  },
  nameAndAccount: { status: 400, text: () => 'account.id and name cannot be used together' },
  malformedRequest: { status: 400, text: () => 'Bad request' },
  malformedQuery: { status: 400, text: ({ text }: Data) => `${text}` },
  invalidCredentials: { status: 401, text: () => 'Invalid credentials' },
  /** `sentence`: what exactly, where the mirror node answers from Java. */
  notFound: { status: 404, text: () => 'Not found' },
  noMatchingAlias: { status: 404, text: () => 'No account with a matching alias found' },
  emptyTimestampRange: { status: 404, text: () => 'Timestamp range is empty' },
  methodNotAllowed: { status: 405, text: ({ method }: Data) => `Request method '${method}' is not supported` },
  requestTimeout: { status: 408, text: () => 'Request timeout' },
  tooManyRequests: {
    status: 429,
    text: ({ max, seconds }: Data) => `More than ${max} requests in ${seconds} seconds`,
  },
  headTooLarge: { status: 431, text: () => 'Request header fields too large' },
  internal: { status: 500, text: () => 'Internal error' },
  notServed: {
    status: 501,
    text: ({ path }: Data) => `This mirror does not serve ${path} yet; a mirror node of Hiero does`,
  },
  unavailable: { status: 503, text: () => 'Service unavailable', retryAfterSeconds: 5 },
  overloaded: {
    status: 503,
    text: () => 'More requests than can be answered. Try again in a second.',
    retryAfterSeconds: 1,
  },
  tooManyConnections: {
    status: 503,
    text: () => 'Too many open connections. Try again in a few seconds.',
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, RefusalRule>;

export type RefusalCode = keyof typeof refusals;
export type Refusal = { code: RefusalCode; data?: Data };

export class RequestError extends Error {
  readonly status: number;
  readonly messages: string[];
  /** When to ask again, where that may help. */
  readonly retryAfterSeconds: number | undefined;

  readonly found: readonly Refusal[];

  /** All refusals of one answer share the status of the first. */
  constructor(found: readonly Refusal[]) {
    const messages = found.map(textOf);
    super(messages.join('; '));
    this.name = 'RequestError';
    const { status, retryAfterSeconds }: RefusalRule = refusals[found[0]!.code];
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.messages = messages;
    this.found = found;
  }
}

export function textOf({ code, data = {} }: Refusal): string {
  return refusals[code].text(data);
}

export function refuse(code: RefusalCode, data?: Data): RequestError {
  return new RequestError([{ code, data }]);
}

export function formatErrorBody(messages: string[]): string {
  return JSON.stringify({ _status: { messages: messages.map((message) => ({ message })) } });
}
