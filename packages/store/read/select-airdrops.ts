// Tokens sent to accounts that have not claimed them: by sender or by receiver.
import type { Range } from '../../kit/range.ts';
import { type PageFilter, pageReader } from './select-page.ts';
import { everyColumn, type RowOf } from './statement/columns.ts';

/** `serialNumber`: 0 for a fungible token. */
export type AirdropRow = RowOf<typeof airdrop>;

export type AirdropsFilter = PageFilter & {
  /** Which party `accountId` is. */
  by: 'sender' | 'receiver';
  accountId: bigint;
  /** The other party. */
  other: Range;
  token: Range;
  serialNumber: Range;
  /** Only rows after this other party, token and serial number; null = from the beginning. */
  after: readonly bigint[] | null;
};

const airdrop = everyColumn('token_airdrop', {
  receiver_id: 'receiver_account_id',
  sender_id: 'sender_account_id',
  timestamp: 'timestamp_range',
});

/** By other party, token and serial number. */
export const selectAirdrops = pageReader(
  airdrop,
  ['receiverId', 'senderId', 'serialNumber', 'tokenId'],
  ({ by, accountId, other, token, serialNumber }: AirdropsFilter) => ({
    name: `select-airdrops-by-${by}`,
    from: 'token_airdrop',
    owner: `${by}_account_id`,
    condition: ` and state = 'PENDING'`,
    values: [accountId],
    keys: {
      [by === 'sender' ? 'receiver_account_id' : 'sender_account_id']: other,
      token_id: token,
      serial_number: serialNumber,
    },
  }),
);
