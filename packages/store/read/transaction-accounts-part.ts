// The accounts of a page of transactions, as pieces of SQL.
import type { Range } from '../../kit/range.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { isIndexedTransfer, unindexedFeeAccount, unindexedRewardAccount } from '../../schema/unindexed-accounts.ts';
import { toRangePart } from './statement/statement-parts.ts';

export type AccountsPart = {
  kind: 'all' | 'one' | 'several' | 'range';
  code: string;
  /** The condition that a column is the account; of several, the current one (`wanted.id`). */
  sql(column: string): string;
  /** The condition that a column is any of them. */
  any(column: string): string;
  /** Several accounts as the table `wanted`. */
  each: string;
  /** The only account. */
  one: string;
  /** The conditions on crypto_transfer `s`, each read by itself. */
  transfers: readonly { condition: string; isEach: boolean }[];
  /** The same for one probe, if the time is known. */
  anyTransfer: string;
};

/** Pushes its values. */
export function toAccountsPart(accounts: readonly bigint[] | Range | null, values: unknown[]): AccountsPart {
  if (accounts === null) return toEverybody();
  if (!isList(accounts)) return toRangeOfAccounts(accounts, values);
  return accounts.length === 1 ? toOneAccount(accounts[0]!, values) : toSeveralAccounts(accounts, values);
}

/** SQL: whether a transaction is listed for its payer. Inner calls of a contract have a nonce and no parent. */
export function isListedForPayer(alias: string): string {
  return `(${alias}.nonce = 0 or ${alias}.parent_consensus_timestamp is not null or ${alias}.type in (${typeNumber.cryptoCreateAccount}, ${typeNumber.cryptoUpdateAccount}))`;
}

function isList(accounts: readonly bigint[] | Range): accounts is readonly bigint[] {
  return Array.isArray(accounts);
}

function toEverybody(): AccountsPart {
  const sql = () => 'true';
  return {
    kind: 'all',
    code: 'A',
    sql,
    any: sql,
    each: '',
    one: '',
    transfers: [{ condition: 'true', isEach: false }],
    anyTransfer: 'true',
  };
}

// The index (entity_id, consensus_timestamp) leaves out one account, on some databases two, and PostgreSQL uses it only
// if the text itself excludes them. Nearly every transaction pays the first, so its page is read along the timestamps;
// only a literal shows the planner that, since a parameter stands for an account with average traffic.
const ofFees = `s.entity_id = ${unindexedFeeAccount}`;
const ofRewards = `s.entity_id = ${unindexedRewardAccount} and s.entity_id <> ${unindexedFeeAccount}`;
const ofOthers = (account: string) => `s.entity_id = ${account} and ${isIndexedTransfer}`;

function toOneAccount(id: bigint, values: unknown[]): AccountsPart {
  values.push(id);
  const parameter = `$${values.length}`;
  const sql = (column: string) => `${column} = ${parameter}`;
  const [code, condition] =
    id === unindexedFeeAccount
      ? ['F', ofFees]
      : id === unindexedRewardAccount
        ? ['R', ofRewards]
        : ['', ofOthers(parameter)];
  return {
    kind: 'one',
    code,
    sql,
    any: sql,
    each: '',
    one: parameter,
    transfers: [{ condition, isEach: false }],
    anyTransfer: condition,
  };
}

function toSeveralAccounts(ids: readonly bigint[], values: unknown[]): AccountsPart {
  values.push(ids);
  const parameter = `$${values.length}::int8[]`;
  const any = (column: string) => `${column} = any(${parameter})`;
  const hasFees = ids.includes(unindexedFeeAccount);
  const hasRewards = ids.includes(unindexedRewardAccount);
  return {
    kind: 'several',
    code: `S${hasFees ? 'F' : ''}${hasRewards ? 'R' : ''}`,
    sql: (column) => `${column} = wanted.id`,
    any,
    each: `unnest(${parameter}) as wanted (id)`,
    one: '',
    transfers: [
      { condition: ofOthers('wanted.id'), isEach: true },
      ...(hasFees ? [{ condition: ofFees, isEach: false }] : []),
      ...(hasRewards ? [{ condition: ofRewards, isEach: false }] : []),
    ],
    anyTransfer: any('s.entity_id'),
  };
}

function toRangeOfAccounts(range: Range, values: unknown[]): AccountsPart {
  const part = toRangePart(range, values);
  const sql = (column: string) => `true${part.sql(column)}`;
  return {
    kind: 'range',
    code: `G${part.code}`,
    sql,
    any: sql,
    each: '',
    one: '',
    transfers: [{ condition: sql('s.entity_id'), isEach: false }],
    anyTransfer: sql('s.entity_id'),
  };
}
