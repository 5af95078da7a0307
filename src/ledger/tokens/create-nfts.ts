// Single NFTs: those of an account or of a token, and what happened to one.
import { everyCondition, isEmptyRange, type Range } from '../../kit/range.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import {
  type NftEventRow,
  type NftRow,
  selectNft,
  selectNftEvents,
  selectNftsOfAccount,
  selectNftsOfToken,
} from '../../store/read/select-nfts.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

export type Nft = {
  /** The owner. */
  accountId: bigint | null;
  createdTimestamp: bigint | null;
  delegatingSpender: bigint | null;
  /** By itself or with its token; null = not known. */
  deleted: boolean | null;
  metadata: Buffer | null;
  modifiedTimestamp: bigint;
  serialNumber: bigint;
  spender: bigint | null;
  tokenId: bigint;
};

/** A transaction that changed an NFT, and between whom it moved it. */
export type NftEvent = {
  consensusTimestamp: bigint;
  nonce: number;
  payerAccountId: bigint;
  validStart: bigint;
  type: number;
  isApproval: boolean;
  receiverAccountId: bigint | null;
  senderAccountId: bigint | null;
};

export type NftEvents = Page<NftEvent> & {
  /** Whether the NFT's first versions may be unknown here. */
  partial: boolean;
};

type PageQuery = { order: 'asc' | 'desc'; limit: number };

export type NftsOfAccountQuery = PageQuery & { accountId: bigint; token: Range; serialNumber: Range; spender: Range };
/** Every condition must hold. */
export type NftsOfTokenQuery = PageQuery & { tokenId: bigint; serialNumber: Range; account: Range };
export type NftEventsQuery = PageQuery & { tokenId: bigint; serialNumber: bigint; timestamp: Range };

export function createNfts({ db }: { db: Database }) {
  return {
    /** By token and serial number; of several exact spenders any. */
    async listOfAccount(query: NftsOfAccountQuery): Promise<Page<Nft, readonly bigint[]>> {
      if (isEmptyRange(query.token) || isEmptyRange(query.spender)) return emptyPage;
      const keys = { primary: query.token, secondary: query.serialNumber };
      const rows = await selectNftsOfAccount(db, { ...query, keys });
      return toPage(rows.map(toNft), query.limit, (last) => [last.tokenId, last.serialNumber]);
    },
    /** By serial number. */
    async listOfToken(query: NftsOfTokenQuery): Promise<Page<Nft>> {
      const serialNumber = everyCondition(query.serialNumber);
      const account = everyCondition(query.account);
      if (isEmptyRange(serialNumber) || isEmptyRange(account)) return emptyPage;
      const rows = await selectNftsOfToken(db, { ...query, serialNumber, account });
      return toPage(rows.map(toNft), query.limit, (last) => last.serialNumber);
    },
    async find(tokenId: bigint, serialNumber: bigint): Promise<Nft | null> {
      const row = await selectNft(db, tokenId, serialNumber);
      return row && toNft(row);
    },
    /** By time; every condition must hold. */
    async listEvents(query: NftEventsQuery): Promise<NftEvents> {
      const timestamp = everyCondition(query.timestamp);
      if (isEmptyRange(timestamp)) return { ...emptyPage, partial: false };
      const rows = await selectNftEvents(db, { ...query, timestamp });
      const page = toPage(rows.map(toNftEvent), query.limit, (last) => last.consensusTimestamp);
      return { ...page, partial: rows.some((row) => row.createdTimestamp === null) };
    },
  };
}

function toNft(row: NftRow): Nft {
  return {
    accountId: row.accountId,
    createdTimestamp: row.createdTimestamp,
    delegatingSpender: row.delegatingSpender,
    deleted: row.tokenDeleted || row.deleted,
    metadata: row.metadata,
    modifiedTimestamp: row.timestampRange.from,
    serialNumber: row.serialNumber,
    spender: row.spender,
    tokenId: row.tokenId,
  };
}

function toNftEvent(row: NftEventRow): NftEvent {
  // The transfers of a deletion would be those that the token's NFTs end with; clients are shown none.
  const moved = row.type !== typeNumber.tokenDeletion;
  return {
    consensusTimestamp: row.consensusTimestamp,
    nonce: row.nonce,
    payerAccountId: row.payerAccountId,
    validStart: row.validStartNs,
    type: row.type,
    isApproval: moved && row.isApproval === true,
    receiverAccountId: moved ? row.receiverAccountId : null,
    senderAccountId: moved ? row.senderAccountId : null,
  };
}
