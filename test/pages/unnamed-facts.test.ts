// Each opcode, fork, method, page, status rule, setting and signal is named by its reference page and by a test. What
// is not is listed in unnamed-facts.json, which only shrinks: `UPDATE_PAGES=1 npm test` takes out what is named by now.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factTables, findUnnamed, readPage, readTests, toPattern } from './unnamed-facts.ts';

const list = new URL('./unnamed-facts.json', import.meta.url);
const tests = readTests();

describe.each(factTables)('each $kind', (table) => {
  const page = readPage(table.page);
  const unnamed = findUnnamed(table, { page, tests });
  const listed = () => (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>)[table.kind] ?? [];

  it('is named by its page and by a test', () => {
    if (process.env.UPDATE_PAGES) {
      const all = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>;
      const left = listed().filter((line) => unnamed.includes(line));
      writeFileSync(list, `${JSON.stringify({ ...all, [table.kind]: left }, null, 2)}\n`);
    }
    expect(unnamed.filter((line) => !listed().includes(line))).toEqual([]);
  });

  it('is missed where its name is taken out of the page, or out of the tests', () => {
    for (const name of [table.names[0]!, table.names.at(-1)!]) {
      const without = (text: string) => text.replaceAll(new RegExp(toPattern(name), 'gi'), '');
      const one = { kind: table.kind, names: [name] };
      expect(findUnnamed(one, { page: without(page), tests })).toContain(`${table.kind} ${name}: no page`);
      expect(findUnnamed(one, { page, tests: without(tests) })).toContain(`${table.kind} ${name}: no test`);
    }
  });
});
