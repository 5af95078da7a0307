import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectClient } from '../../../packages/postgres/wire/connect-client.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { migrations } from '../../../packages/schema/migration/migrations.ts';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import { upsertImportRevision } from '../../../packages/store/write/upsert-import-revision.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { describeOlderImports, findOlderImports } from './older-imports.ts';

let scratch: ScratchDatabase;
let db: Database;

beforeEach(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase({ connectionString: scratch.connectionString });
});

afterEach(async () => {
  await db.close();
  await scratch.close();
});

const hooksCame = 1_750_000_000n;

/** `loaded`: seconds since 1970. */
async function store(blocks: readonly { number: bigint; loaded: bigint }[]): Promise<void> {
  const writer = await createBlockWriter({ connectionString: scratch.connectionString });
  const texts = { file_hash: '', hash: '', name: '', prev_hash: '' };
  const rows = blocks.map(({ number, loaded }) => ({
    ...texts,
    ...{
      consensus_start: number * 10n,
      consensus_end: number * 10n + 5n,
      count: 1n,
      digest_algorithm: 0,
      index: number,
    },
    ...{ load_start: loaded, load_end: loaded, version: 6 },
  }));
  await writer.writeBlock({ parts: [{ record_file: rows }] });
  await writer.close();
}

/** As it is found by the migration in a database that earlier versions made. */
async function upgrade(isOlderThanHooks: boolean): Promise<void> {
  const client = await connectClient(scratch.connectionString, 'test');
  await client.query('drop table import_revision');
  if (isOlderThanHooks) {
    await client.query(
      `insert into ledger_mirror_schema (version, name, installed_at) values (0, 'hooks and registrations', to_timestamp($1))`,
      [hooksCame],
    );
  }
  const { statements } = migrations.find(({ name }) => name === 'import revisions')!;
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const found = async () => describeOlderImports(await findOlderImports(db));

test('a database that this version filled alone lacks nothing', async () => {
  await upsertImportRevision(db);
  await store([{ number: 7n, loaded: hooksCame }]);
  await upsertImportRevision(db);
  expect(await found()).toEqual([]);
});

test('what earlier versions imported is reported by block, also when an import was begun and brought nothing', async () => {
  await store([
    { number: 7n, loaded: hooksCame - 9n },
    { number: 8n, loaded: hooksCame - 2n },
    { number: 9n, loaded: hooksCame + 2n },
  ]);
  await upgrade(true);
  await upsertImportRevision(db);
  const differs =
    /^Blocks up to 9 were imported by an earlier version .*: what is shown of these blocks may .*: logs of /;
  const sentences = [expect.stringMatching(/^Blocks up to 8 .* it lacks hooks and what they store, .*; what is /)];
  expect(await found()).toEqual([...sentences, expect.stringMatching(differs)]);
  await upsertImportRevision(db);
  await store([{ number: 10n, loaded: hooksCame + 9n }]);
  expect(await found()).toEqual([...sentences, expect.stringMatching(differs)]);
});

test('a database that had tables of hooks from its beginning lacks none', async () => {
  await store([{ number: 9n, loaded: hooksCame - 9n }]);
  await upgrade(false);
  expect(await found()).toEqual([expect.not.stringContaining('hooks')]);
});

test('of blocks that were dropped only what is missing since is reported', async () => {
  await store([{ number: 7n, loaded: hooksCame - 9n }]);
  await upgrade(true);
  await upsertImportRevision(db);
  await store([{ number: 8n, loaded: hooksCame + 9n }]);
  const client = await connectClient(scratch.connectionString, 'test');
  await client.query('delete from record_file where index = 7');
  await client.end();
  expect(await found()).toEqual([
    'Blocks that were dropped since were imported by an earlier version of this program: it lacks hooks and what they store, registered nodes of that time.',
  ]);
});

test('an empty database that an earlier version made is as good as new', async () => {
  await upgrade(true);
  await upsertImportRevision(db);
  await store([{ number: 0n, loaded: hooksCame + 9n }]);
  expect(await found()).toEqual([]);
});
