// JSON text of a jsonb column → values, integers as bigint and exact: ids and amounts may exceed 2^53.
import type { JsonValue } from '../../postgres/wire/values.ts';

type ReviverContext = { source?: string };

/**
 * If nothing matches, every number is an integer that a `number` holds exactly. What precedes one is not part of a
 * text, mostly.
 */
const longOrNoInteger = /(?:^|[:[,])\s*-?\d+(?:(?<=\d{16})|[.eE])/;

/** Every integer becomes a bigint; other numbers stay numbers. null stays null. */
export function parseExactJson(text: string | null): JsonValue {
  if (text === null) return null;
  if (!longOrNoInteger.test(text)) return toBigints(JSON.parse(text) as JsonValue);
  const reviver = (_name: string, value: unknown, context?: ReviverContext) => {
    if (typeof value !== 'number') return value;
    const source = context?.source ?? String(value);
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, reviver as (name: string, value: unknown) => unknown) as JsonValue;
}

/** In place. With one fee it takes 9 thousand instructions; a reviver takes 30. */
function toBigints(value: JsonValue): JsonValue {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = toBigints(value[index]!);
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) value[name] = toBigints(value[name]!);
  }
  return value;
}
