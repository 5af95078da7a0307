// A machine of the cluster is lost while blocks are written, and comes back: on a stand-in for Citus, which says what
// Citus says.
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { isLostMachine, LostMachineError } from '../../packages/postgres/wire/lost-machine.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import type { Row } from '../../packages/schema/tables.ts';
import { asDistributed } from '../../packages/store/read/distributed/as-distributed.ts';
import { type BlockWriter, createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runOn } from '../../packages/test-support/postgres/scratch-server.ts';
import { isDatabaseOutage } from '../../src/importer/database-outage.ts';
import { createDatabaseProbe } from '../../src/runtime/status/signals/database-signals.ts';
import { addCitusStandIn, loseMachine, recoverMachine } from '../support/servers/citus-stand-in.ts';

let scratch: ScratchDatabase;
let writer: BlockWriter | null;
const lost: Error[] = [];
const said: string[] = [];

beforeEach(async () => {
  writer = null;
  lost.length = 0;
  said.length = 0;
  scratch = await createScratchDatabase();
  await addCitusStandIn(scratch.connectionString, { workers: 1 });
  await migrate({ ...scratch, distributed: true });
});
afterEach(async () => {
  await writer?.close();
  await scratch.close();
});

function open(): Promise<BlockWriter> {
  return createBlockWriter({
    ...scratch,
    log: (sentence) => said.push(sentence),
    onLost: (error) => lost.push(error),
  });
}

async function select(text: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(scratch);
  await client.connect();
  try {
    return (await client.query(text)).rows[0];
  } finally {
    await client.end();
  }
}

const stored = 'select count(*)::int as files from record_file';

function block(index: bigint): { parts: [{ record_file: [Row<'record_file'>] }] } {
  const end = 1_600_000_000_000_000_000n + index;
  return {
    parts: [
      {
        record_file: [
          {
            ...{ consensus_start: end, consensus_end: end, count: 1n, digest_algorithm: 0, file_hash: 'f', index },
            ...{ hash: `h${index}`, prev_hash: `h${index - 1n}`, load_start: 0n, load_end: 0n, name: 'f', version: 6 },
          },
        ],
      },
    ],
  };
}

test('a block waits for the machine, and is written once', async () => {
  writer = await open();
  await loseMachine(scratch.connectionString, 'away');
  let isWritten = false;
  const written = writer.writeBlock(block(1n)).then(() => {
    isWritten = true;
  });
  await vi.waitFor(() => expect(lost.length).toBeGreaterThan(2), { timeout: 240_000 });
  expect(isWritten).toBe(false);
  // What is shown to everybody names no machine; the log does.
  expect(lost.map(({ message }) => message).join()).not.toMatch(/worker-1/);
  expect(lost.at(-1)!.message).toBe('1 of 1 machines of the cluster does not answer');
  expect(lost.every((error) => isDatabaseOutage(error))).toBe(true);
  expect(said.join()).toMatch(/worker-1/);
  await loseMachine(scratch.connectionString, 'none');
  await written;
  await writer.writeBlock(block(2n));
  expect(await select(stored)).toEqual({ files: 2 });
});

test('a block whose commit the machine missed counts when its part is there', async () => {
  writer = await open();
  await loseMachine(scratch.connectionString, 'commit');
  await writer.writeBlock(block(1n));
  expect(await select('select prepared, asked from citus_stand_in.lost')).toEqual({ prepared: 0, asked: 1 });
  expect(await select(stored)).toEqual({ files: 1 });
  expect(lost).toHaveLength(1);
});

test('where the role may not recover it, Citus is waited for', async () => {
  writer = await open();
  await loseMachine(scratch.connectionString, 'stuck');
  let isWritten = false;
  const written = writer.writeBlock(block(1n)).then(() => {
    isWritten = true;
  });
  await vi.waitFor(() => expect(lost.at(-1)?.message).toMatch(/^1 prepared transactions? of a commit/), {
    timeout: 240_000,
  });
  expect(isWritten).toBe(false);
  await runOn(scratch.connectionString, recoverMachine);
  await written;
  expect(await select(stored)).toEqual({ files: 1 });
});

test('an import that begins while the machine is away waits for it', async () => {
  await loseMachine(scratch.connectionString, 'away');
  writer = await open();
  const early = await writer.settle().catch((error: unknown) => error);
  expect(isDatabaseOutage(early)).toBe(true);
  await loseMachine(scratch.connectionString, 'none');
  await writer.settle();
  await writer.writeBlock(block(1n));
  expect(await select(stored)).toEqual({ files: 1 });
});

test('what is no loss of a machine fails at once', async () => {
  writer = await open();
  const row = { ...block(1n).parts[0].record_file[0], index: 1n };
  await expect(writer.writeBlock({ parts: [{ record_file: [row, row] }] })).rejects.toMatchObject({ code: '23505' });
  expect(lost).toEqual([]);
  await writer.writeBlock(block(1n));
  expect(await select(stored)).toEqual({ files: 1 });
});

test('readiness and the signals of the status say that a machine is missing', async () => {
  const db = openDatabase(scratch);
  const app = openServer(asDistributed(db), 'spec');
  const probe = createDatabaseProbe(scratch.connectionString);
  await runOn(
    scratch.connectionString,
    `insert into address_book (start_consensus_timestamp, file_id, file_data, node_count) values (1, 102, '', 0)`,
  );
  try {
    const ready = async () => {
      const { statusCode, body } = await app.inject('/health/readiness');
      return [statusCode, body];
    };
    expect(await ready()).toEqual([200, '{"status":"ok"}']);
    expect((await probe.probe(null)).values).toMatchObject({ 'database.down': 0, 'database.machinesLost': 0 });
    await loseMachine(scratch.connectionString, 'away');
    const reason = '1 of 1 machines of the cluster does not answer';
    expect(await ready()).toEqual([503, JSON.stringify({ status: 'error', reason })]);
    const { values, facts } = await probe.probe(null);
    expect(values).toMatchObject({ 'database.down': 0, 'database.machinesLost': 1 });
    expect(facts).toMatchObject({ 'database.machinesLost': reason });
  } finally {
    await probe.close();
    await app.close();
    await db.close();
  }
});

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  [withCode('XX000', 'failure on connection marked as essential: 10.0.0.7:5432'), true],
  [withCode('XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.7:5432"), true],
  [withCode('XX000', 'could not connect to any active placements'), true],
  [withCode('XX000', 'server closed the connection unexpectedly\n\tThis probably means …'), true],
  [withCode('58030', 'failed to COPY to shard 102008 on 10.0.0.7:5432'), true],
  [withCode('58030', 'failed to complete COPY on 10.0.0.7:5432'), true],
  [withCode('08006', 'connection to the remote node mirror@10.0.0.7:5432 failed with the following error: …'), true],
  [new Error('Query x failed', { cause: withCode('XX000', 'connection not open') }), true],
  [new LostMachineError('1 of 2 machines of the cluster does not answer'), true],
  [withCode('XX000', 'cache lookup failed for relation 16384'), false],
  [withCode('58030', 'could not write to file "base/5/16384": Input/output error'), false],
  [withCode('23505', 'failure on connection marked as essential: 10.0.0.7:5432'), false],
  [new TypeError('x is undefined'), false],
])('%s is the loss of a machine, or is not', (error, isLost) => {
  expect(isLostMachine(error)).toBe(isLost);
  expect(isDatabaseOutage(error)).toBe(isLost);
});
