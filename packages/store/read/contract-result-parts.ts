// Conditions of lists of contract results, as pieces of SQL.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { columns, selectQuery } from './statement/columns.ts';
import { type Part, toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

type SenderFilter = {
  /** Any of them. */
  equals: readonly bigint[];
  /** All of them. */
  others: readonly { operator: ComparisonOperator; id: bigint }[];
};

type BlockFilter = { number: bigint } | { hashPrefix: string } | null;

/** The filters of every list of contract results. */
export type ResultsFilter = {
  sender: SenderFilter;
  block: BlockFilter;
  transactionIndexes: readonly bigint[];
  /** Whether results of child transactions are listed too. */
  internal: boolean;
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

type ComparisonOperator = 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

/** `table` is a common table expression; `condition` selects the block in record_file. */
type BlockPart = Part & { table: string; condition: string };

/**
 * For columns of consensus timestamps. The block is found first; its bounds then work like given timestamps. A prefix
 * becomes a range of texts, because the pattern of `like $1` is unknown at planning: hashes are hexadecimal, so "g"
 * follows all of them.
 */
function toBlockPart(block: BlockFilter, values: unknown[]): BlockPart {
  if (!block) return { code: '', table: '', condition: '', sql: () => '' };
  const byNumber = 'number' in block;
  values.push(byNumber ? block.number : block.hashPrefix);
  const parameter = `$${values.length}`;
  const condition = byNumber
    ? `index = ${parameter}`
    : `hash collate "C" >= ${parameter} and hash collate "C" < ${parameter} || 'g'`;
  return {
    code: byNumber ? 'b' : 'h',
    condition,
    table: `block as materialized (
  select consensus_start, consensus_end from record_file where ${condition} limit 1
)`,
    sql: (column) => ` and ${column} >= (select consensus_start from block)
    and ${column} <= (select consensus_end from block)`,
  };
}

/** Time bounds of the block, for statements that cannot join it; null = there is no such block. */
export async function toBlockRange(db: Database, block: BlockFilter, range: Range): Promise<Range | null> {
  if (!block) return range;
  const values: unknown[] = [];
  const part = toBlockPart(block, values);
  const query = selectQuery({
    name: 'select-block-bounds',
    shape: part.code,
    select: columns('record_file', ['consensus_start', 'consensus_end']),
    from: `from record_file where ${part.condition} limit 1`,
    values,
  });
  const [found] = await db.query(query);
  if (!found) return null;
  const { consensusStart: start, consensusEnd: end } = found;
  const from = range.from !== null && range.from > start ? range.from : start;
  return { ...range, from, to: range.to !== null && range.to < end ? range.to : end };
}

/** The conditions of a filter; pushes their values. */
export function toResultParts(filter: ResultsFilter, values: unknown[]) {
  const limit = toLiteralLimit(filter.limit);
  const block = toBlockPart(filter.block, values);
  const time = toRangePart(filter.timestamp, values);
  const indexes = toIndexPart(filter.transactionIndexes, values);
  const sender = toSenderPart(filter.sender, values);
  const shared = (table: string): string => {
    const moment = `${table}.consensus_timestamp`;
    return block.sql(moment) + time.sql(moment) + indexes.sql(`${table}.transaction_index`);
  };
  const nonce = filter.internal ? '' : ' and r.transaction_nonce = 0';
  return {
    limit,
    shape: `${filter.internal ? 'i' : ''}-${block.code}${time.code}${indexes.code}${sender.code}`,
    /** The table `block`, if one is needed. */
    tables: block.table,
    /** ` and …` for a table with time and position of its transaction. */
    shared,
    /** ` and …`, everything, for contract_result as `r`. */
    all: `${shared('r')}${nonce}${sender.sql('r.sender_id')}`,
  };
}

/** Any of the positions. */
function toIndexPart(indexes: readonly bigint[], values: unknown[]): Part {
  if (indexes.length === 0) return { code: '', sql: () => '' };
  values.push(indexes);
  const parameter = `$${values.length}::int8[]`;
  return { code: 'x', sql: (column) => ` and ${column} = any(${parameter})` };
}

const operatorSql = { ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function toSenderPart(sender: SenderFilter, values: unknown[]): Part {
  const tests: string[] = [];
  let code = '';
  if (sender.equals.length === 1) {
    values.push(sender.equals[0]);
    tests.push(`= $${values.length}`);
    code += 'S';
  } else if (sender.equals.length > 1) {
    values.push(sender.equals);
    tests.push(`= any($${values.length})`);
    code += 'A';
  }
  // Every bound is kept, so the text depends only on the number of parameters of each operator; equal operators are
  // folded.
  for (const operator of ['ne', 'lt', 'lte', 'gt', 'gte'] as const) {
    const ids = sender.others.filter((condition) => condition.operator === operator).map((condition) => condition.id);
    if (ids.length === 0) continue;
    values.push(ids);
    tests.push(`${operatorSql[operator]} all($${values.length})`);
    code += `-${operator}`;
  }
  return { code, sql: (column) => tests.map((test) => ` and ${column} ${test}`).join('') };
}
