import { Writer } from 'protobufjs/minimal.js';
import { describe, expect, it } from 'vitest';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import { decodeTransactionItem } from '../../../../packages/streams/record-stream/decode-transaction-item.ts';
import {
  importBlockRows,
  importTransactions,
  type TransactionLiteral,
  timestampAt,
  toBlock,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const scheduledTransactionBody = { transactionFee: 5, memo: 'later', cryptoTransfer: {} };
const create = (body: object = {}, more: Partial<TransactionLiteral> = {}): TransactionLiteral => ({
  body: { scheduleCreate: { scheduledTransactionBody, ...body } },
  receipt: { scheduleID: { scheduleNum: 800 } },
  ...more,
});
const scheduleID = { scheduleNum: 800 };

describe('schedules', () => {
  it('keep what will be executed, by whom and until when', async () => {
    const { rows, problems } = await importTransactions([
      create({
        memo: 'm',
        adminKey: { ed25519: Buffer.alloc(32, 1) },
        payerAccountID: { accountNum: 1009 },
        expirationTime: { seconds: 1_800_000_000, nanos: 5 },
        waitForExpiry: true,
      }),
    ]);
    expect(problems).toEqual([]);
    expect(rows('schedule')).toEqual([
      {
        consensus_timestamp: timestampAt(0),
        creator_account_id: 1000n,
        expiration_time: 1_800_000_000_000_000_005n,
        payer_account_id: 1009n,
        schedule_id: 800n,
        transaction_body: proto.SchedulableTransactionBody.encode(scheduledTransactionBody as never).finish(),
        wait_for_expiry: true,
      },
    ]);
    expect(rows('entity')).toMatchObject([{ id: 800n, type: 'SCHEDULE', memo: 'm', public_key: '01'.repeat(32) }]);
  });

  it('keep what this version of the messages does not know', async () => {
    const known = proto.SchedulableTransactionBody.encode(scheduledTransactionBody as never).finish();
    const unknownField = Buffer.of(0xc2, 0x3e, 0x02, 0x61, 0x62); // field 1000, two bytes
    const field = (number: number, bytes: Uint8Array) =>
      Writer.create()
        .uint32(number * 8 + 2)
        .bytes(bytes)
        .finish();
    const whole = Buffer.concat([known, unknownField]);
    const transactionBytes = Buffer.from(field(4, field(42, field(1, whole))));
    const { item } = decodeTransactionItem(
      {
        transaction: transactionBytes,
        record: Buffer.from(
          proto.TransactionRecord.encode({
            receipt: { status: 22, scheduleID: { scheduleNum: 800 } },
            consensusTimestamp: { seconds: 1_700_000_000 },
          } as never).finish(),
        ),
      },
      0,
    );
    const { rows } = await importBlockRows(toBlock([item]));
    expect(rows('schedule')[0]!.transaction_body).toEqual(whole);
  });

  it('belong to the sender of the Ethereum transaction that made them', async () => {
    const ethereum = (senderId: object | null): TransactionLiteral => ({
      body: { ethereumTransaction: {} },
      record: { contractCallResult: { gasUsed: 1, ...(senderId ? { senderId } : {}) } },
    });
    const { rows } = await importTransactions([ethereum({ accountNum: 1234 }), create({}, { parent: 0 })]);
    expect(rows('schedule')[0]).toMatchObject({ creator_account_id: 1234n, payer_account_id: 1234n });
    const { rows: unknown } = await importTransactions([ethereum(null), create({}, { parent: 0 })]);
    expect(unknown('schedule')[0]).toMatchObject({ creator_account_id: 1000n });
  });

  it('say when they were executed, also by a transaction that failed', async () => {
    const execution: TransactionLiteral = {
      body: { cryptoTransfer: {} },
      record: { scheduleRef: scheduleID },
      status: 28,
      nonce: 1,
    };
    const { rows } = await importTransactions([create(), execution]);
    expect(rows('schedule')).toMatchObject([{ schedule_id: 800n, executed_timestamp: timestampAt(1) }]);
    const alone = await importTransactions([execution]);
    expect(alone.rows('schedule')).toEqual([{ schedule_id: 800n, executed_timestamp: timestampAt(0) }]);
  });

  it('collect each signer once, of successful creations and signings only', async () => {
    const signature = (prefix: number, kind: string) => ({
      pubKeyPrefix: Buffer.alloc(4, prefix),
      [kind]: Buffer.alloc(64, prefix),
    });
    const sign = { body: { scheduleSign: { scheduleID } } };
    const { rows } = await importTransactions([
      create({}, { signatures: [signature(1, 'ed25519'), signature(1, 'ECDSASecp256k1')] }),
      { ...sign, signatures: [signature(2, 'ECDSASecp256k1'), signature(3, 'contract')] },
      { ...sign, signatures: [signature(4, 'ed25519')], status: 207 },
      { body: { cryptoTransfer: {} }, signatures: [signature(5, 'ed25519')] },
    ]);
    expect(
      rows('transaction_signature').map((row) => [
        row.consensus_timestamp,
        row.entity_id,
        row.public_key_prefix,
        row.type,
      ]),
    ).toEqual([
      [timestampAt(0), 800n, Buffer.alloc(4, 1), 3],
      [timestampAt(1), 800n, Buffer.alloc(4, 2), 6],
      [timestampAt(1), 800n, Buffer.alloc(4, 3), 2],
    ]);
    expect(rows('transaction')[1]!.entity_id).toBe(800n);
  });

  it('are marked when deleted, and not made when creation failed', async () => {
    const { rows } = await importTransactions([
      { body: { scheduleDelete: { scheduleID } } },
      create({}, { status: 10, receipt: {} }),
    ]);
    expect(rows('entity')).toMatchObject([{ id: 800n, type: 'SCHEDULE', deleted: true }]);
    expect(rows('schedule')).toEqual([]);
  });
});
