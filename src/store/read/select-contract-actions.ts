// A page of the calls inside one transaction, by index.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

export type ContractActionRow = RowOf<typeof actionRow>;

export type ContractActionsFilter = {
  consensusTimestamp: bigint;
  payerAccountId: bigint;
  index: Range;
  order: 'asc' | 'desc';
  limit: number;
};

export async function selectContractActions(
  db: Database,
  { consensusTimestamp, payerAccountId, index, order, limit: size }: ContractActionsFilter,
): Promise<ContractActionRow[]> {
  const limit = toLiteralLimit(size);
  const values: unknown[] = [consensusTimestamp, payerAccountId];
  const position = toRangePart(index, values);
  const query = selectQuery({
    name: 'select-contract-actions',
    shape: `${order}${limit}-${position.code}`,
    select: actionRow,
    from: `from contract_action
where consensus_timestamp = $1 and payer_account_id = $2${position.sql('index')} order by index ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, size);
}

const actionRow = columns('contract_action', [
  'call_depth',
  'call_operation_type',
  'call_type',
  'caller',
  'caller_type',
  'consensus_timestamp',
  'gas',
  'gas_used',
  'index',
  'input',
  'recipient_account',
  'recipient_address',
  'recipient_contract',
  'result_data',
  'result_data_type',
  'value',
]);
