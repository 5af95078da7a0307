// What test files cost, as `npm run test:costs` measured them: the table of test/README.md, and the order in which
// files begin.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names the file to which measure-file.ts writes a line for each test file. */
export const costsVariable = 'LEDGER_MIRROR_TEST_COSTS';

/** Seconds; `path` is absolute. */
export type MeasuredFile = { path: string; wall: number; processor: number };

/** Seconds. */
export type Cost = { tests: number; wall: number; processor: number };

/** Of a file of `npm test`. Seven seconds are the rule; the same file takes half as long again on another day. */
export const maxProcessorSeconds = 12;

/** Files of `npm test` that may take longer, by why. */
export const dearFiles: Readonly<Record<string, string>> = {
  'packages/proof/verify-threshold-signature.test.ts': 'proofs of the network are what everything rests on',
  'src/server/document/parameters.test.ts': 'every parameter of every endpoint, in 628 tests',
  'test/corpus/corpus.test.ts': 'every endpoint in both dialects',
  'test/explorer/crawl.sized.test.ts': 'every page',
  'test/fuzz/fuzz.test.ts': 'requests of every shape',
  'test/oracle/oracle.test.ts': 'every row of every type of transaction',
  'test/properties-http/every-list.test.ts': 'every list and its pages',
  'test/raw-socket/smuggling.sized.test.ts': 'what a client could do to others',
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const file = fileURLToPath(new URL('costs.json', import.meta.url));
const readme = fileURLToPath(new URL('../../README.md', import.meta.url));
const begin = '<!-- costs: written by npm run test:costs -->\n';
const end = '<!-- end of costs -->';

/** By path from the root of the repository. */
export function readCosts(): Record<string, Cost> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Files that were not measured now keep what they cost before; those that are gone are left out. */
export function writeCosts(measured: ReadonlyMap<string, Cost>): void {
  const now = Object.fromEntries([...measured].map(([path, cost]) => [relative(root, path), rounded(cost)]));
  const there = Object.entries({ ...readCosts(), ...now }).filter(([path]) => existsSync(`${root}/${path}`));
  const costs = Object.fromEntries(there.sort(([one], [other]) => (one < other ? -1 : 1)));
  const lines = Object.entries(costs).map(([path, cost]) => `  ${JSON.stringify(path)}: ${formatCost(cost)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
  const text = readFileSync(readme, 'utf8');
  const [before, after] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  writeFileSync(readme, `${text.slice(0, before)}${formatTables(costs)}${text.slice(after)}`);
}

/** The order of vitest's own: the longest begin first. `path` is absolute; null = it was never measured. */
export function wallSecondsOf(path: string, costs: Record<string, Cost>): number | null {
  return costs[relative(root, path)]?.wall ?? null;
}

const isLong = (path: string): boolean => path.endsWith('.long.test.ts');

function formatTables(costs: Record<string, Cost>): string {
  const entries = Object.entries(costs);
  const kinds = [
    ['npm test', entries.filter(([path]) => !isLong(path))],
    ['npm run test:long', entries.filter(([path]) => isLong(path))],
  ] as const;
  return kinds.map(([command, files]) => `\n\`${command}\`\n\n${formatTable(files)}`).join('');
}

/** A line for each folder, the most expensive ones first; what costs less than a hundredth is one line. */
function formatTable(entries: readonly [string, Cost][]): string {
  const total = sum(entries);
  const folders = Map.groupBy(entries, ([path]) => folderOf(path));
  const lines = [...folders].map(([folder, inFolder]) => ({ folder, files: inFolder.length, ...sum(inFolder) }));
  const isSmall = ({ processor }: Cost): boolean => processor < total.processor / 100;
  const small = lines.filter(isSmall);
  const rows = [
    ...lines.filter((line) => !isSmall(line)).sort((one, other) => other.processor - one.processor),
    ...(small.length > 0
      ? [{ folder: `${small.length} others`, files: count(small), ...sum(small.map((line) => ['', line])) }]
      : []),
    { folder: '**all**', files: entries.length, ...total },
  ];
  const share = (processor: number): string => `${Math.round((100 * processor) / (total.processor || 1))} %`;
  return [
    '| folder | files | tests | seconds | of a processor | share |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ folder, files, tests, wall, processor }) =>
        `| ${folder} | ${files} | ${tests} | ${Math.round(wall)} | ${Math.round(processor)} | ${share(processor)} |`,
    ),
    '',
  ].join('\n');
}

function count(lines: readonly { files: number }[]): number {
  return lines.reduce((all, { files }) => all + files, 0);
}

function sum(entries: readonly (readonly [string, Cost])[]): Cost {
  const all = { tests: 0, wall: 0, processor: 0 };
  for (const [, { tests, wall, processor }] of entries) {
    all.tests += tests;
    all.wall += wall;
    all.processor += processor;
  }
  return all;
}

/** As the formatter has it. */
function formatCost({ tests, wall, processor }: Cost): string {
  return `{ "tests": ${tests}, "wall": ${wall}, "processor": ${processor} }`;
}

/** Two steps of the path: `test/status`, `src/ledger`. */
function folderOf(path: string): string {
  return dirname(path).split('/').slice(0, 2).join('/');
}

function rounded({ tests, wall, processor }: Cost): Cost {
  return { tests, wall: Math.round(wall * 10) / 10, processor: Math.round(processor * 10) / 10 };
}
