// Rows of tokens, holders and schedules as the facts that system contracts ask for.
import type {
  CustomFees,
  NftFacts,
  OwnerFacts,
  RelationFacts,
  StoredKey,
  TokenFacts,
} from '../../../packages/machine/state/ledger-facts.ts';
import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { parseExactJson } from '../../../packages/store/read/parse-exact-json.ts';
import type {
  StateTokenRow,
  selectStateNfts,
  selectStateOwners,
} from '../../../packages/store/read/state/select-state-tokens.ts';

/** One of the rows that a query gives by the place of their key. */
type RowOf<Select extends (...asked: never[]) => Promise<ReadonlyMap<number, unknown>>> =
  Awaited<ReturnType<Select>> extends ReadonlyMap<number, infer Row> ? Row : never;

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

export function toNum(id: bigint): bigint {
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

export function toNft(row: RowOf<typeof selectStateNfts> | undefined): NftFacts | null {
  if (!row || row.deleted === true || row.accountId === null) return null;
  return {
    owner: toNum(row.accountId),
    spender: row.spender === null ? null : toNum(row.spender),
    created: row.createdTimestamp ?? 0n,
    metadata: row.metadata ?? noBytes,
  };
}

export function toOwner(row: RowOf<typeof selectStateOwners> | undefined): OwnerFacts | null {
  if (!row || row.deleted === true) return null;
  return {
    key: row.key,
    maxAutomaticAssociations: row.maxAutomaticTokenAssociations ?? 0,
    usedAutomaticAssociations: Number(row.usedAutomatic),
  };
}
