// What the mirror keeps of a simulated network is what the network's ledger holds: balances, holdings, supplies,
// owners, nonces, schedules, contract code and storage.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { Network } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { importStream } from '../../src/importer/import-stream.ts';

const blocks = isLong ? 250 : 100;
let folder: string;
let network: Network;
let scratch: ScratchDatabase;
let db: Database;
let problems: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mirror-agrees-'));
  network = await openNetwork({ folder, seed: 'agreement', nodes: 3 });
  const start = 1_790_000_000_000_000_000n;
  for (let block = 0n; block < blocks; block++) {
    await network.writeBlock({ consensusStart: start + block * 15_000_000_000n, transactions: 12 });
  }
  scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const source = createFolderSource({ path: folder });
  const addressBook = readFileSync(network.addressBookPath);
  const summary = await importStream({ source, db, writer, addressBook, live: false });
  problems = summary.problems;
  await writer.close();
});

afterAll(async () => {
  await db?.close();
  await scratch?.close();
  await network?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function select<R>(text: string): Promise<R[]> {
  return (await db.query({ name: `agrees ${text}`.slice(0, 60), text })) as R[];
}

test('nothing in the stream puzzles the importer', () => {
  expect(problems).toBe(0);
});

test('accounts', async () => {
  type Row = {
    id: bigint;
    balance: bigint;
    deleted: boolean;
    ethereum_nonce: bigint | null;
    key: Buffer;
    evm_address: Buffer | null;
  };
  const rows = await select<Row>("select * from entity where type in ('ACCOUNT', 'CONTRACT')");
  const { accounts } = network.state().tables;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const account of accounts.values()) {
    const row = byId.get(account.id);
    expect({
      id: account.id,
      balance: row?.balance,
      deleted: row?.deleted,
      nonce: row?.ethereum_nonce ?? 0n,
      key: row?.key?.toString('hex'),
      evmAddress: row?.evm_address?.toString('hex') ?? null,
    }).toEqual({
      id: account.id,
      balance: account.balance,
      deleted: account.deleted,
      nonce: account.ethereumNonce,
      key: Buffer.from(account.key).toString('hex'),
      evmAddress: account.evmAddress ? Buffer.from(account.evmAddress).toString('hex') : null,
    });
  }
  expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(5_000_000_000_000_000_000n);
});

test('tokens and holdings', async () => {
  const { tokens, relations, nfts } = network.state().tables;
  const rows = await select<{
    token_id: bigint;
    total_supply: bigint;
    treasury_account_id: bigint;
    pause_status: string;
  }>('select * from token');
  const byId = new Map(rows.map((row) => [row.token_id, row]));
  for (const token of tokens.values()) {
    const row = byId.get(token.id);
    expect([token.id, row?.total_supply, row?.treasury_account_id, row?.pause_status === 'PAUSED']).toEqual([
      token.id,
      token.totalSupply,
      token.treasury,
      token.paused,
    ]);
  }
  const held = await select<{ account_id: bigint; token_id: bigint; balance: bigint }>(
    'select * from token_account where associated',
  );
  const kept = new Map(held.map((row) => [`${row.account_id}:${row.token_id}`, row.balance]));
  for (const [key, { balance }] of relations) expect([key, kept.get(key)]).toEqual([key, balance]);
  expect(kept.size).toBe(relations.size);
  const owners = await select<{ account_id: bigint; token_id: bigint; serial_number: bigint; spender: bigint | null }>(
    'select * from nft where not deleted',
  );
  const owned = new Map(owners.map((row) => [`${row.token_id}:${row.serial_number}`, [row.account_id, row.spender]]));
  for (const [key, { owner, spender }] of nfts) expect([key, owned.get(key)]).toEqual([key, [owner, spender]]);
  expect(owned.size).toBe(nfts.size);
});

test('schedules', async () => {
  const { schedules } = network.state().tables;
  const rows = await select<{ schedule_id: bigint; executed_timestamp: bigint | null }>('select * from schedule');
  const executed = new Map(rows.map((row) => [row.schedule_id, row.executed_timestamp !== null]));
  for (const { id, state } of schedules.values()) expect([id, executed.get(id)]).toEqual([id, state === 'executed']);
  expect([...executed.values()]).toEqual(expect.arrayContaining([true, false]));
});

test('contract code and storage', async () => {
  const { accounts, storage } = network.state().tables;
  const rows = await select<{ id: bigint; runtime_bytecode: Buffer | null }>(
    'select id, runtime_bytecode from contract',
  );
  const code = new Map(rows.map((row) => [row.id, row.runtime_bytecode]));
  for (const account of accounts.values()) {
    if (account.code) expect([account.id, code.get(account.id)?.equals(account.code)]).toEqual([account.id, true]);
  }
  const slots = await select<{ contract_id: bigint; slot: Buffer; value: Buffer | null }>(
    'select * from contract_state',
  );
  const kept = new Map(
    slots.map(({ contract_id, slot, value }) => [`${contract_id}:${slot.toString('hex').padStart(64, '0')}`, value]),
  );
  for (const [key, value] of storage) {
    expect([
      key,
      kept
        .get(key)
        ?.toString('hex')
        .replace(/^(00)+/, ''),
    ]).toEqual([key, Buffer.from(value).toString('hex')]);
  }
});

test('what the high-volume lane cost', async () => {
  const rows = await select<{ type: number; multiplier: bigint | null }>(
    'select type, high_volume_pricing_multiplier as multiplier from transaction where high_volume',
  );
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set([11]));
  expect(new Set(rows.map(({ multiplier }) => multiplier))).toEqual(new Set([1000n, 1250n, 4000n]));
});
