// What compilers carry as base64 is decoded within the memory of a check. Those of 0.7.4 to 0.8.6 took 950 MB for it,
// those of 0.8.7 to 0.8.11 more than the limit. Here one of the first with base64, one of those that took too much, and
// the one that comes with the program; `run-compiler-walk.ts` does this with every release.
import { afterAll, expect, test } from 'vitest';
import { createVerifier } from '../../packages/verification/create-verifier.ts';
import { checkWithCompiler } from './check-with-compiler.ts';

const verifier = createVerifier({
  niceness: 0,
  compilers: { folder: null, download: 'off', downloadUrl: '' },
  limits: { compileMs: 120_000, memoryBytes: 600_000_000, concurrent: 1, queue: 10, inputBytes: 100_000 },
  log: () => undefined,
});
afterAll(() => verifier.close());

test.each(['0.7.6', '0.8.4', '0.8.37'])('%s needs less than 600 MB', async (number) => {
  const { compilerVersion, status } = await checkWithCompiler(verifier, number);
  expect(compilerVersion).toMatch(`${number}+commit.`);
  expect(status).toBe('perfect');
});
