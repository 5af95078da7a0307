import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startServer } from '../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';
import { type ProofServer, proveCache } from './prove-cache.ts';

it('what servers keep is right, while blocks arrive and with several servers on one database', async () => {
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
  const settings = loadSettings('serve', flags, {});
  return startServer({
    connectionString: settings.get('database-url'),
    settings,
    log: pino({ level: 'silent' }),
    network: { name: 'testnet', chainId: 0x128n, system: null },
    observer: null,
    signal: new AbortController().signal,
  });
}
