// Facts that reach over blocks, in real PostgreSQL: what a later block only adjusts, completes or ends.
import { generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { type BlockWriter, createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../packages/test-support/streams/import-transactions.ts';

const contractID = { contractNum: 6000 };
const scheduleID = { scheduleNum: 800 };
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const RSA_PubKey = publicKey.export({ format: 'der', type: 'spki' }).toString('hex');
const nodeAddress = [{ nodeAccountId: { accountNum: 3 }, RSA_PubKey }];
const book = proto.NodeAddressBook.encode({ nodeAddress } as never).finish();
const updateBook: TransactionLiteral = { body: { fileUpdate: { fileID: { fileNum: 102 }, contents: book } } };
const writeSlot = (slot: number, value: number) => ({
  stateChanges: {
    contractStateChanges: [
      {
        contractId: contractID,
        storageChanges: [{ slot: Buffer.of(slot), valueWritten: { value: Buffer.of(value) } }],
      },
    ],
  },
});

const firstBlock: TransactionLiteral[] = [
  {
    body: { contractCreateInstance: { initcode: Buffer.of(1) } },
    receipt: { contractID },
    record: { contractCreateResult: { contractID, gasUsed: 1, evmAddress: { value: Buffer.alloc(20, 9) } } },
    sidecars: [writeSlot(1, 10), writeSlot(2, 20)],
  },
  { body: { scheduleCreate: { memo: 'wait' } }, receipt: { scheduleID } },
  updateBook,
];
const secondBlock: TransactionLiteral[] = [
  {
    body: { contractCall: { contractID } },
    record: {
      contractCallResult: { contractID, gasUsed: 1, contractNonces: [{ contractId: contractID, nonce: 2 }] },
    },
    sidecars: [
      writeSlot(1, 11),
      { migration: true, bytecode: { contractId: contractID, runtimeBytecode: Buffer.of(7) } },
      { migration: true, bytecode: { contractId: { contractNum: 6001 }, runtimeBytecode: Buffer.of(8) } },
    ],
  },
  { body: { cryptoTransfer: {} }, record: { scheduleRef: scheduleID }, nonce: 1 },
  { body: { cryptoTransfer: {} }, record: { scheduleRef: { scheduleNum: 801 } }, nonce: 1 },
  updateBook,
];

describe('two blocks with contracts', () => {
  let scratch: ScratchDatabase;
  let writer: BlockWriter;
  let client: pg.Client;
  beforeAll(async () => {
    scratch = await createScratchDatabase();
    writer = await createBlockWriter({ connectionString: scratch.connectionString });
    client = new pg.Client({ connectionString: scratch.connectionString });
    await client.connect();
    const first = await importTransactions(firstBlock);
    await writer.writeBlock(first.changes);
    const addressBookStarts = new Map([[102n, timestampAt(2) + 1n]]);
    const second = await importTransactions(secondBlock, { firstIndex: firstBlock.length, addressBookStarts });
    await writer.writeBlock(second.changes);
    expect([...first.problems, ...second.problems]).toEqual([]);
  });
  afterAll(async () => {
    await client?.end();
    await writer?.close();
    await scratch?.close();
  });
  const rows = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;

  it('adjust the nonce of a contract without a new version of it', async () => {
    expect(await rows('select id, type::text, ethereum_nonce, evm_address from entity where id = 6000')).toEqual([
      ['6000', 'CONTRACT', '2', Buffer.alloc(20, 9)],
    ]);
    expect(await rows('select 1 from entity_history where id = 6000')).toEqual([]);
  });

  it('complete its code, and know code of contracts from before', async () => {
    expect(await rows('select id, initcode, runtime_bytecode from contract order by id')).toEqual([
      ['6000', Buffer.of(1), Buffer.of(7)],
      ['6001', null, Buffer.of(8)],
    ]);
  });

  it('keep the latest value of storage and when it was first written', async () => {
    const slot = (last: number) => Buffer.concat([Buffer.alloc(31), Buffer.of(last)]);
    expect(
      await rows('select slot, value, created_timestamp, modified_timestamp from contract_state order by slot'),
    ).toEqual([
      [slot(1), Buffer.of(11), String(timestampAt(0)), String(timestampAt(3))],
      [slot(2), Buffer.of(20), String(timestampAt(0)), String(timestampAt(0))],
    ]);
  });

  it('say when a known schedule was executed, and nothing of an unknown one', async () => {
    expect(await rows('select schedule_id, creator_account_id, executed_timestamp from schedule')).toEqual([
      ['800', '1000', String(timestampAt(4))],
    ]);
  });

  it('end the address book before', async () => {
    expect(
      await rows('select start_consensus_timestamp, end_consensus_timestamp from address_book order by 1'),
    ).toEqual([
      [String(timestampAt(2) + 1n), String(timestampAt(6))],
      [String(timestampAt(6) + 1n), null],
    ]);
  });
});
