// Follows `links.next` from page to page.
import { expect } from 'vitest';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import type { SimulatedMirror } from './simulated-mirror.ts';

type Walk<K> = {
  dialect: DialectName;
  url: string;
  /** Member of the body that has the items. */
  member: string;
  limit: number;
  keyOf(item: JsonObject): K;
};

/** All keys in the order they came, until there is no link or an answer that is not 200. */
export async function walkPages<K>(mirror: SimulatedMirror, { dialect, url, member, limit, keyOf }: Walk<K>) {
  const keys: K[] = [];
  let next: string | null = url;
  let status = 200;
  while (next !== null) {
    const answer = await mirror.get(dialect, next);
    status = answer.status;
    if (status !== 200) return { keys, status, answer };
    const items = answer.body[member] as JsonObject[];
    expect(items.length).toBeLessThanOrEqual(limit);
    const found: string | null = (answer.body.links as { next: string | null }).next;
    if (items.length < limit) expect(found).toBeNull();
    keys.push(...items.map(keyOf));
    expect(found).not.toBe(next);
    next = found;
    expect(keys.length).toBeLessThan(100_000);
  }
  return { keys, status, answer: null };
}
