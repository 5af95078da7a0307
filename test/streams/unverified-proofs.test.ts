// Who operates a mirror of a block stream is told what is not verified: by `doctor` before and after the import, by the
// status summary beside a component that is in order.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { setUpStatus } from '../../packages/status/set-up-status.ts';
import { emptyState } from '../../packages/status/status-state.ts';
import { takeSignals } from '../../packages/status/take-signals.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type ImportStreamOptions, importStream } from '../../src/importer/import-stream.ts';
import { examine } from '../../src/runtime/doctor/examine.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { createDatabaseProbe } from '../../src/runtime/status/signals/database-signals.ts';

const cutoverAt = 2n;
let folder: string;
let database: ScratchDatabase;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'unverified-'));
  await writeNetwork({ folder, seed: 'unverified', nodes: 1, cutoverAt, blocks: 5, transactions: 1 });
  database = await createScratchDatabase();
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('without the publication doctor names the proofs of the first block and fails at the stored ones; the status says from where on', async () => {
  const nothingYet = await findings('blocks');
  expect(nothingYet.database).toMatch(/tables can be created$/);
  expect(nothingYet.source).toMatch(/first block 2 \(.*\), signed block: not verified \(no ledger id is known/);
  expect(await statusDescription()).toBe('Whether every file follows the one before it.');
  // Block 0 publishes the ledger id.
  await importAll(database.connectionString, { kind: 'block', number: 1n });
  const stored = (await findings('', database.connectionString, ['database'])).database;
  expect(stored).toContain('from block 2 on no signature of the network is verified, only hashes and chain');
  expect(stored).toContain('; of 4 stored blocks 3 have proofs that are kept but not verified');
  expect(await statusDescription()).toBe(
    'Whether every file follows the one before it. From block 2 on the proofs of the network are kept but not verified; hashes and chain are checked.',
  );
});

test('with the publication both name the ledger, as the API does for the page /proof, and the page of a block', async () => {
  const whole = await createScratchDatabase();
  try {
    await importAll(whole.connectionString);
    const found = (await findings('', whole.connectionString)).database;
    const ledger =
      /; blocks are verified as those of ledger ([0-9a-f]{64}) \(which signed record files or blocks handed over\)/;
    expect(found).toMatch(ledger);
    expect(found).not.toContain('not verified');
    const id = ledger.exec(found!)![1]!;
    expect(await statusDescription(whole.connectionString)).toContain(
      `Blocks are verified by the signatures of ledger ${id}, `,
    );
    const db = openDatabase(whole);
    const app = openServer(db, 'spec');
    const { proof } = (await app.inject('/api/v1/blocks/4')).json();
    expect(proof.ledger_id).toBe(`0x${id}`);
    expect(readPage((await app.inject('/demo/block/4')).body).text).toContain(`Ledger id${id} `);
    await app.close();
    await db.close();
  } finally {
    await whole.close();
  }
});

/** `failing`: questions that fail. */
async function findings(
  path: string,
  connectionString = database.connectionString,
  failing: readonly string[] = [],
): Promise<Record<string, string>> {
  const settings = ['--port', '0', '--data-dir', folder, '--source', join(folder, path)];
  const found: Record<string, string> = {};
  for await (const { name, ok, found: text } of examine(
    loadSettings('doctor', settings, { DATABASE_URL: connectionString }),
  )) {
    expect([name, ok, text]).toEqual([name, !failing.includes(name), text]);
    found[name] = text;
  }
  return found;
}

/** As the page shows it after the database was asked. */
async function statusDescription(connectionString = database.connectionString): Promise<string | null | undefined> {
  const probe = createDatabaseProbe(connectionString);
  try {
    const { values, facts } = await probe.probe(null);
    const page = { networkName: 'local', networkTitle: 'Local Network', url: null };
    return setUpStatus(takeSignals(emptyState(), { values, facts }, 1), page, 1).components.continuity!.description;
  } finally {
    await probe.close();
  }
}

async function importAll(connectionString: string, start?: ImportStreamOptions['start']): Promise<void> {
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  try {
    const addressBook = readFileSync(join(folder, 'addressbook.bin'));
    await importStream({ source: createFolderSource({ path: folder }), db, writer, addressBook, start, live: false });
  } finally {
    await writer.close();
    await db.close();
  }
}
