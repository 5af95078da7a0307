// A mirror that was filled without the rows of one large application says which: of which tables and months.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createBLAKE3 } from 'hash-wasm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { selectBootstrapRun } from '../../packages/store/transfer/bootstrap-run.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { describeHeld } from '../../src/ledger/extent/describe-held.ts';
import type { TransferMode } from '../../src/transfer/choose-files.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// A ledger is imported, exported and loaded several times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let root: string;
let all: number;
/** Of one topic. */
let large: { topic: string; rows: number; month: string };
const scratch: ScratchDatabase[] = [];

async function openScratch(): Promise<ScratchDatabase> {
  const opened = await createScratchDatabase();
  scratch.push(opened);
  return opened;
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'minimal-'));
  const mirror = await openLedger('busy');
  scratch.push(mirror);
  await writeExport(mirror.connectionString, join(root, 'export'));
  await splitTopic(join(root, 'export'));
});

afterAll(async () => {
  for (const database of scratch) await database.close();
  rmSync(root, { recursive: true, force: true });
});

/** As the operator of a large mirror does: the messages of one topic become a file of their own. */
async function splitTopic(place: string): Promise<void> {
  const manifest = readFileSync(join(place, 'manifest.csv'), 'utf8').trim().split('\n');
  const index = manifest.findIndex((line) => line.startsWith('topic_message/'));
  const [name] = manifest[index]!.split(',') as [string];
  const [header, ...lines] = gunzipSync(readFileSync(join(place, name)))
    .toString()
    .trimEnd()
    .split('\n');
  const column = header!.split(',').indexOf('topic_id');
  const topic = lines[0]!.split(',')[column]!;
  const [split, rest] = [true, false].map((isOf) =>
    lines.filter((line) => (line.split(',')[column] === topic) === isOf),
  );
  all = lines.length;
  large = { topic, rows: split!.length, month: /_p(\d{4})_(\d\d)/.exec(name)!.slice(1).join('-') };
  const write = async (path: string, rows: readonly string[]): Promise<string> => {
    const packed = gzipSync(`${[header, ...rows].join('\n')}\n`);
    writeFileSync(join(place, path), packed);
    return [path, rows.length, packed.length, (await createBLAKE3()).init().update(packed).digest('hex')].join(',');
  };
  mkdirSync(join(place, 'topic_message'), { recursive: true });
  manifest[index] = await write(name, rest!);
  manifest.push(await write(name.replace('.csv.gz', '_atma.csv.gz'), split!));
  writeFileSync(join(place, 'manifest.csv'), `${manifest.join('\n')}\n`);
}

async function load(from: string, kind: 'full' | 'minimal' | 'state') {
  const copy = await openScratch();
  const mode: TransferMode = { kind };
  expect((await loadFrom(from, copy.connectionString, { mode })).failed).toEqual([]);
  const db = openDatabase({ connectionString: copy.connectionString });
  const held = await describeHeld(db, await selectBootstrapRun(db));
  const app = openServer(db, 'spec');
  const missing = await app.inject('/api/v1/topics/0.0.987654321/messages/1');
  await app.close();
  await db.close();
  const messages = await withClient(copy.connectionString, 'test', async (client) => {
    const { rows } = await client.query<{ count: number }>('select count(*)::int4 as count from topic_message');
    return rows[0]!.count;
  });
  return { copy, held, messages, missing: missing.body };
}

test('the parts that a minimal bootstrap left out are told, wherever the extent is', async () => {
  const { copy, held, messages, missing } = await load(join(root, 'export'), 'minimal');
  const sentence = `Of one large application ${large.rows} rows are left out, of topic_message in ${large.month}. State is complete.`;
  expect([held, messages]).toEqual([sentence, all - large.rows]);
  expect(missing).toContain(sentence);

  await writeExport(copy.connectionString, join(root, 'again'));
  expect((await load(join(root, 'again'), 'full')).held).toBe(sentence);
});

test('nothing is missing with all of it, nor of a state', async () => {
  expect(await load(join(root, 'export'), 'full')).toMatchObject({ held: null, messages: all });
  const { held } = await load(join(root, 'export'), 'state');
  expect(held).toMatch(/state is complete\.$/);
  expect(held).not.toContain('application');
});
