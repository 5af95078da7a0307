// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, and are compared as a whole
export type Answer = any;

/** JSON with every number as bigint. */
export function parseExact(text: string): Answer {
  const revive = (_name: string, value: unknown, { source }: { source: string }): unknown =>
    typeof value === 'number' ? BigInt(source) : value;
  return JSON.parse(text, revive as (name: string, value: unknown) => unknown);
}
