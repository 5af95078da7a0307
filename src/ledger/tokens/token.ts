// A token as of now or as of T, in ledger values: ids packed, timestamps in ns, keys as serialized Key messages.
import type { TokensFilter } from '../../store/read/select-tokens.ts';

export type FixedFee = {
  allCollectorsAreExempt: boolean;
  /** null where the stored fee has none. */
  amount: bigint | null;
  collectorAccountId: bigint | null;
  denominatingTokenId: bigint | null;
};

export type FractionalFee = {
  allCollectorsAreExempt: boolean;
  numerator: bigint;
  denominator: bigint;
  collectorAccountId: bigint | null;
  denominatingTokenId: bigint;
  maximumAmount: bigint | null;
  minimumAmount: bigint;
  netOfTransfers: boolean;
};

export type RoyaltyFee = {
  allCollectorsAreExempt: boolean;
  numerator: bigint;
  denominator: bigint;
  collectorAccountId: bigint | null;
  fallbackFee: { amount: bigint; denominatingTokenId: bigint | null } | null;
};

export type CustomFees = {
  createdTimestamp: bigint;
  fixedFees: FixedFee[];
  fractionalFees: FractionalFee[];
  royaltyFees: RoyaltyFee[];
};

export type Token = {
  adminKey: Buffer | null;
  autoRenewAccountId: bigint | null;
  autoRenewPeriod: bigint | null;
  createdTimestamp: bigint;
  customFees: CustomFees;
  decimals: bigint;
  deleted: boolean | null;
  /** ns; already with the fallback created + auto renew period. */
  expiryTimestamp: bigint | null;
  feeScheduleKey: Buffer | null;
  freezeDefault: boolean;
  freezeKey: Buffer | null;
  initialSupply: bigint;
  kycKey: Buffer | null;
  maxSupply: bigint;
  memo: string;
  metadata: Buffer | null;
  metadataKey: Buffer | null;
  modifiedTimestamp: bigint;
  name: string;
  pauseKey: Buffer | null;
  pauseStatus: string;
  supplyKey: Buffer | null;
  supplyType: string;
  symbol: string;
  tokenId: bigint;
  totalSupply: bigint;
  treasuryAccountId: bigint;
  type: string;
  wipeKey: Buffer | null;
};

/** A token as it stands in lists. */
export type ListedToken = Pick<Token, 'adminKey' | 'decimals' | 'metadata' | 'name' | 'symbol' | 'tokenId' | 'type'>;

/** Every condition must hold, but of several exact ids any. */
export type TokensQuery = Omit<TokensFilter, 'accountId'> & {
  /** Tokens that it is associated with; null = every token, undefined = none. */
  accountId: bigint | null | undefined;
};

/** `until`: versions that began at or before this moment (ns) count; null = the current one. */
export type TokenQuery = { tokenId: bigint; until: bigint | null };
