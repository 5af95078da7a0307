import { describe, expect, it } from 'vitest';
import {
  importBlockRows,
  toBlock,
  toTransactionItem,
} from '../../../packages/test-support/streams/import-transactions.ts';

const amounts = (list: [account: number, amount: number][]) =>
  list.map(([accountNum, amount]) => ({ accountID: { accountNum }, amount }));

describe('hbar of transfers that failed', () => {
  const asked: [number, number][] = [
    [1000, -500],
    [1001, 500],
  ];
  const fees: [number, number][] = [
    [1000, -7],
    [3, 2],
    [98, 5],
  ];
  it.each([
    ['before 2020', 1_577_836_799_000_000_000n, 10, ['DELETE', 'DELETE', null, null, null]],
    ['from 2020 on', 1_577_836_799_000_000_001n, 10, [null, null, null, null, null]],
    ['before 2020, with success', 1_577_836_799_000_000_000n, 22, [null, null, null, null, null]],
  ])('%s', async (_when, consensusTimestamp, status, errata) => {
    const item = toTransactionItem({
      status,
      body: { cryptoTransfer: { transfers: { accountAmounts: amounts(asked) } } },
      record: { transferList: { accountAmounts: amounts([...asked, ...fees]) } },
    });
    const { rows } = await importBlockRows(toBlock([{ ...item, consensusTimestamp }]));
    expect(rows('crypto_transfer').map((row) => row.errata)).toEqual(errata);
    const balances = new Map(rows('entity').map((row) => [row.id, row.balance]));
    const isMoved = errata[0] === null;
    expect([balances.get(1000n), balances.get(1001n), balances.get(98n)]).toEqual(
      isMoved ? [-507n, 500n, 5n] : [-7n, undefined, 5n],
    );
  });
});
