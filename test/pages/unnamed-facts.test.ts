// Each opcode, fork, method, page, status rule, setting and signal is named by its reference page and by a test. What
// is not is listed in unnamed-facts.json, which only shrinks: `UPDATE_PAGES=1 npm test` takes out what is named by now.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import {
  factTables,
  findUnnamed,
  findUnreadSettings,
  readPage,
  readSources,
  readTests,
  toPattern,
} from './unnamed-facts.ts';

const list = new URL('./unnamed-facts.json', import.meta.url);
const allTests = readTests();
/** Then other tests write the pages in the same run, before or after they are read here. */
const isWriting = Boolean(process.env.UPDATE_PAGES);

describe.each(factTables)('each $kind', (table) => {
  const page = readPage(table.page);
  const tests = table.notIn ? readTests(table.notIn) : allTests;
  const unnamed = findUnnamed(table, { page, tests });
  const listed = () => (JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>)[table.kind] ?? [];

  it('is named by its page and by a test', () => {
    if (isWriting) {
      const all = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string[]>;
      const left = listed().filter((line) => unnamed.includes(line));
      writeFileSync(list, `${JSON.stringify({ ...all, [table.kind]: left }, null, 2)}\n`);
    }
    const isJudged = (line: string) => !listed().includes(line) && !(isWriting && line.endsWith(': no page'));
    expect(unnamed.filter(isJudged)).toEqual([]);
  });

  it('is missed where its name is taken out of the page, or out of the tests', () => {
    for (const name of [table.names[0]!, table.names.at(-1)!]) {
      const without = (text: string) => text.replaceAll(new RegExp(toPattern(name, table.kind), 'gi'), '');
      const one = { kind: table.kind, names: [name] };
      expect(findUnnamed(one, { page: without(page), tests })).toContain(`${table.kind} ${name}: no page`);
      expect(findUnnamed(one, { page, tests: without(tests) })).toContain(`${table.kind} ${name}: no test`);
    }
  });
});

it.each([
  ['/accounts', 'GET /api/v1/accounts', false],
  ['/accounts', "'/demo/accounts?limit=1'", true],
  ['/accounts', "open('/accounts')", true],
  ['/account/:accountId', '`/{network}/account/{accountId}`', true],
  ['/account/:accountId', '`/{network}/account/{accountId}/tokens`', false],
  ['/account/:accountId', '/mainnet/account/0.0.5.', true],
  ['/account/:accountId/tokens', '/mainnet/account/0.0.5/tokens.csv', false],
  ['max-wait', '--max-wait-time', false],
  ['max-wait', '`--max-wait`', true],
  ['max-wait', 'LEDGER_MIRROR_MAX_WAIT: 5', true],
  ['max-wait', 'LEDGER_MIRROR_MAX_WAIT_MS: 5', false],
])('%s in %s: %s', (name, text, isNamed) => {
  const kind = name.startsWith('/') ? 'page' : 'setting';
  expect(toPattern(name, kind).test(text)).toBe(isNamed);
});

it('each setting is read by a part of the program', () => {
  const sources = readSources();
  expect(findUnreadSettings([...Object.keys(settingsTable), 'read-by-nothing'], sources)).toEqual(['read-by-nothing']);
});
