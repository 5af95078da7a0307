// The flags of every process, as Node takes them, and that V8 keeps the young generation through what a quiet minute
// does to it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import table from './memory-flags.json' with { type: 'json' };

/** Sizes of the young generation, MB: after work, and after the collection that gives all memory back that it can. */
const program = `
  const young = () =>
    require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
  const kept = [];
  for (let count = 0; count < 1e6; count += 1) kept[count % 1e5] = { count };
  const before = young();
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  console.log(JSON.stringify([before, young()]));
`;

function runWith(flags: readonly string[]): [number, number] {
  return JSON.parse(execFileSync(process.execPath, ['--expose-gc', ...flags, '-e', program], { encoding: 'utf8' }));
}

const sized = Object.entries(table.processes).filter(([name]) => name !== 'check');

test.each(sized)('%s keeps its young generation', (_name, { flags }) => {
  const sizeMb = Number(/--min-semi-space-size=(\d+)/.exec(flags.join(' '))?.[1]);
  expect(flags).toContain(`--max-semi-space-size=${sizeMb}`);
  const [, after] = runWith(flags);
  expect(after).toBeGreaterThanOrEqual(sizeMb);
});

test('without a minimum it is given back', () => {
  const [before, after] = runWith(['--max-semi-space-size=16']);
  expect(before).toBeGreaterThan(8);
  expect(after).toBeLessThan(4);
});

const pageRows: Record<string, string> = {
  serve: '`serve`, and each of its workers',
  import: '`import`',
  status: 'the status service',
  others: '`start`, and every other command',
};

test.each(sized)('the page on speed says what %s has', (name, { flags }) => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const [semiSpace, growth] = [/--min-semi-space-size=(\d+)/, /--heap-growing-percent=(\d+)/].map(
    (pattern) => pattern.exec(flags.join(' '))?.[1],
  );
  expect(page).toContain(`| ${pageRows[name]} | 2 × ${semiSpace} | ${growth} % |`);
});
