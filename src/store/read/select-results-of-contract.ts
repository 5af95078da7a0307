// A page of the results of one contract, without what block and Ethereum transaction say of them.
import type { Range } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { Database } from '../wire/database.ts';
import { columnsOf, type RowOf, selectAll, selectQuery } from './columns.ts';
import {
  type BlockFilter,
  type SenderFilter,
  toBlockPart,
  toBlockRange,
  toIndexPart,
  toNoncePart,
  toSenderPart,
} from './contract-result-parts.ts';
import { entityOfResult, joinEntity, resultColumns } from './contract-result-row.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

export type ResultOfContractRow = RowOf<typeof storedRow>;

export type ResultsOfContractFilter = {
  contractId: bigint;
  sender: SenderFilter;
  block: BlockFilter;
  transactionIndexes: readonly bigint[];
  internal: boolean;
  timestamp: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectResultsOfContract(
  db: Database,
  filter: ResultsOfContractFilter,
): Promise<ResultOfContractRow[]> {
  const { order } = filter;
  if (db.isDistributed && filter.block) {
    const timestamp = await toBlockRange(db, filter.block, filter.timestamp);
    return timestamp === null ? [] : selectResultsOfContract(db, { ...filter, timestamp, block: null });
  }
  const values: unknown[] = [filter.contractId];
  const limit = toLiteralLimit(filter.limit);
  const block = toBlockPart(filter.block, values);
  const time = toRangePart(filter.timestamp, values);
  const indexes = toIndexPart(filter.transactionIndexes, values);
  const sender = toSenderPart(filter.sender, values);
  const nonce = toNoncePart(filter.internal);
  const conditions = [
    block.sql('r.consensus_timestamp'),
    time.sql('r.consensus_timestamp'),
    indexes.sql('r.transaction_index'),
    sender.sql('r.sender_id'),
    nonce.sql,
  ].join('');
  const query = selectQuery({
    name: 'select-results-of-contract',
    shape: `${order}${limit}${nonce.code}-${block.code}${time.code}${indexes.code}${sender.code}`,
    tables: `${block.table}page as (
  select ${resultColumns.sql}
  from contract_result r
  where r.contract_id = $1 and r.transaction_result <> ${responseCode.WRONG_NONCE}${conditions}
  order by r.consensus_timestamp ${order} limit ${limit}
)`,
    select: storedRow,
    from: `from page ${joinEntity('$1')}
order by page.consensus_timestamp ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const storedRow = selectAll(columnsOf(resultColumns, 'page'), columnsOf(entityOfResult, 'e').optional());
