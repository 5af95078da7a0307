// Long bodies that would take the thread for long are refused unparsed.
import { expect, it } from 'vitest';
import { isSimpleJson } from './is-simple-json.ts';

const judge = (text: string): boolean => isSimpleJson(Buffer.from(text));

it('refuses what is nested deeply or has very many values, and nothing that clients send', () => {
  expect(judge(`${'['.repeat(5000)}${']'.repeat(5000)}`)).toBe(false);
  expect(judge(`[${'[],'.repeat(60_000)}1]`)).toBe(false);
  expect(judge(`[${'"",'.repeat(60_000)}1]`)).toBe(false);
  const [address, topic] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(64)}`];
  const search = { fromBlock: '0x1', address: Array(100).fill(address), topics: Array(4).fill(Array(100).fill(topic)) };
  // More of them do not fit into a body.
  expect(judge(JSON.stringify(Array(30).fill({ id: 1, method: 'eth_getLogs', params: [search] })))).toBe(true);
  expect(judge(JSON.stringify({ params: [{ data: `0x${'00'.repeat(500_000)}` }] }))).toBe(true);
});

it('does not count what is in strings', () => {
  expect(judge(JSON.stringify(['['.repeat(5000), '\\', ',"'.repeat(50_000), '\\"', '{'.repeat(5000)]))).toBe(true);
  expect(judge(`["${'\\"'.repeat(5000)}${'['.repeat(100)}`)).toBe(true);
});
