// Timestamps: int64 nanoseconds since the epoch as bigint, and their texts: `S.NNNNNNNNN` in answers, an instant with
// underscores in file names. Values beyond int64 saturate, as the ledger's tables have them.
import { intField } from '../wire-writer.ts';
import { type proto, toBigInt } from './hapi.ts';

export const maxTimestamp = 9_223_372_036_854_775_807n;
export const minTimestamp = -9_223_372_036_854_775_808n;
const nanosPerSecond = 1_000_000_000n;
const nanosPerDay = 86_400n * nanosPerSecond;

/** A HAPI Timestamp → ns, saturated to int64. */
export function toTimestamp(message: proto.ITimestamp): bigint {
  const timestamp = toBigInt(message.seconds) * nanosPerSecond + BigInt(message.nanos ?? 0);
  if (timestamp > maxTimestamp) return maxTimestamp;
  return timestamp < minTimestamp ? minTimestamp : timestamp;
}

/** ns → serialized Timestamp. */
export function toTimestampMessage(timestamp: bigint): Buffer {
  return Buffer.concat([intField(1, timestamp / nanosPerSecond), intField(2, timestamp % nanosPerSecond)].flat());
}

/** ns → `S.NNNNNNNNN`. */
export function formatTimestamp(timestamp: bigint): string {
  const magnitude = timestamp < 0n ? -timestamp : timestamp;
  const digits = magnitude.toString().padStart(10, '0');
  return `${timestamp < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** Whole UTC days since the epoch. */
export function epochDay(timestamp: bigint): bigint {
  return (timestamp - floorRemainder(timestamp, nanosPerDay)) / nanosPerDay;
}

/** ns → `2022-07-13T08_46_11.304284003Z`, always with nine digits. */
export function formatInstant(timestamp: bigint): string {
  const nanos = floorRemainder(timestamp, nanosPerSecond);
  const date = new Date(Number((timestamp - nanos) / 1_000_000n));
  return `${date.toISOString().slice(0, 19).replaceAll(':', '_')}.${nanos.toString().padStart(9, '0')}Z`;
}

/** ns → `2022-07-13T08:46:11Z`, for people: the second it lies in. */
export function formatSecond(timestamp: bigint): string {
  return `${formatInstant(timestamp).slice(0, 19).replaceAll('_', ':')}Z`;
}

/** The instant of a file name, with 0 to 9 digits behind the seconds → ns. Throws RangeError. */
export function parseInstant(text: string): bigint {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d)_(\d\d)_(\d\d)(?:\.(\d{1,9}))?Z$/.exec(text);
  const milliseconds = match ? Date.parse(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`) : Number.NaN;
  if (!match || Number.isNaN(milliseconds)) throw new RangeError(`Invalid instant "${text}"`);
  return BigInt(milliseconds) * 1_000_000n + BigInt((match[5] ?? '').padEnd(9, '0'));
}

function floorRemainder(value: bigint, divisor: bigint): bigint {
  const remainder = value % divisor;
  return remainder < 0n ? remainder + divisor : remainder;
}
