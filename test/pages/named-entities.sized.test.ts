// What README, guides, examples and the API document name is there when a reader of them asks, however long `npm start`
// has run: of the right kind, and neither deleted nor paused.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { sized } from '../../packages/test-support/sized.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { historyDays } from '../../src/cli/run-start-command.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { firstUserEntity, type Kind, readNamedEntities } from './named-entities.ts';

/** Without protection the first contract goes at block 19 of this ledger, `Coin` at 144, and the last token at 299. */
const blocks = sized({ short: 150, long: 520 });

let folder: string;
let scratch: ScratchDatabase;
let db: Database;
let app: ReturnType<typeof openServer>;
/** Ids of the ledger of `npm start` that were deleted or paused: the workload works. */
const gone: bigint[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'named-entities-'));
  const network = await openNetwork({ folder, keepsOpening: true });
  await network.run({ intervalMs: 0, historyDays, blocks });
  const { accounts, tokens, topics } = network.state().tables;
  for (const { id, deleted } of [...accounts.values(), ...tokens.values(), ...topics.values()]) {
    if (deleted) gone.push(id);
  }
  await network.close();
  scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const addressBook = readFileSync(network.addressBookPath);
  await importStream({ source: createFolderSource({ path: folder }), db, writer, addressBook, live: false });
  await writer.close();
  app = openServer(db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
  rmSync(folder, { recursive: true, force: true });
});

const paths: Record<Kind, string> = {
  account: 'accounts',
  contract: 'contracts',
  schedule: 'schedules',
  token: 'tokens',
  topic: 'topics',
};
const kinds = Object.keys(paths) as Kind[];

type Entity = { deleted?: boolean; pause_status?: string };

/** null = there is none of this kind. A contract is no account. */
async function find(kind: Kind, text: string): Promise<Entity | null> {
  if (kind === 'account' && (await find('contract', text))) return null;
  const { statusCode, body } = await app.inject({ url: `/api/v1/${paths[kind]}/${text}` });
  if (statusCode === 404) return null;
  expect([text, statusCode]).toEqual([text, 200]);
  return JSON.parse(body) as Entity;
}

const named = readNamedEntities();

test('every example of the page of the API is answered', async () => {
  const page = await app.inject({ url: '/api' });
  const links = [...page.body.matchAll(/href="(\/(?:hiero\/)?api\/v1\/[^"]+)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(40);
  for (const link of links) {
    // Opcodes are sent compressed alone, as browsers take them.
    const headers = { 'accept-encoding': 'gzip' };
    const { statusCode } = await app.inject({ url: link.replaceAll('&amp;', '&'), headers });
    // Proofs are made from the stream, which this server does not read.
    expect([link, statusCode]).toEqual([link, link.includes('/proof') ? 501 : 200]);
  }
});

test('documents name entities of every kind, and the workload deletes others', () => {
  expect(new Set(named.map(({ kind }) => kind))).toEqual(new Set([...kinds, null]));
  expect(gone.filter((id) => id >= firstUserEntity).length).toBeGreaterThan(3);
});

test.each(named.map((entity) => [entity.place, entity.text, entity.kind ?? 'entity', entity] as const))(
  '%s: %s is a living %s',
  async (_place, _text, _kind, { text, id, kind }) => {
    // Only accounts and contracts are asked for by address.
    const asked = text.startsWith('0x') && kind !== 'account' && kind !== 'contract' ? `0.0.${id}` : text;
    const found = await Promise.all((kind === null ? kinds : [kind]).map((one) => find(one, asked)));
    const entities = found.filter((one) => one !== null);
    expect(entities).toEqual([expect.objectContaining({ deleted: false })]);
    expect(entities[0]!.pause_status).not.toBe('PAUSED');
  },
);
