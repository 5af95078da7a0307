// coverage.mjs [paths of tests]: runs the tests with V8's coverage and names the files of which less than 60 % of the
// lines ran. The whole report is in coverage/. It ends as the tests end: a number of percent fails nothing. Child
// processes of tests are not counted.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';

const least = 60;
const summary = 'coverage/coverage-summary.json';
const included = ['src/**/*.ts', 'packages/**/*.ts'];
const excluded = ['**/*.test.ts', '**/*.d.ts', '**/*.generated.ts', 'packages/test-support/**'];

rmSync(summary, { force: true });
const { status } = spawnSync(
  process.execPath,
  [
    ...['node_modules/vitest/vitest.mjs', 'run', '--coverage.enabled', '--coverage.provider=v8'],
    ...['--coverage.reporter=json-summary', '--coverage.reporter=html', '--coverage.reportOnFailure'],
    ...included.map((pattern) => `--coverage.include=${pattern}`),
    ...excluded.map((pattern) => `--coverage.exclude=${pattern}`),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
const { total, ...files } = JSON.parse(readFileSync(summary, 'utf8'));
const low = Object.entries(files)
  .map(([path, { lines }]) => ({ path: relative('.', path), percent: lines.pct }))
  .filter(({ percent }) => percent < least)
  .sort((a, b) => a.percent - b.percent || (a.path < b.path ? -1 : 1));
for (const { path, percent } of low) console.log(`${String(percent).padStart(6)} %  ${path}`);
console.log(
  `${low.length} of ${Object.keys(files).length} files under ${least} % of lines; all together ${total.lines.pct} %`,
);
process.exitCode = status ?? 1;
