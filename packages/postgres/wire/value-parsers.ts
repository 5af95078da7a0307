// PostgreSQL's texts → values, without loss: every exact value stays exact.
import pg from 'pg';
import type { JsonValue, TimestampRange } from './values.ts';

/** In the form `pg` takes as its option `types`. */
export const valueParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text')) as never,
};

/** Integers beyond ±2^53 become bigint, others stay number. */
export function parseJson(text: string): JsonValue {
  if (!longInteger.test(text)) return JSON.parse(text) as JsonValue;
  return JSON.parse(text, keepExact as never) as JsonValue;
}

/** `[from,to)` or `[from,)`; null for the empty range. */
export function parseRange(text: string): TimestampRange | null {
  const match = /^\[(-?\d+),(-?\d*)\)$/.exec(text);
  return match ? { from: BigInt(match[1]!), to: match[2] ? BigInt(match[2]) : null } : null;
}

const parsers: Record<number, (text: string) => unknown> = {
  20: BigInt,
  114: parseJson,
  1016: parseBigintArray,
  1700: (text) => text,
  3802: parseJson,
  3926: parseRange,
};

const longInteger = /\d{16}/;

function keepExact(_name: string, value: unknown, { source }: { source: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

function parseBigintArray(text: string): (bigint | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((part) => (part === 'NULL' ? null : BigInt(part)));
}
