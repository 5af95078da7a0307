import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Against tests that hang: most take less than a second. One that starts programs, compiles contracts or asks thousands of
// requests names a longer one, for machines with other work, where it may take ten times as long.
const timeouts = { testTimeout: 60_000, hookTimeout: 600_000 };

/** Small files that take 10 to 30 s. vitest begins with the largest files: these would run last, with an idle processor beside. */
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

// Two pools run at the same time: tests of the whole program wait for processes and for PostgreSQL half of their time, and the
// files beside the code fill it.
export default defineConfig({
  test: {
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts', 'test/support/program/keep-compiled.ts'],
    sequence: { sequencer: SlowFirst },
    poolOptions: { forks: { maxForks: 2 }, threads: { maxThreads: 1, minThreads: 1, isolate: false } },
    projects: [
      {
        test: {
          name: 'code',
          include: ['src/**/*.test.ts', 'packages/**/*.test.ts'],
          // One thread keeps the modules of all its files: loading them for each takes longer than most of the tests.
          pool: 'threads',
          poolOptions: { threads: { isolate: false } },
          ...timeouts,
        },
      },
      { test: { name: 'test', include: ['test/**/*.test.ts'], pool: 'forks', ...timeouts } },
    ],
  },
});
