import { describe, expect, it } from 'vitest';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const topicID = { topicNum: 300 };
const key = (byte: number) => ({ ed25519: Buffer.alloc(32, byte) });
const keyBytes = (byte: number) => proto.Key.encode(key(byte) as never).finish();

describe('topics', () => {
  it('keep keys and fees, and a row that says there are no fees', async () => {
    const customFees = [
      { fixedFee: { amount: 5, denominatingTokenId: { tokenNum: 40 } }, feeCollectorAccountId: { accountNum: 98 } },
    ];
    const { rows, problems } = await importTransactions([
      {
        body: {
          consensusCreateTopic: {
            memo: 't',
            adminKey: key(1),
            submitKey: key(2),
            feeScheduleKey: key(3),
            feeExemptKeyList: [key(4)],
            autoRenewAccount: { accountNum: 1005 },
            customFees,
          },
        },
        receipt: { topicID },
      },
      { body: { consensusUpdateTopic: { topicID, submitKey: { keyList: {} }, customFees: {} } } },
      { body: { consensusDeleteTopic: { topicID } } },
    ]);
    expect(problems).toEqual([]);
    expect(rows('topic')).toMatchObject([
      {
        id: 300n,
        admin_key: keyBytes(1),
        created_timestamp: timestampAt(0),
        fee_schedule_key: keyBytes(3),
        fee_exempt_key_list: proto.FeeExemptKeyList.encode({ keys: [key(4)] } as never).finish(),
        submit_key: keyBytes(2),
        timestamp_range: { from: timestampAt(0), to: timestampAt(1) },
      },
      {
        admin_key: keyBytes(1),
        submit_key: proto.Key.encode({ keyList: {} } as never).finish(),
        timestamp_range: { from: timestampAt(1), to: null },
      },
    ]);
    expect(rows('custom_fee')).toMatchObject([
      {
        entity_id: 300n,
        fixed_fees: [
          { all_collectors_are_exempt: false, amount: 5n, collector_account_id: 98n, denominating_token_id: 40n },
        ],
      },
      { entity_id: 300n },
    ]);
    expect(rows('custom_fee')[1]!.fixed_fees ?? null).toBeNull();
    expect(rows('entity').map((row) => [row.deleted, row.memo, row.auto_renew_account_id, row.public_key])).toEqual([
      [false, 't', 1005n, '01'.repeat(32)],
      [false, 't', 1005n, '01'.repeat(32)],
      [true, 't', 1005n, '01'.repeat(32)],
    ]);
  });

  const submit = (version: number, body: object = {}): TransactionLiteral => ({
    body: { consensusSubmitMessage: { topicID, message: Buffer.of(7), ...body } },
    receipt: { topicSequenceNumber: 5, topicRunningHash: Buffer.alloc(48, 6), topicRunningHashVersion: version },
  });

  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, null],
  ])('keep running hash version %d as %s', async (version, stored) => {
    const { rows } = await importTransactions([submit(version)]);
    expect(rows('topic_message')).toMatchObject([
      {
        consensus_timestamp: timestampAt(0),
        message: Buffer.of(7),
        payer_account_id: 1000n,
        running_hash: Buffer.alloc(48, 6),
        running_hash_version: stored,
        sequence_number: 5n,
        topic_id: 300n,
        chunk_num: null,
        chunk_total: null,
        initial_transaction_id: null,
      },
    ]);
  });

  it('keep which chunk of what a message is', async () => {
    const initialTransactionID = { accountID: { accountNum: 1000 }, transactionValidStart: { seconds: 4 } };
    const { rows } = await importTransactions([
      submit(3, { chunkInfo: { number: 2, total: 9, initialTransactionID } }),
    ]);
    expect(rows('topic_message')).toMatchObject([
      {
        chunk_num: 2,
        chunk_total: 9,
        initial_transaction_id: proto.TransactionID.encode(initialTransactionID as never).finish(),
      },
    ]);
  });
});
