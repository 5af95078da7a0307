import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/share-scratch-server.ts'],
    pool: 'forks',
    poolOptions: { forks: { maxForks: 2 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
