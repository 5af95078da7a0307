// Facts that system contracts ask for, by kind: all of one kind in one statement.
import type {
  AnyFact,
  CustomFees,
  FactKey,
  FactKind,
  NftFacts,
  OwnerFacts,
  RelationFacts,
  ScheduleFacts,
  StoredKey,
  TokenFacts,
} from '../../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { parseExactJson } from '../../store/read/parse-exact-json.ts';
import { selectPastHoldings } from '../../store/read/state/select-past-holdings.ts';
import { selectPastSupplies } from '../../store/read/state/select-past-supplies.ts';
import {
  type StateTokenRow,
  selectHbarAllowances,
  selectLastSerials,
  selectNftAllowances,
  selectStateHoldings,
  selectStateNfts,
  selectStateOwners,
  selectStateRelations,
  selectStateSchedules,
  selectStateTokens,
  selectTokenAllowances,
} from '../../store/read/state/select-state-tokens.ts';
import type { FetchedFacts } from './fetched-facts.ts';
import type { SystemFiles } from './system-files.ts';

export type LedgerFactsOptions = {
  system: SystemRealm;
  files: SystemFiles;
  until: bigint | null;
  /** Consensus end of the block, ns. */
  at: bigint;
  /** Of the newest balances before the moment; only asked for the past. */
  snapshot(): Promise<bigint>;
};

type KeysOf<Kind extends FactKind> = readonly Extract<FactKey, { kind: Kind }>[];
/** In the order of the keys. */
type Fetchers = { [Kind in FactKind]: (keys: KeysOf<Kind>) => Promise<AnyFact[]> };

export async function fetchLedgerFacts(
  db: Database,
  keys: readonly FactKey[],
  options: LedgerFactsOptions,
): Promise<FetchedFacts['facts']> {
  if (keys.length === 0) return [];
  const fetchers = createFetchers(db, options);
  const byKind = Map.groupBy(keys, ({ kind }) => kind);
  const fetched = await Promise.all(
    [...byKind].map(async ([kind, ofKind]) => {
      const facts = await (fetchers[kind] as (keys: readonly FactKey[]) => Promise<AnyFact[]>)(ofKind);
      return ofKind.map((key, place) => ({ key, fact: facts[place]! }));
    }),
  );
  return fetched.flat();
}

function createFetchers(db: Database, options: LedgerFactsOptions): Fetchers {
  return { ...createTokenFetchers(db, options), ...createOtherFetchers(db, options) };
}

type TokenKind = 'token' | 'supply' | 'relation' | 'nft' | 'lastSerial';

function createTokenFetchers(db: Database, { system, until, snapshot }: LedgerFactsOptions): Pick<Fetchers, TokenKind> {
  const id = (num: bigint): bigint => inRealm(num, system);
  return {
    async token(keys) {
      const rows = await selectStateTokens(
        db,
        keys.map(({ token }) => id(token)),
        until,
      );
      return keys.map((_, place) => toToken(rows.get(place), until === null));
    },
    async supply(keys) {
      if (until === null) throw new Error('The supply of now is that of the token.');
      const ofType = (wanted: boolean) =>
        keys.flatMap(({ token, isFungible }) => (isFungible === wanted ? id(token) : []));
      const tokens = { fungible: ofType(true), nonFungible: ofType(false) };
      const supplies = await selectPastSupplies(db, tokens, { snapshot: await snapshot(), until });
      return keys.map(({ token }) => supplies.get(id(token)) ?? 0n);
    },
    async relation(keys) {
      const asked = keys.map(({ token, account }) => ({ token: id(token), account: id(account) }));
      const [rows, held] = await Promise.all([
        selectStateRelations(
          db,
          asked.map(({ token, account }) => [token, account]),
          until,
        ),
        until === null ? null : snapshot().then((at) => selectPastHoldings(db, asked, { snapshot: at, until })),
      ]);
      return keys.map((_, place) => {
        const row = rows.get(place);
        return row ? toRelation(row, held ? held[place]! : row.balance) : null;
      });
    },
    async nft(keys) {
      const rows = await selectStateNfts(
        db,
        keys.map(({ token, serial }) => [id(token), serial]),
        until,
      );
      return keys.map((_, place): NftFacts | null => {
        const row = rows.get(place);
        if (!row || row.deleted === true || row.accountId === null) return null;
        return {
          owner: toNum(row.accountId),
          spender: row.spender === null ? null : toNum(row.spender),
          created: row.createdTimestamp ?? 0n,
          metadata: row.metadata ?? noBytes,
        };
      });
    },
    async lastSerial(keys) {
      const tokens = keys.map(({ token }) => id(token));
      const rows = await selectLastSerials(db, tokens, until);
      return tokens.map((token) => rows.find(({ tokenId }) => tokenId === token)?.serial ?? 0n);
    },
  };
}

function createOtherFetchers(
  db: Database,
  { system, files, until, at }: LedgerFactsOptions,
): Omit<Fetchers, TokenKind> {
  const id = (num: bigint): bigint => inRealm(num, system);
  return {
    async tokenAllowance(keys) {
      const asked = keys.map(({ token, owner, spender }) => [id(token), id(owner), id(spender)]);
      const rows = await selectTokenAllowances(db, asked, until);
      return keys.map((_, place) => rows.get(place)?.amount ?? 0n);
    },
    async nftAllowance(keys) {
      const asked = keys.map(({ token, owner, spender }) => [id(token), id(owner), id(spender)]);
      const rows = await selectNftAllowances(db, asked, until);
      return keys.map((_, place) => rows.get(place)?.approvedForAll ?? false);
    },
    async hbarAllowance(keys) {
      const rows = await selectHbarAllowances(
        db,
        keys.map(({ owner, spender }) => [id(owner), id(spender)]),
        until,
      );
      return keys.map((_, place) => rows.get(place)?.amount ?? 0n);
    },
    async owner(keys) {
      const rows = await selectStateOwners(
        db,
        keys.map(({ account }) => id(account)),
        until,
      );
      return keys.map((_, place): OwnerFacts | null => {
        const row = rows.get(place);
        if (!row || row.deleted === true) return null;
        return {
          key: row.key,
          maxAutomaticAssociations: row.maxAutomaticTokenAssociations ?? 0,
          usedAutomaticAssociations: Number(row.usedAutomatic),
        };
      });
    },
    async holdings(keys) {
      const ids = keys.map(({ account }) => id(account));
      const rows = await selectStateHoldings(db, ids);
      return ids.map((account) => {
        const { isTreasury, holdsTokens } = rows.find((row) => row.id === account)!;
        return { isTreasury, holdsTokens };
      });
    },
    async schedule(keys) {
      const ids = keys.map(({ schedule }) => id(schedule));
      const [schedules, entities] = await Promise.all([
        selectStateSchedules(db, ids),
        selectStateOwners(db, ids, until),
      ]);
      return keys.map((_, place): ScheduleFacts | null => {
        const row = schedules.find(({ scheduleId }) => scheduleId === ids[place]);
        const entity = entities.get(place);
        if (!row || !entity || entity.deleted === true || (until !== null && row.consensusTimestamp > until))
          return null;
        return { body: row.transactionBody, creator: toNum(row.creatorAccountId), payer: toNum(row.payerAccountId) };
      });
    },
    async exchangeRate(keys) {
      const rate = await files.rateAt(db, at);
      return keys.map(() => rate);
    },
    async fees(keys) {
      const fees = await files.feesAt(db, at);
      return keys.map(() => fees);
    },
  };
}

const noBytes = new Uint8Array(0);

type RelationRow = {
  associated: boolean | null;
  automaticAssociation: boolean | null;
  freezeStatus: number | null;
  kycStatus: number | null;
};

export function toRelation(row: RelationRow, balance: bigint): RelationFacts | null {
  if (row.associated !== true) return null;
  return {
    balance,
    freezeStatus: row.freezeStatus as RelationFacts['freezeStatus'],
    kycStatus: row.kycStatus as RelationFacts['kycStatus'],
    isAutomatic: row.automaticAssociation === true,
  };
}

function toNum(id: bigint): bigint {
  return decodeEntityId(id).num;
}

function toNumOrNull(id: bigint | null): bigint | null {
  return id === null || id === 0n ? null : toNum(id);
}

/** No version of the past says how much there was of the token. */
export function toToken(row: StateTokenRow | undefined, isPresent: boolean): TokenFacts | null {
  if (!row || row.deleted === true) return null;
  const hasMaximum = row.supplyType === 'FINITE';
  return {
    isFungible: row.type === 'FUNGIBLE_COMMON',
    name: row.name,
    symbol: row.symbol,
    memo: row.memo,
    decimals: Number(row.decimals),
    totalSupply: isPresent ? row.totalSupply : null,
    maxSupply: hasMaximum ? row.maxSupply : 0n,
    isFinite: hasMaximum,
    treasury: toNum(row.treasuryAccountId),
    keys: {
      admin: keyOrNone(row.key),
      kyc: keyOrNone(row.kycKey),
      freeze: keyOrNone(row.freezeKey),
      wipe: keyOrNone(row.wipeKey),
      supply: keyOrNone(row.supplyKey),
      feeSchedule: keyOrNone(row.feeScheduleKey),
      pause: keyOrNone(row.pauseKey),
      metadata: keyOrNone(row.metadataKey),
    },
    freezeDefault: row.freezeDefault,
    freezeStatus: row.freezeStatus as TokenFacts['freezeStatus'],
    kycStatus: row.kycStatus as TokenFacts['kycStatus'],
    isPaused: row.pauseStatus === 'PAUSED',
    metadata: row.metadata ?? noBytes,
    created: row.createdTimestamp,
    expiration: row.expirationTimestamp,
    autoRenewPeriod: row.autoRenewPeriod,
    autoRenewAccount: toNumOrNull(row.autoRenewAccountId),
    fees: toFees(row),
  };
}

/** A token's key is removed by an empty list of keys, which is stored as it came. */
const removedKey = Buffer.from('3200', 'hex');

function keyOrNone(stored: Buffer | null): StoredKey {
  return stored?.equals(removedKey) ? null : stored;
}

type StoredFee = { readonly [name: string]: JsonValue | undefined };

function toFees({ fixedFees, fractionalFees, royaltyFees }: StateTokenRow): CustomFees {
  const list = (text: string | null): StoredFee[] => (parseExactJson(text) ?? []) as StoredFee[];
  const collector = (fee: StoredFee): bigint => toNum(integer(fee.collector_account_id));
  const token = (fee: StoredFee): bigint | null => toNumOrNull(integer(fee.denominating_token_id));
  return {
    fixed: list(fixedFees).map((fee) => ({
      amount: integer(fee.amount),
      token: token(fee),
      collector: collector(fee),
    })),
    fractional: list(fractionalFees).map((fee) => ({
      numerator: integer(fee.numerator),
      denominator: integer(fee.denominator),
      min: integer(fee.minimum_amount),
      max: integer(fee.maximum_amount),
      netOfTransfers: fee.net_of_transfers === true,
      collector: collector(fee),
    })),
    royalty: list(royaltyFees).map((fee) => {
      const fallback = (fee.fallback_fee ?? null) as StoredFee | null;
      return {
        numerator: integer(fee.numerator),
        denominator: integer(fee.denominator),
        fallback: fallback && { amount: integer(fallback.amount), token: token(fallback) },
        collector: collector(fee),
      };
    }),
  };
}

function integer(value: JsonValue | undefined): bigint {
  return typeof value === 'bigint' ? value : 0n;
}
