// The kinds of parameters.
import { type Kind, objectOf, optional } from './kind.ts';

/** Which block is meant. A hash is 64 hex digits, in lower case. */
export type BlockReference =
  | { kind: 'newest' }
  | { kind: 'number'; number: bigint; text: string }
  | { kind: 'hash'; hash: string };

const expectedHex = 'Expected 0x prefixed hexadecimal value';
export const expectedHash = 'Expected 0x prefixed string representing the hash (32 bytes)';
const expectedAddress = 'Expected 0x prefixed string representing the address (20 bytes)';

function ofText<T>(error: string, form: RegExp, read: (text: string) => T): Kind<T> {
  return { error, read: (value) => (typeof value === 'string' && form.test(value) ? read(value) : undefined) };
}

const toBytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex');
const toDigits = (text: string): string => text.slice(2).toLowerCase();

export const address = ofText(expectedAddress, /^0[xX][a-fA-F0-9]{40}$/, toBytes);
export const hexText = ofText(expectedHex, /^0[xX][a-fA-F0-9]*$/, (text) => `0x${toDigits(text)}`);
/** null = a number without digits. */
export const hexAmount = ofText(expectedHex, /^0[xX][a-fA-F0-9]{0,64}$/, (text) =>
  text.length === 2 ? null : BigInt(`0x${toDigits(text)}`),
);
export const hexNumber = ofText(expectedHex, /^0[xX][a-fA-F0-9]{1,64}$/, (text) => BigInt(`0x${toDigits(text)}`));
export const slot = { ...hexNumber, error: expectedHash };
/** Of any length, in whole bytes. */
export const bytes = ofText(`${expectedHex} with even length`, /^0[xX](?:[a-fA-F0-9]{2})*$/, toBytes);
export const transactionHash = ofText(`Expected ${expectedHash} of a transaction`, /^0[xX][a-fA-F0-9]{64}$/, toBytes);
export const blockHash = ofText(
  `Expected ${expectedHash} of a block`,
  /^0[xX][a-fA-F0-9]{64}$/,
  (text): BlockReference => ({ kind: 'hash', hash: toDigits(text) }),
);

export const boolean: Kind<boolean> = {
  error: 'Expected boolean type',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};

const newestTags = ['latest', 'pending', 'safe', 'finalized'];

/** A block is never taken back: the newest one is final. */
export const blockNumber: Kind<BlockReference> = {
  error: 'Expected 0x prefixed hexadecimal block number, or the string "latest", "earliest" or "pending"',
  read(value) {
    if (typeof value !== 'string') return undefined;
    if (newestTags.includes(value)) return { kind: 'newest' };
    if (value === 'earliest') return { kind: 'number', number: 0n, text: value };
    if (!/^0[xX](?:[1-9A-Fa-f][0-9A-Fa-f]{0,13}|0)$/.test(value)) return undefined;
    const number = BigInt(value);
    return number > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : { kind: 'number', number, text: value };
  },
};

/** At most four positions; null = any topic. */
const topics: Kind<(readonly Buffer[])[]> = {
  error: `Expected an array or array of arrays containing ${expectedHash} of a topic`,
  read(value) {
    if (!Array.isArray(value) || value.length > 4) return undefined;
    const read: Buffer[][] = [];
    for (const position of value) {
      const given: unknown[] = Array.isArray(position) ? position : [position];
      if (given.length > maxAlternatives) return undefined;
      // One alternative that is anything makes the others needless.
      if (given.includes(null)) {
        read.push([]);
        continue;
      }
      const alternatives = given.map((one) => (typeof one === 'string' && topicForm.test(one) ? toBytes(one) : null));
      if (alternatives.some((one) => one === null)) return undefined;
      read.push(alternatives as Buffer[]);
    }
    return read;
  },
};

const topicForm = /^0[xX][a-fA-F0-9]{64}$/;
const maxAlternatives = 100;

const addresses: Kind<readonly Buffer[]> = {
  error: `${expectedAddress} or an array of addresses`,
  read(value) {
    if (typeof value === 'string') {
      const one = address.read(value);
      return one && [one];
    }
    if (!Array.isArray(value)) return undefined;
    const all = value.map((one) => address.read(one));
    return all.includes(undefined) ? undefined : (all as Buffer[]);
  },
};

export const logFilter = objectOf(
  'FilterObject',
  { blockHash, fromBlock: blockNumber, toBlock: blockNumber, address: optional(addresses), topics: optional(topics) },
  { error: 'Expected FilterObject', isClosed: true },
);

/** Of a subscription. */
export const subscribedLogs = objectOf(
  'EthSubscribeLogsParamsObject',
  { address: optional(addresses), topics: optional(topics) },
  { error: 'Expected EthSubscribeLogsParamsObject', isClosed: true },
);

const maxPercentiles = 100;
export const rewardPercentiles: Kind<number[]> = {
  error: `Expected an array of up to ${maxPercentiles} numbers, each between 0 and 100`,
  read: (value) =>
    Array.isArray(value) &&
    value.length <= maxPercentiles &&
    value.every((one) => typeof one === 'number' && one >= 0 && one <= 100)
      ? value
      : undefined,
};

const tracers = ['callTracer', 'opcodeLogger', 'prestateTracer'] as const;
type Tracer = (typeof tracers)[number];
const tracer: Kind<Tracer> = {
  error: 'Expected TracerType',
  read: (value) => tracers.find((name) => name === value),
};

/** Other members are ignored, as the relay does: clients send what geth knows. */
const ofTracer = { enableMemory: boolean, disableStack: boolean, disableStorage: boolean };
export const tracerOptions = objectOf(
  'TracerConfigWrapper',
  {
    tracer,
    tracerConfig: objectOf('TracerConfig', { ...ofTracer, onlyTopCall: boolean }, { error: 'Expected TracerConfig' }),
    ...ofTracer,
  },
  { error: 'Expected TracerConfigWrapper which contains a valid TracerType and/or TracerConfig' },
);
