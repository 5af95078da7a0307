// Where a transaction stands among the records of its unit: what it made itself may be recorded before it.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { type ChildRow, selectChildren } from '../../../packages/store/read/state/select-unit.ts';

export type Unit = {
  /** The last moment before all of it, ns. */
  before: bigint;
  /** When the last record of it was made, ns. */
  after: bigint;
  /** Ids of accounts that it made, with code or without. */
  createdAccounts: bigint[];
  /** Accounts whose record says that they were made or changed. */
  accounts: Pick<ChildRow, 'consensusTimestamp' | 'entityId'>[];
};

export async function findUnit(
  db: Database,
  result: { payerAccountId: bigint; consensusTimestamp: bigint },
): Promise<Unit> {
  const { consensusTimestamp: at } = result;
  const children = await selectChildren(db, result);
  const first = children[0]?.consensusTimestamp ?? at;
  const last = children.at(-1)?.consensusTimestamp ?? at;
  const accounts = children.filter(
    ({ type, result: status }) => isAccountType(type) && status === responseCode.SUCCESS,
  );
  const made = accounts.filter(({ type }) => type === typeNumber.cryptoCreateAccount);
  return {
    before: (first < at ? first : at) - 1n,
    after: last > at ? last : at,
    createdAccounts: made.flatMap(({ entityId }) => (entityId === null ? [] : entityId)),
    accounts,
  };
}

function isAccountType(type: number): boolean {
  return type === typeNumber.cryptoCreateAccount || type === typeNumber.cryptoUpdateAccount;
}
