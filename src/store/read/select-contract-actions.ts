// A page of the calls within one transaction, by index.
import type { Range } from '../../kit/range.ts';
import { type PageFilter, pageReader } from './select-page.ts';
import { everyColumn, type RowOf } from './statement/columns.ts';

const action = everyColumn('contract_action');
export type ContractActionRow = RowOf<typeof action>;

export type ContractActionsFilter = PageFilter & { consensusTimestamp: bigint; payerAccountId: bigint; index: Range };

export const selectContractActions = pageReader(
  action,
  ['index', 'recipientAccount', 'recipientAddress', 'recipientContract', 'resultDataType'],
  ({ consensusTimestamp, payerAccountId, index }: ContractActionsFilter) => ({
    name: 'select-contract-actions',
    from: 'contract_action where consensus_timestamp = $1 and payer_account_id = $2',
    values: [consensusTimestamp, payerAccountId],
    keys: { index },
  }),
);
