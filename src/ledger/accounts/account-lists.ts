// Queries about what belongs to an account, by resource. Several exact values of a key are alternatives.

import { clampRange, isAnyRange, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type AirdropRow, type AirdropsFilter, selectAirdrops } from '../../../packages/store/read/select-airdrops.ts';
import {
  selectCryptoAllowances,
  selectNftAllowances,
  selectTokenAllowances,
} from '../../../packages/store/read/select-allowances.ts';
import { selectHoldingsOfAccount } from '../../../packages/store/read/select-holdings.ts';
import { type HookStorageFilter, selectHookStorage, selectHooks } from '../../../packages/store/read/select-hooks.ts';
import type { Wanted } from '../../../packages/store/read/select-page.ts';
import { selectStakingRewards } from '../../../packages/store/read/select-staking-rewards.ts';
import { words } from '../../../packages/store/read/statement/statement-parts.ts';
import { askPage, pagesOf, pagesOfKnown } from '../question/page.ts';
import { upperBound } from '../question/version-filter.ts';

/** `timestamp`: without any condition the current storage is meant; an exact time means everything until then. */
type HookStorageQuery = Omit<HookStorageFilter, 'timestamp'> & { timestamp: Range };

/** A list each, over a database. */
export const accountLists = {
  /** What an account allows others to spend, in tinybar or in smallest units of the token. */
  allowances: ({ db }: { db: Database }) => ({
    /** By spender. */
    listCrypto: pagesOf(db, selectCryptoAllowances, (last) => last.spender),
    /** By spender and token. */
    listTokens: pagesOf(db, selectTokenAllowances, (last) => [last.spender, last.tokenId]),
    /** For all NFTs of a token; by the other party and token. */
    listNfts: pagesOf(db, selectNftAllowances, (last, { by }) => [
      by === 'owner' ? last.spender : last.owner,
      last.tokenId,
    ]),
  }),
  /** Unclaimed ones; by the other party, token, and, if the last one is an NFT, serial number. */
  airdrops: ({ db }: { db: Database }) => ({
    list: pagesOf(db, findAirdrops, (last, { by }) => {
      const keys = [by === 'sender' ? last.receiverId : last.senderId, last.tokenId];
      return last.serialNumber === null ? keys : [...keys, last.serialNumber];
    }),
  }),
  /** Tokens of accounts, by token; null = the account is unknown. */
  holdings: ({ db }: { db: Database }) => ({
    listOfAccount: pagesOfKnown(db, selectHoldingsOfAccount, (last) => last.tokenId),
  }),
  hooks: ({ db }: { db: Database }) => ({
    /** Including deleted ones. */
    list: pagesOf(db, selectHooks, (last) => last.hookId),
    /** Empty for an unknown hook. The next page begins by key. */
    listStorage({ key, timestamp, ...query }: HookStorageQuery) {
      const keys = clampRange(key, words);
      const changed = isAnyRange(timestamp) ? null : { ...timestamp, to: upperBound(timestamp), equals: [] };
      return askPage(
        isEmptyRange(keys) || (changed && isEmptyRange(changed)) ? null : { ...query, key: keys, timestamp: changed },
        (filter) => selectHookStorage(db, filter),
        (last) => BigInt(`0x${last.key.toString('hex')}`),
      );
    },
  }),
  /** Rewards paid to an account, in tinybar; by time; null = the account is unknown. */
  stakingRewards: ({ db }: { db: Database }) => ({
    list: pagesOfKnown(db, selectStakingRewards, (last) => last.consensusTimestamp),
  }),
};

/** `serialNumber`: null for a fungible token, which is stored with the number 0. */
async function findAirdrops<Name extends keyof AirdropRow>(db: Database, filter: AirdropsFilter & Wanted<Name>) {
  const rows = await selectAirdrops(db, filter);
  return rows.map((row) => ({ ...row, serialNumber: row.serialNumber === 0n ? null : row.serialNumber }));
}
