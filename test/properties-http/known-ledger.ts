// What a page must contain, worked out in memory from the rows of the tables: every candidate of a list with what it is
// filtered by. Nothing here is shared with the queries of the product.

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';

export type Operator = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
export type Condition = { operator: Operator; value: bigint };

type Transaction = { at: bigint; payer: bigint; nonce: number; parent: bigint | null; type: number };
type Result = { at: bigint; sender: bigint | null; index: number | null; nonce: number; status: number };
type Synthetic = { at: bigint; index: number | null };
type Block = { number: bigint; hash: string; start: bigint; end: bigint };
type Schedule = { id: bigint; creator: bigint };

export type KnownLedger = {
  accounts: { id: bigint; created: bigint }[];
  transactionsOf(id: bigint): readonly Transaction[];
  results: readonly Result[];
  synthetic: readonly Synthetic[];
  blocks: readonly Block[];
  schedules: readonly Schedule[];
};

export async function readKnownLedger(db: Database): Promise<KnownLedger> {
  const select = <R>(name: string, text: string) => db.query<R>({ name: `known-${name}`, text });
  const accounts = await select<{ id: bigint; created: bigint }>(
    'accounts',
    `select id, created_timestamp as created from entity where type in ('ACCOUNT', 'CONTRACT') order by id`,
  );
  const transactions = await select<Transaction>(
    'transactions',
    `select consensus_timestamp as at, payer_account_id as payer, nonce, parent_consensus_timestamp as parent, type
     from transaction`,
  );
  const touched = await select<{ at: bigint; id: bigint }>(
    'touched',
    `select consensus_timestamp as at, entity_id as id from crypto_transfer
     union select consensus_timestamp, account_id from token_transfer
     union select consensus_timestamp, entity_id from entity_transaction`,
  );
  const byTime = new Map(transactions.map((transaction) => [transaction.at, transaction]));
  const times = new Map<bigint, Set<bigint>>();
  const add = (id: bigint, at: bigint) => times.set(id, (times.get(id) ?? new Set()).add(at));
  for (const { at, id } of touched) add(id, at);
  for (const { at, payer, nonce, parent, type } of transactions) {
    if (nonce === 0 || parent !== null || type === 11 || type === 15) add(payer, at);
  }
  return {
    accounts,
    transactionsOf: (id) => [...(times.get(id) ?? [])].map((at) => byTime.get(at)!),
    results: await select(
      'results',
      `select consensus_timestamp as at, sender_id as sender, transaction_index as index, transaction_nonce as nonce,
         transaction_result as status from contract_result`,
    ),
    synthetic: await select(
      'synthetic',
      'select distinct on (consensus_timestamp) consensus_timestamp as at, transaction_index as index from contract_log where synthetic',
    ),
    blocks: await select(
      'blocks',
      'select index as number, hash, consensus_start as start, consensus_end as end from record_file order by index',
    ),
    schedules: await select('schedules', 'select schedule_id as id, creator_account_id as creator from schedule'),
  };
}

/** Bounds and exclusions all at once; of several equals any one (`anyEqual`) or all of them. */
export function meets(value: bigint, conditions: readonly Condition[], { anyEqual }: { anyEqual: boolean }): boolean {
  const equals = conditions.filter(({ operator }) => operator === 'eq');
  const met = equals.filter((condition) => condition.value === value).length;
  if (equals.length > 0 && (anyEqual ? met === 0 : met < equals.length)) return false;
  return conditions.every(({ operator, value: bound }) => holds[operator](value, bound));
}

const holds: Readonly<Record<Operator, (value: bigint, bound: bigint) => boolean>> = {
  // Of several: see above.
  eq: () => true,
  ne: (value, bound) => value !== bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
};

export function isOfTypes(type: number, names: readonly string[], dialect: DialectName): boolean {
  if (names.length === 0) return true;
  return names.some((name) => {
    const { numbers, except } = findDialect(dialect).transactionTypes.get(name)!;
    return numbers.includes(type) !== except;
  });
}
