import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { sizeVariable } from './packages/test-support/sized.ts';
import { timeouts } from './packages/test-support/timeouts.ts';
import { readCosts, wallSecondsOf } from './test/support/costs/costs.ts';

/**
 * Project by project, as a process is kept with its modules only while the next file is of the same one; each from the longest
 * on, by what they cost when that was measured: what takes minutes and comes last leaves a processor idle.
 */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = readCosts();
    const secondsOf = ({ moduleId }: TestSpecification) => wallSecondsOf(moduleId, costs) ?? 0;
    const nameOf = ({ project }: TestSpecification) => project.name;
    // Those that were never measured stay in vitest's order. `test` begins, whose files take longest.
    return (await super.sort(files)).sort((a, b) => nameOf(b).localeCompare(nameOf(a)) || secondsOf(b) - secondsOf(a));
  }
}

// Tests of the whole program spend half of their time waiting for processes and PostgreSQL, in which others run, and one more
// beside them.
const workers = Math.min(4, availableParallelism() + 1) + 1;

// Node loads everything but the test files: with its compile cache that takes a third of the time that vite takes, and each
// process of tests loads nearly all of the program.
const server = { deps: { external: [/^(?!.*\/node_modules\/).*(?<!\.test)\.m?[jt]s$/] } };

const long = '**/*.long.test.ts';
const inFolders = (pattern: string): string[] => ['src', 'packages', 'test'].map((folder) => `${folder}/${pattern}`);
/** Of two sizes: the same tests as in `npm test`, and more of them. */
const longForms = [
  ...inFolders('**/*.sized.test.ts'),
  ...globSync(inFolders(long)).filter((path) => existsSync(path.replace('.long.', '.'))),
];
/**
 * In a process of their own, two at a time: programs that check contracts at the lowest priority and have to end in time,
 * which beside others they would not, and what measures the memory of its process.
 */
const alone = [
  'test/fairness/verification.long.test.ts',
  'test/proof-documents/kept-memory.long.test.ts',
  'test/verification/{compiler-memory,contract-import-kills,fair-queue}.long.test.ts',
];
/** ms, of `expect.poll`; `vi.waitFor` and `vi.waitUntil` have theirs from patient-waits.ts. */
const waits = { poll: { timeout: timeouts.code / 2 } };
const ofAll = ['packages/test-support/patient-waits.ts', 'test/support/costs/measure-file.ts'];
const common = {
  pool: 'forks',
  server,
  expect: waits,
  setupFiles: ['test/support/program/keep-compiled.ts', ...ofAll],
} as const;

/** They wait for other processes even more than others do. */
const ofLong = {
  ...common,
  maxWorkers: workers + 1,
  sequence: { groupOrder: 1 },
  env: { [sizeVariable]: 'long' },
  testTimeout: timeouts.long,
  hookTimeout: timeouts.long,
} as const;

export default defineConfig({
  test: {
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts'],
    sequence: { sequencer: SlowFirst },
    maxWorkers: workers,
    projects: [
      {
        test: {
          name: 'code',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: [long],
          // A thread keeps the modules of all its files: loading them for each file takes longer than most of the tests.
          pool: 'threads',
          isolate: false,
          server,
          expect: waits,
          setupFiles: ofAll,
          testTimeout: timeouts.code,
          hookTimeout: timeouts.test,
        },
      },
      {
        test: {
          ...common,
          name: 'test',
          include: ['test/**/*.test.ts'],
          exclude: [long],
          // A process keeps the modules of all its files: loading nearly all of the program again costs 4 s of a processor a file.
          isolate: false,
          testTimeout: timeouts.test,
          hookTimeout: timeouts.test,
        },
      },
      {
        test: {
          ...ofLong,
          name: 'long-forms',
          include: longForms,
          isolate: false,
        },
      },
      {
        test: {
          ...ofLong,
          name: 'long',
          include: inFolders(long),
          exclude: [...longForms, ...alone],
          isolate: false,
        },
      },
      {
        test: {
          ...ofLong,
          name: 'long-alone',
          include: alone,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
