import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// For tests that hang: most take less than a second. Tests that start programs, compile contracts or send thousands of
// requests set a longer timeout, because on a busy machine they may take ten times as long.
const timeouts = { testTimeout: 60_000, hookTimeout: 600_000 };

/** Small files that take 10 to 30 s. vitest begins with the largest files: these would run last, with one processor idle. */
const slowButSmall = [
  'test/corpus/corpus.test.ts',
  'test/corpus/foreign-database.test.ts',
  'test/network/kill-network.test.ts',
  'test/object-store/soak.test.ts',
  'test/oracle/oracle.test.ts',
  'test/plans/plans.test.ts',
  'test/raw-socket/trust-proxy.test.ts',
  'test/soak/prove-cache.test.ts',
  'test/system/killed-workers.test.ts',
  'test/verification/compiler-memory.test.ts',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slowButSmall.some((path) => moduleId.endsWith(path));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

// Two pools run at the same time: tests of the whole program spend half of their time waiting for processes and PostgreSQL,
// in which the tests beside the code run.
export default defineConfig({
  test: {
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts'],
    sequence: { sequencer: SlowFirst },
    poolOptions: { forks: { maxForks: 2 }, threads: { maxThreads: 1, minThreads: 1, isolate: false } },
    projects: [
      {
        test: {
          name: 'code',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts'],
          // One thread keeps the modules of all its files: loading them for each file takes longer than most of the tests.
          pool: 'threads',
          poolOptions: { threads: { isolate: false } },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'test',
          include: ['test/**/*.test.ts'],
          pool: 'forks',
          // Node loads everything but the test files: with its compile cache that takes a third of the time that vite takes,
          // for each file again.
          server: { deps: { external: [/\/(src|packages|test)\/.*(?<!\.test)\.ts$/] } },
          setupFiles: ['test/support/program/keep-compiled.ts'],
          ...timeouts,
        },
      },
    ],
  },
});
