import { describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { decodeTransactionItem } from '../../../packages/streams/record-stream/decode-transaction-item.ts';
import {
  importBlockRows,
  importTransactions,
  toBlock,
} from '../../../packages/test-support/streams/import-transactions.ts';

const record = { receipt: { status: 22 }, consensusTimestamp: { seconds: 1_700_000_000, nanos: 0 } };

function createdAccount(): ReturnType<typeof decodeTransactionItem>['item'] {
  const bodyBytes = proto.TransactionBody.encode({ cryptoCreateAccount: { memo: 'm' } }).finish();
  return decodeTransactionItem(
    {
      transaction: Buffer.from(proto.Transaction.encode({ bodyBytes }).finish()),
      record: Buffer.from(
        proto.TransactionRecord.encode({
          ...record,
          receipt: { status: 22, accountID: { accountNum: 5 } },
        } as never).finish(),
      ),
    },
    0,
  ).item;
}

describe('an item', () => {
  it('whose handler fails at good data is stored without that part, and the failure counts as a defect', async () => {
    const item = createdAccount();
    Object.defineProperty(item.body.cryptoCreateAccount, 'memo', {
      get() {
        throw new TypeError('no such thing');
      },
    });
    const { rows, problems } = await importBlockRows(toBlock([item]));
    expect(rows('transaction')).toMatchObject([{ type: 11, entity_id: 5n }]);
    expect(rows('entity')).toEqual([]);
    expect(problems).toMatchObject([{ type: 11, problem: 'no such thing', defect: expect.any(TypeError) }]);
  });

  it('whose body could not be decoded is stored without an entity, and no handler is asked', async () => {
    const item = createdAccount();
    item.body.cryptoCreateAccount = null;
    const { rows, problems } = await importBlockRows(toBlock([item]));
    expect(rows('transaction')).toMatchObject([{ type: 11, entity_id: null }]);
    expect(rows('entity')).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('with bad data is stored without that part, and that is no defect', async () => {
    const { rows, problems } = await importTransactions([
      {
        body: { cryptoUpdateAccount: { accountIDToUpdate: { accountNum: -5 } } },
        record: { transferList: { accountAmounts: [{ accountID: { accountNum: 7 }, amount: 9 }] } },
      },
    ]);
    expect(rows('transaction')).toMatchObject([{ type: 15, entity_id: null }]);
    expect(rows('crypto_transfer')).toMatchObject([{ entity_id: 7n, amount: 9n }]);
    expect(problems).toMatchObject([{ type: 15, problem: 'Invalid entity id 0.0.-5' }]);
    expect(problems[0]?.defect).toBeUndefined();
  });

  it('keeps everything but a contract action with a negative id', async () => {
    const { rows, problems } = await importTransactions([
      {
        body: { contractCall: { contractID: { contractNum: 6 } } },
        record: {
          contractCallResult: {
            contractID: { contractNum: 6 },
            gasUsed: 5,
            logInfo: [{ contractID: { contractNum: 6 } }],
          },
        },
        sidecars: [
          {
            actions: {
              contractActions: [
                { callingAccount: { accountNum: -1 } },
                { callingAccount: { accountNum: 1000 }, callDepth: 1 },
              ],
            },
          },
        ],
      },
    ]);
    expect(rows('contract_result').length).toBe(1);
    expect(rows('contract_log').length).toBe(1);
    expect(rows('contract_transaction_hash').length).toBe(1);
    expect(rows('contract_action')).toMatchObject([{ index: 1, caller: 1000n }]);
    expect(problems).toMatchObject([{ problem: 'Invalid entity id 0.0.-1' }]);
  });

  it('keeps a uint64 beyond int64 as the negative number with the same bits', async () => {
    const { rows, problems } = await importTransactions([
      { body: { transactionFee: 0, contractCall: { contractID: { contractNum: 6 }, gas: -5 } }, status: 7 },
    ]);
    expect(problems).toEqual([]);
    expect(rows('contract_result')).toMatchObject([{ gas_limit: -5n }]);
  });
});
