// A page of the calls within one transaction, by index.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import {
  type Execution,
  type ExecutionKey,
  executionBounds,
  executionValues,
  namedExecution,
  selectExecution,
} from './contract-execution.ts';
import { type PageFilter, selectPage, type Wanted } from './select-page.ts';
import { choosing, columnsOf, everyColumn, type RowOf, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

const action = everyColumn('contract_action');
const select = choosing(action, [
  'index',
  'recipientAccount',
  'recipientAddress',
  'recipientContract',
  'resultDataType',
]);
export type ContractActionRow = RowOf<typeof action>;

export type ContractActionsFilter = PageFilter & {
  execution: Exclude<ExecutionKey, { kind: 'time' }>;
  index: Range;
};

/** null = there is no such execution. */
export async function selectContractActions<Name extends string>(
  db: Database,
  filter: ContractActionsFilter & Wanted<Name>,
) {
  const { execution, index, order, limit: size, members } = filter;
  const chosen = select(members);
  if (db.isDistributed) {
    const found = await selectExecution(db, execution);
    return found && selectActionsAt(db, found, filter);
  }
  const values = executionValues(execution);
  const part = toRangePart(index, values);
  const limit = toLiteralLimit(size);
  const { kind } = execution;
  const rows = await db.query(
    selectQuery({
      name: 'select-actions-of-execution',
      shape: `${kind}${order}${limit}${part.code}`,
      select: { ...columnsOf(chosen, 'a').optional(), shape: chosen.shape! },
      from: `from (${namedExecution(kind)}) named left join lateral (
  select ${chosen.sql} from contract_action
  where consensus_timestamp = named.consensus_timestamp${executionBounds(kind, 'consensus_timestamp')}
    and payer_account_id = named.payer_account_id${part.sql('index')}
  order by index ${order} limit ${limit}
) a on true
order by a.index ${order}`,
      values,
    }),
  );
  if (rows.length === 0) return null;
  return rows.filter((row) => row.index !== null).slice(0, size) as RowOf<typeof chosen>[];
}

/** Of one transaction, known by time and payer. */
export function selectActionsAt<Name extends string>(
  db: Database,
  { consensusTimestamp, payerAccountId }: Execution,
  filter: PageFilter & { index: Range } & Wanted<Name>,
) {
  return selectPage(db, filter, {
    name: 'select-contract-actions',
    from: 'contract_action where consensus_timestamp = $1 and payer_account_id = $2',
    select: select(filter.members),
    values: [consensusTimestamp, payerAccountId],
    keys: { index: filter.index },
  });
}
