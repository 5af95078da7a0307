import { afterAll, expect, test } from 'vitest';
import { timeouts } from '../../packages/test-support/timeouts.ts';
import { createSelfTest } from './create-self-test.ts';
import { createVerifier } from './create-verifier.ts';
import { VerificationError } from './terms/verification-error.ts';

const limits = { compileMs: 60_000, memoryBytes: 1_000_000_000, concurrent: 1, queue: 1, inputBytes: 100_000 };
const compilers = { folder: null, download: 'off' as const, downloadUrl: '' };
const verifier = createVerifier({ niceness: 0, compilers, limits, log: () => {} });
afterAll(() => verifier.close());

test('passes where contracts can be verified', { timeout: timeouts.test }, async () => {
  const statuses: string[] = [];
  const selfTest = createSelfTest({
    async verify(onchain, claim) {
      const result = await verifier.verify(onchain, claim);
      statuses.push(result.status);
      return result;
    },
  });
  const tookMs = await selfTest();
  expect(tookMs).toBeGreaterThan(0);
  expect(tookMs).toBeLessThan(60_000);
  // What it is to be compiled to is found once.
  expect(statuses.splice(0)).toEqual([expect.not.stringMatching('perfect'), 'perfect']);
  await selfTest();
  expect(statuses).toEqual(['perfect']);
});

test('fails where no check can be made', { timeout: timeouts.test }, async () => {
  // No process fits into a megabyte; a limit of time could be met by a fast machine.
  const starved = createVerifier({
    niceness: 0,
    compilers,
    limits: { ...limits, memoryBytes: 1_000_000 },
    log: () => {},
  });
  await expect(createSelfTest(starved)()).rejects.toThrow(VerificationError);
  await starved.close();
});

test('fails where a check finds something else', { timeout: timeouts.test }, async () => {
  const selfTest = createSelfTest({
    verify: async (onchain, claim) => ({ ...(await verifier.verify(onchain, claim)), status: 'partial' }),
  });
  await expect(selfTest()).rejects.toThrow('The self-test did not match');
});
