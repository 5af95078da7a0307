// A lexicographic bound on several sort keys, as SQL: the rows from one combination of keys on, or up to one.
import { int64 } from './statement-parts.ts';

export type BoundPart = { code: string; sql(columns: readonly string[]): string };

/** ` and …`; pushes its values. `bounds` are inclusive and of any size, the most significant first. */
export function toBoundPart(side: 'from' | 'to', bounds: readonly bigint[], values: unknown[]): BoundPart {
  const beyond = bounds.findIndex((bound) => bound < int64.min || bound > int64.max);
  // No key, or every key, lies beyond such a bound: the keys before it decide.
  const counted = beyond < 0 ? bounds : bounds.slice(0, beyond);
  const isNoKeyLeft = beyond >= 0 && (side === 'from') === bounds[beyond]! > int64.max;
  if (counted.length === 0) return isNoKeyLeft ? { code: '0', sql: () => ' and false' } : { code: '', sql: () => '' };
  const places = counted.map((bound) => `$${values.push(bound)}::int8`);
  const operator = `${side === 'from' ? '>' : '<'}${isNoKeyLeft ? '' : '='}`;
  return {
    code: `${side[0]}${counted.length}${isNoKeyLeft ? 's' : ''}`,
    sql: (columns) => ` and ${row(columns.slice(0, counted.length))} ${operator} ${row(places)}`,
  };
}

function row(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(', ')})`;
}
