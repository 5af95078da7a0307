import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../packages/kit/process/log.ts';
import { inRealm, usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { createBlockWriter } from '../../../packages/store/write/block-writer.ts';
import { createPartitions } from '../../../packages/store/write/partitions.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { settleNetwork } from './settle-network.ts';

let database: ScratchDatabase;
let warnings: string[];
beforeEach(async () => {
  database = await createScratchDatabase();
  warnings = [];
});
afterEach(() => database.close());

const log = createLog({
  level: 'info',
  format: 'json',
  target: { write: (line) => void warnings.push(JSON.parse(line).msg) },
});

function settle(command: 'start' | 'import' | 'serve', argv: string[] = [], simulated = false) {
  const settings = loadSettings(command, argv, {});
  const { connectionString } = database;
  return settleNetwork({ connectionString, settings, log, simulated, imports: command !== 'serve' });
}

test('the settings of the import are known to the server', async () => {
  expect(await settle('import', ['--network', 'mainnet'])).toEqual({ name: 'mainnet', chainId: 0x127n, system: null });
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n, system: null });
  expect(warnings).toEqual([]);
});

test('a chain id is remembered too', async () => {
  await settle('start', ['--network', 'mine', '--chain-id', '0x1234']);
  expect(await settle('serve')).toEqual({ name: 'mine', chainId: 0x1234n, system: null });
});

test.each([
  ['serve', ['--network', 'testnet'], false, /filled for the network mainnet, not for --network testnet/],
  ['import', ['--network', 'testnet'], false, /filled for the network mainnet/],
  ['serve', ['--chain-id', '0x128'], false, /filled for chain id 0x127, not for --chain-id 0x128/],
  ['start', [], true, /not for the simulated network "demo"\. Name the stream files with --source/],
] as const)('%s %j contradicts a database of mainnet', async (command, argv, simulated, says) => {
  await settle('import', ['--network', 'mainnet']);
  await expect(settle(command, [...argv], simulated)).rejects.toThrow(says);
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n, system: null });
});

test('a network without a name is said to be unnamed, and can be named later', async () => {
  expect(await settle('import')).toEqual({ name: 'other', chainId: 0x128n, system: null, isOpen: true });
  expect(warnings).toEqual([expect.stringContaining('The network has no name')]);
  expect(await settle('serve', ['--network', 'mainnet'])).toMatchObject({
    name: 'mainnet',
    chainId: 0x127n,
    isOpen: true,
  });
  await settle('import', ['--network', 'mainnet']);
  expect(await settle('serve')).toEqual({ name: 'mainnet', chainId: 0x127n, system: null });
});

test('the simulated network is demo', async () => {
  expect(await settle('start', [], true)).toEqual({ name: 'demo', chainId: 0x12an, system: null });
  expect(await settle('serve')).toEqual({ name: 'demo', chainId: 0x12an, system: null });
});

const elsewhere = { shard: 11n, realm: 12n };

test('shard and realm are those that the import stored', async () => {
  const writer = await createBlockWriter(database);
  try {
    await writer.writeBlock({ parts: [{ operation: 'rememberRealm', timestamp: 1n, system: elsewhere }] });
    await writer.writeBlock({ parts: [{ operation: 'rememberRealm', timestamp: 2n, system: usualRealm }] });
  } finally {
    await writer.close();
  }
  expect((await settle('serve')).system).toEqual(elsewhere);
  expect((await settle('serve', ['--shard', '11', '--realm', '12'])).system).toEqual(elsewhere);
  await expect(settle('serve', ['--shard', '11'])).rejects.toThrow(
    /holds a network in shard 11, realm 12, not shard 11, realm 0\. Leave --shard and --realm out/,
  );
});

test.each([
  ['a transfer', 'crypto_transfer', `(amount, consensus_timestamp, entity_id, payer_account_id) values (1, 5, $1, 1)`],
  [
    'an entity',
    'entity',
    `(id, shard, realm, num, memo, timestamp_range) values ($1, 11, 12, 3, '', '[1,)'), (2, 0, 0, 2, '', '[1,)')`,
  ],
  ['an address book', 'address_book', `(start_consensus_timestamp, file_id, file_data) values (1, $1, '')`],
])('of a database that no import told, they are those of %s', async (_name, table, values) => {
  const client = new pg.Client(database);
  await client.connect();
  try {
    if (table === 'crypto_transfer') await createPartitions().ensure(client, 5n, 5n);
    await client.query(`insert into ${table} ${values}`, [inRealm(3n, elsewhere)]);
    // As a version before this one left it, or a mirror node.
    if (table === 'entity') await client.query('alter table mirrored_network drop column shard, drop column realm');
    if (table === 'address_book') await client.query('drop table mirrored_network');
  } finally {
    await client.end();
  }
  expect((await settle('serve')).system).toEqual(elsewhere);
});
