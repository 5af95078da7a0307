// Airdrops that wait to be claimed.
import { isEmptyRange } from '../../kit/range.ts';
import { type AirdropRow, type AirdropsFilter, selectAirdrops } from '../../store/read/select-airdrops.ts';
import type { TimestampRange } from '../../store/schema/table.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

export type Airdrop = {
  /** Smallest units; null for an NFT. */
  amount: bigint | null;
  receiverId: bigint;
  senderId: bigint;
  /** null for a fungible token. */
  serialNumber: bigint | null;
  valid: TimestampRange;
  tokenId: bigint;
};

export type AirdropsQuery = AirdropsFilter;

export function createAirdrops({ db }: { db: Database }) {
  return {
    /** By the other party, token, and, where the last one is an NFT, serial number. */
    async list(query: AirdropsQuery): Promise<Page<Airdrop, readonly bigint[]>> {
      if (isEmptyRange(query.other)) return emptyPage;
      const items = (await selectAirdrops(db, query)).map(toAirdrop);
      return toPage(items, query.limit, (last) => {
        const other = query.by === 'sender' ? last.receiverId : last.senderId;
        return last.serialNumber === null ? [other, last.tokenId] : [other, last.tokenId, last.serialNumber];
      });
    },
  };
}

function toAirdrop(row: AirdropRow): Airdrop {
  return {
    amount: row.amount,
    receiverId: row.receiverAccountId,
    senderId: row.senderAccountId,
    // Fungible tokens are kept with the number 0.
    serialNumber: row.serialNumber === 0n ? null : row.serialNumber,
    valid: row.timestampRange,
    tokenId: row.tokenId,
  };
}
