// What system contracts ask about the ledger, beside accounts and slots. Numbers of entities, no addresses; keys as
// stored.
import type { FeeSchedule } from '../../protocol/hapi/fee-schedule.ts';

/** A serialized Key; null: none. */
export type StoredKey = Uint8Array | null;

/** 0 not applicable · 1 frozen · 2 unfrozen, as in the tables. */
export type FreezeStatus = 0 | 1 | 2;
/** 0 not applicable · 1 granted · 2 revoked. */
export type KycStatus = 0 | 1 | 2;

export type TokenKeys = {
  readonly admin: StoredKey;
  readonly kyc: StoredKey;
  readonly freeze: StoredKey;
  readonly wipe: StoredKey;
  readonly supply: StoredKey;
  readonly feeSchedule: StoredKey;
  readonly pause: StoredKey;
  readonly metadata: StoredKey;
};

/** A token that is not deleted, with the facts of its entity. */
export type TokenFacts = {
  readonly isFungible: boolean;
  readonly name: string;
  readonly symbol: string;
  readonly memo: string;
  readonly decimals: number;
  /** null: of the past, which the fact `supply` says: it takes long to find. */
  readonly totalSupply: bigint | null;
  /** 0n where the supply is not finite. */
  readonly maxSupply: bigint;
  readonly isFinite: boolean;
  readonly treasury: bigint;
  readonly keys: TokenKeys;
  readonly freezeDefault: boolean;
  /** Of relations for which it was never changed. */
  readonly freezeStatus: FreezeStatus;
  readonly kycStatus: KycStatus;
  readonly isPaused: boolean;
  readonly metadata: Uint8Array;
  /** Nanoseconds. */
  readonly created: bigint;
  /** Nanoseconds. */
  readonly expiration: bigint | null;
  /** Seconds. */
  readonly autoRenewPeriod: bigint | null;
  readonly autoRenewAccount: bigint | null;
  readonly fees: CustomFees;
};

export type CustomFees = {
  readonly fixed: readonly FixedFee[];
  readonly fractional: readonly FractionalFee[];
  readonly royalty: readonly RoyaltyFee[];
};

/** Without a token the amount is in tinybar. */
type FixedFee = { readonly amount: bigint; readonly token: bigint | null; readonly collector: bigint };
type FractionalFee = {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly min: bigint;
  /** 0n: no maximum. */
  readonly max: bigint;
  readonly netOfTransfers: boolean;
  readonly collector: bigint;
};
type RoyaltyFee = {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly fallback: { readonly amount: bigint; readonly token: bigint | null } | null;
  readonly collector: bigint;
};

/** Of an account that is associated with a token. */
export type RelationFacts = {
  /** Of NFTs: how many. */
  readonly balance: bigint;
  /** null: that of the token. */
  readonly freezeStatus: FreezeStatus | null;
  readonly kycStatus: KycStatus | null;
  readonly isAutomatic: boolean;
};

/** A serial that exists: neither burned nor wiped. */
export type NftFacts = {
  readonly owner: bigint;
  readonly spender: bigint | null;
  /** Nanoseconds. */
  readonly created: bigint;
  readonly metadata: Uint8Array;
};

/** What the machine does not need of an account, but a signature or an association does. */
export type OwnerFacts = {
  readonly key: StoredKey;
  /** -1: any number. */
  readonly maxAutomaticAssociations: number;
  /** Relations that are automatic and still there. */
  readonly usedAutomaticAssociations: number;
};

type Holdings = { readonly isTreasury: boolean; readonly holdsTokens: boolean };

export type ScheduleFacts = {
  /** A serialized SchedulableTransactionBody. */
  readonly body: Uint8Array;
  readonly creator: bigint;
  readonly payer: bigint;
};

/** `hbar` hbars are worth `cent` cents: the current rate of the file at that time. */
export type ExchangeRate = { readonly hbar: bigint; readonly cent: bigint };

export type Fees = {
  /** Thousandths of a tinycent for a unit of gas, never 0: 852,000 (file 0.0.113, and 0.0.111 before there was one). */
  readonly gasPrice: bigint;
  /** File 0.0.113 where the network uses simple fees; null: it uses those of before, which the machine knows. */
  readonly simple: FeeSchedule | null;
};

type OfToken = { readonly token: bigint };
type Allowance = { readonly owner: bigint; readonly spender: bigint };

/** By kind: what identifies a fact, and the fact. null: there is no such thing, or it is deleted. */
type Ledger = {
  token: { key: OfToken; fact: TokenFacts | null };
  relation: { key: OfToken & { readonly account: bigint }; fact: RelationFacts | null };
  nft: { key: OfToken & { readonly serial: bigint }; fact: NftFacts | null };
  supply: { key: OfToken & { readonly isFungible: boolean }; fact: bigint };
  /** The greatest serial that was ever minted; 0n: none. */
  lastSerial: { key: OfToken; fact: bigint };
  /** What is left; 0n where there is none. */
  tokenAllowance: { key: OfToken & Allowance; fact: bigint };
  /** For all NFTs of the token. */
  nftAllowance: { key: OfToken & Allowance; fact: boolean };
  /** tinybar that are left; 0n where there is none. */
  hbarAllowance: { key: Allowance; fact: bigint };
  owner: { key: { readonly account: bigint }; fact: OwnerFacts | null };
  /** Of a contract that is to be destroyed. */
  holdings: { key: { readonly account: bigint }; fact: Holdings };
  schedule: { key: { readonly schedule: bigint }; fact: ScheduleFacts | null };
  exchangeRate: { key: unknown; fact: ExchangeRate };
  fees: { key: unknown; fact: Fees };
};

export type FactKind = keyof Ledger;
export type FactKey = { [Kind in FactKind]: { readonly kind: Kind } & Ledger[Kind]['key'] }[FactKind];
export type FactOf<Key extends FactKey> = Ledger[Key['kind']]['fact'];
export type AnyFact = FactOf<FactKey>;

/** The same for the same fact. */
export function factName(key: FactKey): string {
  switch (key.kind) {
    case 'token':
      return `token ${key.token}`;
    case 'relation':
      return `relation ${key.token} ${key.account}`;
    case 'lastSerial':
    case 'supply':
      return `${key.kind} ${key.token}`;
    case 'nft':
      return `nft ${key.token} ${key.serial}`;
    case 'tokenAllowance':
    case 'nftAllowance':
      return `${key.kind} ${key.token} ${key.owner} ${key.spender}`;
    case 'hbarAllowance':
      return `hbarAllowance ${key.owner} ${key.spender}`;
    case 'owner':
    case 'holdings':
      return `${key.kind} ${key.account}`;
    case 'schedule':
      return `schedule ${key.schedule}`;
    case 'exchangeRate':
    case 'fees':
      return key.kind;
  }
}

const anyToken: TokenFacts = {
  ...{ isFungible: true, name: '', symbol: '', memo: '', decimals: 0, totalSupply: 0n, maxSupply: 0n, isFinite: false },
  ...{ treasury: 0n, freezeDefault: false, freezeStatus: 0, kycStatus: 0, isPaused: false },
  ...{ metadata: new Uint8Array(0), created: 0n },
  ...{ expiration: null, autoRenewPeriod: null, autoRenewAccount: null },
  keys: {
    ...{
      admin: null,
      kyc: null,
      freeze: null,
      wipe: null,
      supply: null,
      feeSchedule: null,
      pause: null,
      metadata: null,
    },
  },
  fees: { fixed: [], fractional: [], royalty: [] },
};

/** What the machine continues with where a fact is missing, so that it finds more of what it will need. */
export const noFacts: { readonly [Kind in FactKind]: Ledger[Kind]['fact'] } = {
  token: anyToken,
  relation: { balance: 0n, freezeStatus: 0, kycStatus: 0, isAutomatic: false },
  nft: null,
  supply: 0n,
  lastSerial: 0n,
  tokenAllowance: 0n,
  nftAllowance: false,
  hbarAllowance: 0n,
  owner: null,
  holdings: { isTreasury: false, holdsTokens: false },
  schedule: null,
  exchangeRate: { hbar: 1n, cent: 12n },
  fees: { gasPrice: 852_000n, simple: null },
};
