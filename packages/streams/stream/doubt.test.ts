import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDoubtCounts, doubtKinds } from './doubt.ts';

test('the reference page names each kind', () => {
  const page = readFileSync(new URL('../../../docs/reference/stream-formats.md', import.meta.url), 'utf8');
  for (const [kind, what] of Object.entries(doubtKinds)) expect(page).toContain(`| ${kind} | ${what} |`);
});

test('doubts of one name are counted together, with the first place and example', () => {
  const counts = createDoubtCounts();
  counts.add('trace', 'traces of nothing', { place: 4, example: 'no call' });
  counts.add('output', 'outputs of nothing');
  counts.add('trace', 'traces of nothing', { count: 2, place: 9, example: 'no result' });
  expect(counts.list()).toEqual([
    { kind: 'trace', text: 'traces of nothing: 3 (no call)', count: 3, place: 4 },
    { kind: 'output', text: 'outputs of nothing: 1', count: 1, place: null },
  ]);
});
