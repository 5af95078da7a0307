// NFTs: those of an account or of a token, and the events of one.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import {
  type NftEventRow,
  type NftEventsFilter,
  type NftFilter,
  type NftRow,
  type NftsOfTokenFilter,
  selectNft,
  selectNftEvents,
  selectNftsOfAccount,
  selectNftsOfToken,
} from '../../../packages/store/read/select-nfts.ts';
import type { Wanted } from '../../../packages/store/read/select-page.ts';
import { askPage, type Page, pagesOf, toPage, whereEvery } from '../question/page.ts';

export type NftEvent = ReturnType<typeof toNftEvent>;

/** `partial`: whether the NFT's first versions may be unknown here. */
export type NftEvents = Page<NftEvent> & { partial: boolean };

export function createNfts({ db }: { db: Database }) {
  return {
    /** By token and serial number; several exact spenders are alternatives. */
    listOfAccount: pagesOf(db, selectNftsOfAccount, (last) => [last.tokenId, last.serialNumber]),
    /** By serial number; every condition must hold. */
    listOfToken: <Name extends keyof NftRow>(query: NftsOfTokenFilter & Wanted<Name>) =>
      askPage(
        whereEvery(query, ['serialNumber', 'account']),
        (filter) => selectNftsOfToken(db, filter),
        (last) => last.serialNumber,
      ),
    async find<Name extends keyof NftRow>(query: NftFilter & Wanted<Name>) {
      return (await selectNft(db, { ...query, order: 'asc', limit: 1 }))[0] ?? null;
    },
    /** By time; every condition must hold. */
    async listEvents(query: NftEventsFilter): Promise<NftEvents> {
      const filter = whereEvery(query, ['timestamp']);
      const rows = filter ? await selectNftEvents(db, filter) : [];
      const page = toPage(rows.map(toNftEvent), query.limit, (last) => last.consensusTimestamp);
      return { ...page, partial: rows.some((row) => row.createdTimestamp === null) };
    },
  };
}

/** A transaction that changed an NFT, with sender and receiver. */
function toNftEvent(row: NftEventRow) {
  // The transfers of a token's deletion would be those that remove its NFTs; clients get none.
  const moved = row.type !== typeNumber.tokenDeletion;
  return {
    ...row,
    isApproval: moved && row.isApproval === true,
    receiverAccountId: moved ? row.receiverAccountId : null,
    senderAccountId: moved ? row.senderAccountId : null,
  };
}
