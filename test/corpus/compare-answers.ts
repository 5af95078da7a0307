// Compares JSON values: integers exactly, order of members not at all. Differences are named by their path.
import type { JsonValue } from '../../packages/postgres/wire/values.ts';

/** One sentence for each difference; empty = equal. */
export function differences(expected: JsonValue | undefined, actual: JsonValue | undefined, path = '$'): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const lengths =
      expected.length === actual.length ? [] : [`${path}: ${actual.length} items, expected ${expected.length}`];
    const shared = expected.slice(0, actual.length);
    return [...lengths, ...shared.flatMap((item, i) => differences(item, actual[i], `${path}[${i}]`))];
  }
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) => differences(expected[name], actual[name], `${path}.${name}`));
  }
  if (Object.is(expected, actual)) return [];
  return [`${path}: ${show(actual)}, expected ${show(expected)}`];
}

function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? `${member}n` : member));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
