// A mirror that began with the state of an export answers as one that saw everything and dropped what was before:
// made-up requests to every endpoint, about now and any other time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { selectPastSlots } from '../../packages/store/read/state/select-state-slots.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { compareAnswers, isOfPastStorage } from '../support/transfer/compare-answers.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

const requests = Number(process.env.STATE_REQUESTS ?? 400);

// Two ledgers are imported, and asked; more requests take longer.
vi.setConfig({ testTimeout: 240_000 + 200 * requests, hookTimeout: 240_000 });

let folder: string;
const scratch: ScratchDatabase[] = [];
const opened: Database[] = [];
let words: LedgerWords;
let state: Database;
let cut: Database;
/** The first moment that both hold, ns. */
let keptFrom: bigint;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-answers-'));
  // A day between two blocks: stakes and rewards change with each.
  const stream = await writeSimulatedStream({
    seed: 'state',
    blocks: 50,
    transactionsPerBlock: 40,
    blockTime: 86_400_000_000_000n,
  });
  for (let index = 0; index < 2; index++) scratch.push(await createScratchDatabase());
  const [whole, copy] = scratch.map(({ connectionString }) => connectionString) as [string, string];
  await stream.importInto(whole, { until: { kind: 'block', number: 29n } });
  await writeExport(whole, folder);
  await loadFrom(folder, copy, { mode: { kind: 'state' } });
  for (const place of [whole, copy]) await stream.importInto(place);
  stream.close();
  keptFrom = await withClient(copy, 'test', async (client) => {
    const { rows } = await client.query<{ kept: string }>('select kept_from::text as kept from mirror_extent');
    // The block from which it goes on, of which it has nothing but its row.
    await client.query('delete from record_file where consensus_end < (select kept_from from mirror_extent)');
    return BigInt(rows[0]!.kept);
  });
  const all = openDatabase({ connectionString: whole });
  words = await readLedgerWords(all);
  await all.close();
  const dropper = await createRowDropper(whole);
  await dropper.dropBefore(keptFrom);
  await dropper.close();
  [cut, state] = [openDatabase({ connectionString: whole }), openDatabase({ connectionString: copy })];
  opened.push(cut, state);
});

afterAll(async () => {
  for (const db of opened) await db.close();
  for (const database of scratch) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['spec', 'hiero'] as const)('%s: answers are equal', async (dialect) => {
  const { different, statuses } = await compareAnswers([cut, state], {
    dialect,
    seed: 'state',
    requests,
    words,
    mayDiffer: isOfPastStorage,
  });
  expect(different.join('\n')).toBe('');
  expect(statuses[200]).toBeGreaterThan(requests / 5);
});

/** Paths of everything that had storage before, and moments since. */
async function storageQuestions(): Promise<string[]> {
  const { connectionString } = scratch[0]!;
  return withClient(connectionString, 'test', async (client) => {
    const contracts = await client.query<{ id: string }>(
      'select distinct contract_id as id from contract_state_change where consensus_timestamp < $1 order by 1',
      [keptFrom],
    );
    const hooks = await client.query<{ id: string; hook: string }>(
      'select distinct owner_id as id, hook_id as hook from hook_storage_change where consensus_timestamp < $1 order by 1, 2',
      [keptFrom],
    );
    const { rows: ends } = await client.query<{ end: string }>(
      'select consensus_end as end from record_file where consensus_end >= $1 order by 1',
      [keptFrom],
    );
    const moments = [keptFrom, ...ends.filter((_, index) => index % 4 === 0).map(({ end }) => BigInt(end))];
    const paths = [
      ...contracts.rows.map(({ id }) => `contracts/${id}/state`),
      ...hooks.rows.map(({ id, hook }) => `accounts/${id}/hooks/${hook}/storage`),
    ];
    return paths.flatMap((path) =>
      moments.map(
        (at) => `/api/v1/${path}?limit=100&timestamp=${formatSeconds(path.startsWith('a') ? `lte:${at}` : `${at}`)}`,
      ),
    );
  });
}

function formatSeconds(text: string): string {
  return text.replace(/(\d+)(\d{9})$/, '$1.$2');
}

type ListedSlot = { slot?: string; key?: string; value: string | null; timestamp: string };

/** Slots with a value: who never wrote one may have read it, which the state of an export does not tell. */
function valuesOf(body: string): Record<string, string> {
  const { state, storage } = JSON.parse(body) as { state?: ListedSlot[]; storage?: ListedSlot[] };
  const listed = (state ?? storage!).filter(({ value }) => value !== null && !/^0x0*$/.test(value));
  return Object.fromEntries(listed.map(({ slot, key, value }) => [slot ?? key!, value!]));
}

test('every slot has its value at every moment since', async () => {
  const apps = [openServer(cut, 'spec'), openServer(state, 'spec')];
  const different: string[] = [];
  let older = 0;
  for (const url of await storageQuestions()) {
    const [expected, found] = await Promise.all(apps.map((app) => app.inject(url)));
    const values = valuesOf(found!.body);
    for (const [slot, value] of Object.entries(valuesOf(expected!.body))) {
      if (values[slot] !== value) different.push(`${url} ${slot} ${value} ${values[slot]}`);
    }
    const times = [...found!.body.matchAll(/"timestamp":"(\d+)\.(\d{9})"/g)];
    older += times.filter(([, seconds, nanos]) => BigInt(`${seconds}${nanos}`) < keptFrom).length;
  }
  for (const app of apps) await app.close();
  expect(different).toEqual([]);
  expect(older).toBeGreaterThan(500);
});

test('a call at a block since reads the same slots', async () => {
  const slots = await withClient(scratch[0]!.connectionString, 'test', async (client) => {
    const { rows } = await client.query<{ id: string; slot: Buffer }>(
      'select contract_id as id, slot from contract_state',
    );
    return rows.map(({ id, slot }) => ({ contractId: BigInt(id), slot }));
  });
  const read = async (db: Database, until: bigint): Promise<Record<string, string>> => {
    const found = (await selectPastSlots(db, slots, until)).filter(({ value }) => value.some((byte) => byte !== 0));
    return Object.fromEntries(
      found.map(({ contractId, slot, value }) => [`${contractId} ${slot.toString('hex')}`, value.toString('hex')]),
    );
  };
  for (const until of [keptFrom, keptFrom + 86_400_000_000_000n, keptFrom + 10n * 86_400_000_000_000n]) {
    const found = await read(state, until);
    expect(found).toEqual(await read(cut, until));
    expect(Object.keys(found).length).toBeGreaterThan(50);
  }
});
