import { expect, it } from 'vitest';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { serveHere } from '../support/program/serve-here.ts';

import { type ProofServer, proveCache } from './prove-cache.ts';

it('what servers keep is right, while blocks arrive and with several servers on one database', {
  timeout: waitMs,
}, async () => {
  const [live, truth] = [await createScratchDatabase(), await createScratchDatabase()];
  const proof = await proveCache({
    seed: 'suite',
    seconds: 3,
    live: live.connectionString,
    truth: truth.connectionString,
    serve,
  });
  expect(proof.wrong).toEqual([]);
  expect(Object.keys(proof.servers)).toHaveLength(3);
  for (const { requests, hits } of Object.values(proof.servers)) {
    expect(requests).toBeGreaterThan(0);
    expect(hits).toBeGreaterThan(0);
  }
  await live.close();
  await truth.close();
});

/** In this process; run-cache-proof.ts takes one for each. */
function serve(flags: string[]): Promise<ProofServer> {
  return serveHere(loadSettings('serve', flags, {}).get('database-url'), flags);
}
