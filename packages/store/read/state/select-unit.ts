// What a transaction caused: records of its own around it, with its id.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { columns, type RowOf, selectQuery } from '../statement/columns.ts';

const named = columns('transaction', ['scheduled', 'valid_start_ns']);
const child = columns('transaction', ['consensus_timestamp', 'entity_id', 'result', 'type']);
export type ChildRow = RowOf<typeof child>;

/** Records of one unit follow each other by a nanosecond; there are fewer than this. */
const unitSpan = 1000n;

/** Before and after it, by time. */
export async function selectChildren(
  db: Database,
  { payerAccountId, consensusTimestamp: at }: { payerAccountId: bigint; consensusTimestamp: bigint },
): Promise<ChildRow[]> {
  const transaction = await selectOne(db, {
    name: 'select-transaction-id-at',
    select: named,
    from: 'from transaction where payer_account_id = $1 and consensus_timestamp = $2',
    values: [payerAccountId, at],
  });
  if (transaction === null) return [];
  const { validStartNs, scheduled } = transaction;
  return db.query(
    selectQuery({
      name: 'select-children-of-transaction',
      select: child,
      from: `from transaction
where payer_account_id = $1 and valid_start_ns = $2 and scheduled = $3 and nonce > 0
  and consensus_timestamp between $4 and $5
order by consensus_timestamp`,
      values: [payerAccountId, validStartNs, scheduled, at - unitSpan, at + unitSpan],
    }),
  );
}
