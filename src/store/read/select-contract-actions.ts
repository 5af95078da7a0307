// A page of the calls within one transaction, by index.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns, type RowOf } from './statement/columns.ts';

export type ContractActionRow = RowOf<typeof actionRow>;

export type ContractActionsFilter = PageFilter & { consensusTimestamp: bigint; payerAccountId: bigint; index: Range };

export function selectContractActions(
  db: Database,
  { consensusTimestamp, payerAccountId, index, ...page }: ContractActionsFilter,
): Promise<ContractActionRow[]> {
  return selectPage(db, page, {
    name: 'select-contract-actions',
    select: actionRow,
    from: 'contract_action where consensus_timestamp = $1 and payer_account_id = $2',
    values: [consensusTimestamp, payerAccountId],
    keys: { index },
  });
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
