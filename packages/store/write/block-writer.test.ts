import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import type { Table } from '../../schema/table.ts';
import { type Row, tables } from '../../schema/tables.ts';
import { createScratchDatabase } from '../../test-support/postgres/scratch-database.ts';
import { type OpenedWriter, openWriter } from '../../test-support/streams/open-writer.ts';
import { selectEntitiesByEvmAddress, selectLastBlock } from '../read/import-state.ts';
import { type BlockWriter, createBlockWriter } from './block-writer.ts';

let opened: OpenedWriter;
let writer: BlockWriter;
let db: Database;

beforeAll(async () => {
  opened = await openWriter();
  ({ writer, db } = opened);
});
afterAll(() => opened?.close());
beforeEach(async () => {
  const names = Object.entries(tables).flatMap(([name, { kind }]) =>
    kind === 'versioned' ? [name, `${name}_history`] : [name],
  );
  await select(`truncate ${names.map((name) => `"${name}"`).join(', ')}`);
});

let statements = 0;
function select<R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
  return db.query<R>({ name: `test-${statements++}`, text, values });
}

const t = 1_600_000_000_000_000_000n;

function recordFile(index: bigint, consensusEnd = t + index): Row<'record_file'> {
  return {
    consensus_start: consensusEnd,
    consensus_end: consensusEnd,
    count: 1n,
    digest_algorithm: 0,
    file_hash: 'f',
    hash: `h${index}`,
    prev_hash: `h${index - 1n}`,
    index,
    load_start: 0n,
    load_end: 0n,
    name: `file ${index}`,
    version: 6,
  };
}

function transaction(consensusTimestamp: bigint): Row<'transaction'> {
  return { consensus_timestamp: consensusTimestamp, payer_account_id: 2n, result: 22, type: 14, valid_start_ns: 1n };
}

const account = (id: bigint, from: bigint, rest: Row<'entity'> = {}): Row<'entity'> => ({
  id,
  num: id,
  realm: 0n,
  shard: 0n,
  type: 'ACCOUNT',
  timestamp_range: { from, to: null },
  ...rest,
});

describe('inserted rows', () => {
  const int8 = fc.oneof(
    fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n),
    fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  );
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
  const text = fc.string({ unit: 'binary', maxLength: 60 }).map((s) => s.replaceAll('\0', '\ufffd'));
  const json = fc
    .jsonValue({ noUnicodeString: false, maxDepth: 3 })
    .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')));

  it('come back exactly as they went in', async () => {
    const row = fc.record(
      {
        amount: int8,
        bloom: bytes,
        call_result: bytes,
        created_contract_ids: fc.array(int8, { maxLength: 5 }),
        error_message: text,
        function_parameters: bytes,
        gas_limit: int8,
        payer_account_id: int8,
        contract_id: int8,
        transaction_index: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        transaction_result: fc.integer({ min: -(2 ** 15), max: 2 ** 15 - 1 }),
      },
      { requiredKeys: ['contract_id', 'function_parameters', 'gas_limit', 'payer_account_id', 'transaction_result'] },
    );
    const all = await fc.sample(row, 500).map((one, i) => ({ ...one, consensus_timestamp: t + BigInt(i) }));
    await writer.writeBlock({ parts: [{ contract_result: all }] });
    const stored = await select('select * from contract_result order by consensus_timestamp');
    expect(stored).toHaveLength(all.length);
    for (const [i, given] of all.entries()) expect(stored[i]).toMatchObject(given);
    expect(stored[0]).toMatchObject({ transaction_nonce: 0, gas_used: null });
  });

  it('keep JSON with integers of any size, arrays of bytes, and defaults', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(json, { maxLength: 3 }),
        int8,
        fc.array(bytes, { maxLength: 3 }),
        async (values, serial, fees) => {
          await select('truncate transaction');
          const nft_transfer = [...(values as JsonValue[]), { serial_number: serial }];
          await writer.writeBlock({
            parts: [{ transaction: [{ ...transaction(t), nft_transfer, max_custom_fees: fees }] }],
          });
          const [stored] = await select('select * from transaction');
          const exact =
            serial >= BigInt(Number.MIN_SAFE_INTEGER) && serial <= BigInt(Number.MAX_SAFE_INTEGER)
              ? Number(serial)
              : serial;
          expect(stored).toMatchObject({
            max_custom_fees: fees,
            initial_balance: 0n,
            high_volume: false,
            errata: null,
            nonce: 0,
          });
          expect((stored!.nft_transfer as JsonValue[]).at(-1)).toEqual({ serial_number: exact });
          expect(stored!.nft_transfer).toHaveLength(values.length + 1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are refused with table, column and key when they cannot be stored, and then nothing of the block is', async () => {
    const parts = [
      {
        transaction: [transaction(t)],
        crypto_transfer: [
          // biome-ignore lint/suspicious/noExplicitAny: a number where an int8 belongs
          { amount: 5 as any, consensus_timestamp: t, entity_id: 1n, payer_account_id: 2n },
        ],
      },
    ];
    await expect(writer.writeBlock({ parts })).rejects.toThrow(/crypto_transfer\.amount cannot be stored.*BigInt/);
    await expect(
      writer.writeBlock({ parts: [{ transaction: [transaction(t)] }, { record_file: [{ index: 1n }] }] }),
    ).rejects.toThrow(/null value/);
    expect(await select('select * from transaction')).toEqual([]);
    await writer.writeBlock({ parts: [{ transaction: [transaction(t)] }] });
    expect(await select('select count(*) as n from transaction')).toEqual([{ n: 1n }]);
  });

  it('go to the partition of their year, over the turn of a year too', async () => {
    const midnight = BigInt(Date.UTC(2020, 0, 1)) * 1_000_000n;
    await writer.writeBlock({ parts: [{ transaction: [transaction(midnight - 1n), transaction(midnight)] }] });
    expect(
      await select('select tableoid::regclass::text as partition from transaction order by consensus_timestamp'),
    ).toEqual([{ partition: 'transaction_p2019' }, { partition: 'transaction_p2020' }]);
  });
});

describe('blocks', () => {
  it('become visible whole, and their numbers can be moved', async () => {
    await writer.writeBlock({ parts: [{ record_file: [recordFile(7n)] }] });
    await writer.writeBlock({ parts: [{ record_file: [recordFile(8n)] }] });
    expect(await selectLastBlock(db)).toMatchObject({ name: 'file 8', index: 8n, hash: 'h8', consensusEnd: t + 8n });
    await writer.shiftBlockNumbers(100n);
    expect(await selectLastBlock(db)).toMatchObject({ index: 108n });
  });

  it('survive the loss of the connection', async () => {
    const said: string[] = [];
    const other = await createScratchDatabase();
    const lossy = await createBlockWriter({ ...other, log: (sentence) => said.push(sentence) });
    await lossy.writeBlock({ parts: [{ record_file: [recordFile(1n)] }] });
    await select(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ledger-mirror writer' and datname = $1`,
      [new URL(other.connectionString.replace('@/', '@host/')).pathname.slice(1)],
    );
    await lossy.writeBlock({ parts: [{ record_file: [recordFile(2n)] }] });
    const check = openDatabase(other);
    expect(await selectLastBlock(check)).toMatchObject({ index: 2n });
    await check.close();
    await lossy.close();
    await other.close();
  });

  it('have one writer only', async () => {
    await expect(createBlockWriter({ ...opened, otherWriterMs: 50 })).rejects.toThrow('Another mirror is writing');
  });
});

describe('rows that need what is not there', () => {
  it('are dropped: an execution of an unknown schedule, a change of an unknown token, a balance of an unknown account', async () => {
    await writer.writeBlock({
      parts: [
        {
          schedule: [{ schedule_id: 5n, executed_timestamp: t }],
          token: [{ token_id: 6n, name: 'new name', timestamp_range: { from: t, to: null } }],
          entity: [{ id: 7n, balance: 5n, balance_timestamp: t }],
        },
      ],
    });
    for (const name of ['schedule', 'token', 'token_history', 'entity'])
      expect(await select(`select * from ${name}`)).toEqual([]);
  });

  it('are merged where it is there', async () => {
    const created = {
      schedule_id: 5n,
      consensus_timestamp: t,
      creator_account_id: 2n,
      payer_account_id: 3n,
      transaction_body: Buffer.from('b'),
    };
    await writer.writeBlock({ parts: [{ schedule: [created] }] });
    await writer.writeBlock({ parts: [{ schedule: [{ schedule_id: 5n, executed_timestamp: t + 1n }] }] });
    expect(await select('select * from schedule')).toEqual([
      { ...created, executed_timestamp: t + 1n, expiration_time: null, wait_for_expiry: false },
    ]);
  });
});

describe('names of entities', () => {
  it('are those that they had by then, and the newest of several comes last', async () => {
    const name = Buffer.alloc(20, 7);
    await writer.writeBlock({
      parts: [
        {
          entity: [
            account(5n, t, { evm_address: name, deleted: true, created_timestamp: t }),
            account(6n, t + 5n, { evm_address: name, created_timestamp: t + 5n }),
          ],
        },
      ],
    });
    const idsBefore = async (before: bigint): Promise<bigint[]> =>
      (await selectEntitiesByEvmAddress(db, [name, Buffer.alloc(20, 9)], before)).map(({ id }) => id);
    expect(await idsBefore(t)).toEqual([]);
    expect(await idsBefore(t + 5n)).toEqual([5n]);
    expect(await idsBefore(t + 6n)).toEqual([5n, 6n]);
  });
});

describe('bulk operations', () => {
  const nft = (serial: bigint, owner: bigint, rest: Row<'nft'> = {}): Row<'nft'> => ({
    token_id: 9n,
    serial_number: serial,
    account_id: owner,
    created_timestamp: t,
    timestamp_range: { from: t, to: null },
    ...rest,
  });
  const holder = (id: bigint, balance: bigint): Row<'token_account'> => ({
    account_id: id,
    token_id: 9n,
    associated: true,
    balance,
    created_timestamp: t,
    timestamp_range: { from: t, to: null },
  });

  it('move the living NFTs of a treasury with history and balances', async () => {
    await writer.writeBlock({
      parts: [
        {
          nft: [nft(1n, 2n, { spender: 4n }), nft(2n, 2n), nft(3n, 5n), nft(4n, 2n, { deleted: true })],
          token_account: [holder(2n, 2n), holder(3n, 1n), holder(5n, 1n)],
        },
        { operation: 'moveNfts', tokenId: 9n, fromAccountId: 2n, toAccountId: 3n, timestamp: t + 5n },
      ],
    });
    expect(
      await select('select serial_number, account_id, spender, timestamp_range from nft order by serial_number'),
    ).toEqual([
      { serial_number: 1n, account_id: 3n, spender: null, timestamp_range: { from: t + 5n, to: null } },
      { serial_number: 2n, account_id: 3n, spender: null, timestamp_range: { from: t + 5n, to: null } },
      { serial_number: 3n, account_id: 5n, spender: null, timestamp_range: { from: t, to: null } },
      { serial_number: 4n, account_id: null, spender: null, timestamp_range: { from: t, to: null } },
    ]);
    expect(
      await select(
        'select serial_number, account_id, spender, timestamp_range from nft_history order by serial_number',
      ),
    ).toEqual([
      { serial_number: 1n, account_id: 2n, spender: 4n, timestamp_range: { from: t, to: t + 5n } },
      { serial_number: 2n, account_id: 2n, spender: null, timestamp_range: { from: t, to: t + 5n } },
    ]);
    expect(await select('select account_id, balance from token_account order by account_id')).toEqual([
      { account_id: 2n, balance: 0n },
      { account_id: 3n, balance: 3n },
      { account_id: 5n, balance: 1n },
    ]);
  });

  it('delete the NFTs of an account and tell them on the transaction', async () => {
    await writer.writeBlock({ parts: [{ nft: [nft(1n, 2n), nft(2n, 2n), nft(3n, 5n)] }] });
    await writer.writeBlock({
      parts: [
        { operation: 'deleteNftsOfAccount', tokenId: 9n, accountId: 2n, timestamp: t + 5n },
        { transaction: [transaction(t + 5n)] },
      ],
    });
    expect(await select('select serial_number, account_id, deleted from nft order by serial_number')).toEqual([
      { serial_number: 1n, account_id: null, deleted: true },
      { serial_number: 2n, account_id: null, deleted: true },
      { serial_number: 3n, account_id: 5n, deleted: false },
    ]);
    expect(await select('select count(*) as n from nft_history where account_id = 2 and not deleted')).toEqual([
      { n: 2n },
    ]);
    const [stored] = await select('select nft_transfer from transaction');
    expect(stored!.nft_transfer).toEqual(
      [1, 2].map((serial_number) => ({
        is_approval: false,
        receiver_account_id: null,
        sender_account_id: 2,
        serial_number,
        token_id: 9,
      })),
    );
  });
});

describe('tables', () => {
  it('have keys and partition columns among their columns', () => {
    for (const [name, table] of Object.entries(tables) as [string, Table][]) {
      for (const column of [...table.key, ...(table.partitionBy ? [table.partitionBy] : [])]) {
        expect(table.columns[column]?.required, `${name}.${column}`).toBe(true);
      }
    }
  });
});
