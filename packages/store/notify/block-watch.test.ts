import pg from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Row } from '../../schema/tables.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type BlockWriter, createBlockWriter } from '../write/block-writer.ts';
import { type RunningBlockWatch, watchBlocks } from './block-watch.ts';

let scratch: ScratchDatabase;
let writer: BlockWriter;
let watch: RunningBlockWatch;
let lost: string[];

beforeEach(async () => {
  lost = [];
  scratch = await createScratchDatabase();
  writer = await createBlockWriter(scratch);
  await write(1n);
  watch = startWatch({});
  await until(() => watch.state.newestEnd === 1n);
});
afterEach(async () => {
  await watch.close();
  await writer.close();
  await scratch.close();
});

function startWatch(options: { lookMs?: number; maxUntoldMs?: number; connectionString?: string }): RunningBlockWatch {
  return watchBlocks({ ...scratch, ...options, onLost: (error) => lost.push(error.message) });
}

const until = (isMet: () => boolean) => vi.waitUntil(isMet, { timeout: 120_000 });

function write(end: bigint): Promise<void> {
  const row: Row<'record_file'> = {
    consensus_start: end,
    consensus_end: end,
    count: 1n,
    digest_algorithm: 0,
    file_hash: 'f',
    hash: `h${end}`,
    prev_hash: `h${end - 1n}`,
    index: end,
    load_start: 0n,
    load_end: 0n,
    name: `file ${end}`,
    version: 6,
  };
  return writer.writeBlock({ parts: [{ record_file: [row] }] });
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client(scratch);
  await client.connect();
  await client.query(statement);
  await client.end();
}

it('begins with the newest block that is stored, and hears of each that is committed', async () => {
  const { turn, epoch } = watch.state;
  await write(2n);
  await until(() => watch.state.newestEnd === 2n);
  expect(watch.state).toMatchObject({ turn: turn + 1, epoch, newestEnd: 2n });
});

it.each([
  ['numbers of blocks were moved', () => writer.shiftBlockNumbers(10n)],
  ['rows came without a block', () => writer.writeBlock({ parts: [{}] })],
  ['a block came that lies before the newest one', () => write(0n)],
  ['a message came that another version wrote', () => run(`notify ledger_mirror_block, '7 of 9'`)],
])('takes the past for another one when %s', async (_case, change) => {
  const { turn, epoch } = watch.state;
  await change();
  await until(() => watch.state.epoch > epoch);
  expect(watch.state.turn).toBeGreaterThan(turn);
});

it('knows nothing of a database that it does not reach, says so once, and closes', async () => {
  const other = startWatch({ connectionString: 'postgres://nobody@127.0.0.1:1/nothing' });
  await until(() => other.state.epoch > 2);
  expect(other.state.newestEnd).toBeNull();
  expect(lost).toHaveLength(1);
  await other.close();
});

it('confirms again and again that nothing is newer, for as long as it hears', async () => {
  await watch.close();
  watch = startWatch({ lookMs: 10 });
  const sinceMs = performance.now();
  await until(() => watch.state.confirmedMs > sinceMs + 50);
  const { turn, epoch } = watch.state;
  expect(watch.state.confirmedMs).toBeLessThanOrEqual(performance.now());
  await run(`notify ledger_mirror_block, ''`);
  await until(() => watch.state.epoch > epoch);
  expect(watch.state.turn).toBeGreaterThan(turn);
});

it('listens again after a lost connection, and takes what was before it for another past', async () => {
  const { epoch } = watch.state;
  await run(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ledger-mirror listener' and datname = current_database()`);
  await until(() => watch.state.epoch > epoch);
  await until(() => watch.state.newestEnd === 1n);
  await write(2n);
  await until(() => watch.state.newestEnd === 2n);
  expect(lost).toHaveLength(1);
});

it('finds blocks without a notification, and then trusts nothing', async () => {
  await watch.close();
  watch = startWatch({ lookMs: 20, maxUntoldMs: 100 });
  await until(() => watch.state.newestEnd === 1n);
  const { epoch } = watch.state;
  await run(`update record_file set consensus_end = 5`);
  await until(() => watch.state.epoch > epoch);
  expect(lost).toEqual(['blocks are committed, and no notification comes']);
});
