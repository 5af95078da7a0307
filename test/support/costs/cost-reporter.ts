// `npm run test:costs`: measures each test file of the run, and writes what it costs into costs.json and
// test/README.md.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { type Cost, costsVariable, type MeasuredFile, writeCosts } from './costs.ts';

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter from the default export of its file
export default class CostReporter implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'test-costs-'));
  readonly #lines = join(this.#folder, 'lines');

  onInit(): void {
    process.env[costsVariable] = this.#lines;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = new Map(modules.map((one) => [one.moduleId, [...one.children.allTests()].length]));
    const measured = (existsSync(this.#lines) ? readFileSync(this.#lines, 'utf8') : '')
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as MeasuredFile);
    const costs = measured.map(({ path, wall, processor }): [string, Cost] => [
      path,
      { tests: tests.get(path) ?? 0, wall, processor },
    ]);
    writeCosts(new Map(costs));
    rmSync(this.#folder, { recursive: true });
  }
}
