// Random ledgers: blocks that are imported again change nothing. `run-reimports.ts` takes more of them.

import { afterEach, expect, test, vi } from 'vitest';
import type { SimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { checkReimports, type FormatName, writeLedger } from './reimport-ledger.ts';

// Each ledger is written, imported, and imported again in four ways.
vi.setConfig({ testTimeout: 240_000 });

let stream: SimulatedStream | undefined;
afterEach(() => stream?.close());

// In seed 5 an account leaves a deleted class with its NFTs.
const ledgers: [seed: number, format: FormatName][] = [
  [5, 'records'],
  [2, 'wrapped'],
  [5, 'always'],
  [3, 'cutover'],
];

test.each(ledgers)('seed %i as %s', async (seed, format) => {
  const size = { blocks: 36, transactionsPerBlock: 60 };
  stream = await writeLedger(seed, format, size);
  expect(await checkReimports(stream, seed, size)).toEqual([]);
});
