import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'packages/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['packages/test-support/postgres/share-scratch-server.ts'],
    pool: 'forks',
    poolOptions: { forks: { maxForks: 2 } },
    // Against tests that hang, not against slow machines: with other work on it one may take ten times as long.
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
