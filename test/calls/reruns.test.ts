// Contract transactions of a simulated network, run again from the store at their place: everything that the ledger says of them is
// so again.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { type Calls, createCalls, type TraceAnswer } from '../../src/calls/create-calls.ts';
import type { ContractResultDetail } from '../../src/ledger/contracts/create-contract-results.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { usualRealm } from '../../src/protocol/hapi/system-entity.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const chainId = 298n;
let stream: SimulatedStream;
let scratch: ScratchDatabase;
let db: Database;
let calls: Calls;
let ledger: Ledger;
beforeAll(async () => {
  stream = await writeSimulatedStream({ seed: 'reruns', blocks: 40, transactionsPerBlock: 60 });
  scratch = await createScratchDatabase();
  await stream.importInto(scratch.connectionString);
  db = openDatabase(scratch);
  calls = createCalls({ db, system: usualRealm, chainId });
  ledger = createLedger({ db, system: usualRealm, clock: () => 2n ** 62n });
});
afterAll(async () => {
  await calls?.close();
  await db?.close();
  await scratch?.close();
  stream?.close();
});

it('does again what it did', async () => {
  const rows = await db.query<{ at: bigint }>({
    name: 'results',
    text: 'select consensus_timestamp as at from contract_result where transaction_nonce = 0 order by consensus_timestamp',
  });
  const different: unknown[] = [];
  const counts = { equal: 0, notRun: 0 };
  for (const { at } of rows) {
    const result = (await ledger.contractResults.findAt(at, null))!;
    const answer = await calls.trace(result, { stack: false, memory: false, storage: false });
    if (answer.kind === 'traced' && answer.differences?.length === 0) {
      counts.equal += 1;
      const body = JSON.parse(gunzipSync(answer.body).toString()) as { failed: boolean; gas: number };
      expect(body.failed).toBe(result.transactionResult !== 22);
      expect(body.gas).toBe(answer.run.gasConsumed);
    } else if (answer.kind === 'traced' && answer.differences === null) counts.notRun += 1;
    else different.push(describeDifference(result, answer));
  }
  expect(different).toEqual([]);
  // The others were refused before they ran.
  expect(counts.equal).toBeGreaterThan(counts.notRun * 10);
});

function describeDifference(
  { consensusTimestamp, transactionResult, gasConsumed }: ContractResultDetail,
  answer: TraceAnswer,
): string {
  const run =
    answer.kind === 'traced' ? `${answer.differences?.join()} ${answer.run.status} ${answer.run.gasConsumed}` : '';
  return `${consensusTimestamp} ${transactionResult} ${gasConsumed} ${answer.kind} ${run}`;
}
