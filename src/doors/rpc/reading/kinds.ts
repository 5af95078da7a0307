// The kinds of parameters.
import { type Kind, objectOf } from './kind.ts';

/** Which block is meant. A hash is 64 hex digits, in lower case. */
export type BlockReference =
  | { kind: 'newest' }
  | { kind: 'number'; number: bigint; text: string }
  | { kind: 'hash'; hash: string };

const expectedHex = 'Expected 0x prefixed hexadecimal value';
export const ofHash = '0x prefixed string representing the hash (32 bytes)';
const expectedHash = `Expected ${ofHash}`;
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
export type SlotsOfAccount = { account: Buffer; slots: bigint[] };

/** As many as a batch may ask one by one. */
const maxSlots = 100;
export const slotsByAddress: Kind<SlotsOfAccount[]> = {
  error: `Expected an object of up to ${maxSlots} slots, each ${ofHash}, in lists by address`,
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const read: SlotsOfAccount[] = [];
    let count = 0;
    for (const [name, list] of Object.entries(value)) {
      const account = address.read(name);
      if (!account || !Array.isArray(list)) return undefined;
      count += Math.max(list.length, 1);
      if (count > maxSlots) return undefined;
      const slots = list.map((one) => slot.read(one));
      if (slots.includes(undefined)) return undefined;
      read.push({ account, slots: slots as bigint[] });
    }
    return read;
  },
};
/** Of any length, in whole bytes. */
export const bytes = ofText(`${expectedHex} with even length`, /^0[xX](?:[a-fA-F0-9]{2})*$/, toBytes);
export const transactionHash = ofText(`${expectedHash} of a transaction`, /^0[xX][a-fA-F0-9]{64}$/, toBytes);
export const blockHash = ofText(
  `${expectedHash} of a block`,
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
  error: `Expected an array or array of arrays, each ${ofHash} of a topic`,
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
  { blockHash, fromBlock: blockNumber, toBlock: blockNumber, address: addresses, topics },
  { error: 'Expected FilterObject', isClosed: true },
);

/** Of a subscription. */
export const subscribedLogs = objectOf(
  'EthSubscribeLogsParamsObject',
  { address: addresses, topics },
  { error: 'Expected EthSubscribeLogsParamsObject', isClosed: true },
);

/** Of a subscription; other members are ignored, as geth and the relay do. */
export const subscribedHeads = objectOf(
  'EthSubscribeNewHeadsParamsObject',
  { includeTransactions: boolean },
  { error: 'Expected EthSubscribeNewHeadsParamsObject' },
);

const maxPercentiles = 100;
export const rewardPercentiles: Kind<number[]> = {
  error: `Expected an array of up to ${maxPercentiles} numbers between 0 and 100, none below the one before`,
  read: (value) =>
    Array.isArray(value) &&
    value.length <= maxPercentiles &&
    value.every((one, place) => typeof one === 'number' && one >= (place > 0 ? value[place - 1] : 0) && one <= 100)
      ? value
      : undefined,
};
