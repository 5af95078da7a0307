// Tokens that were sent to accounts which have not claimed them: by sender or by receiver.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './columns.ts';
import { toKeyPart } from './key-part.ts';
import { toLiteralLimit } from './statement-parts.ts';

export type AirdropRow = RowOf<typeof airdropRow>;

export type AirdropsFilter = {
  /** Which party `accountId` is. */
  by: 'sender' | 'receiver';
  accountId: bigint;
  /** The other party. */
  other: Range;
  token: Range;
  serialNumber: Range;
  /** Other party, token and serial number that only what follows comes after; null = from the beginning. */
  after: readonly bigint[] | null;
  order: 'asc' | 'desc';
  limit: number;
};

/** By other party, token and serial number. */
export async function selectAirdrops(db: Database, filter: AirdropsFilter): Promise<AirdropRow[]> {
  const { by, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.accountId];
  const [own, other] =
    by === 'sender' ? ['sender_account_id', 'receiver_account_id'] : ['receiver_account_id', 'sender_account_id'];
  const keys = toKeyPart(
    [
      { column: other!, range: filter.other },
      { column: 'token_id', range: filter.token },
      { column: 'serial_number', range: filter.serialNumber },
    ],
    values,
    filter,
  );
  const query = selectQuery({
    name: `select-airdrops-by-${by}`,
    shape: `${order}${limit}-${keys.code}`,
    select: airdropRow,
    from: `from token_airdrop where ${own} = $1 and state = 'PENDING'${keys.sql}
order by ${other} ${order}, token_id ${order}, serial_number ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const airdropRow = columns('token_airdrop', [
  'amount',
  'receiver_account_id',
  'sender_account_id',
  'serial_number',
  'timestamp_range',
  'token_id',
]);
