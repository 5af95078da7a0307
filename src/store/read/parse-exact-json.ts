// JSON text of a jsonb column → values, integers as bigint and exact: ids and amounts may pass 2^53.
import type { JsonValue } from '../schema/table.ts';

type ReviverContext = { source?: string };

/** Every integer becomes a bigint; other numbers stay numbers. null stays null. */
export function parseExactJson(text: string | null): JsonValue {
  if (text === null) return null;
  const reviver = (_name: string, value: unknown, context?: ReviverContext) => {
    if (typeof value !== 'number') return value;
    const source = context?.source ?? String(value);
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, reviver as (name: string, value: unknown) => unknown) as JsonValue;
}
