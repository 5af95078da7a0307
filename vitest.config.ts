import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts'],
    pool: 'forks',
    poolOptions: { forks: { maxForks: 2 } },
    // Against tests that hang: most take less than a second. One that starts programs, compiles contracts or asks thousands of
    // requests names a longer one, for machines with other work, where it may take ten times as long.
    testTimeout: 60_000,
    hookTimeout: 600_000,
  },
});
