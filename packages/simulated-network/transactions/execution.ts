// The context of an executing transaction: moves of hbar, tokens and NFTs, required signatures, and an outcome with
// what the ledger's tables do not show. Every refusal is a `Rejection` with a HAPI status.

import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { ResponseCodeName } from '../../protocol/hapi/response-codes.ts';
import type { TransactionRecord } from '../../protocol/hapi/transaction-body.ts';
import type { BodyField } from '../../protocol/hapi/transaction-types.ts';
import type { Delegation } from '../evm/evm-state.ts';
import type { RunEvm } from '../evm/run-evm.ts';
import type { Account, Hook, Ledger, Nft, Relation, Token } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import { isSatisfiedBy, type SigningKeys } from '../ledger/signing-keys.ts';

export type Status = ResponseCodeName;
export type BodyKind = BodyField;

type TransactionIdentity = {
  payer: bigint;
  /** ns */
  validStart: bigint;
  scheduled: boolean;
  nonce: number;
};

/** A child record: before the transaction's (a new account for its receiver) or after it. */
export type ChildOutcome = {
  kind: BodyKind;
  data: object;
  memo?: string;
  outcome: Outcome;
  status: Status;
};

/** Content of the record besides balances. */
export type Outcome = {
  receipt: NonNullable<TransactionRecord['receipt']>;
  record: proto.ITransactionRecord;
  nftTransfers: { token: bigint; serial: bigint; sender: bigint; receiver: bigint; isApproval: boolean }[];
  assessedFees: { amount: bigint; token: bigint | null; collector: bigint; payers: bigint[] }[];
  automaticAssociations: { token: bigint; account: bigint }[];
  preceding: ChildOutcome[];
  following: ChildOutcome[];
  sidecars: Omit<proto.ITransactionSidecarRecord, 'consensusTimestamp'>[];
  /** A nonce that is used up whether or not the transaction succeeds. */
  usedNonce: { account: bigint; next: bigint } | null;
  /** Code that accounts delegate to, whether or not the transaction succeeds. */
  delegations: readonly Delegation[];
  /** Gas to be paid on top of the fee. */
  gas: { payer: bigint; amount: bigint } | null;
  /** Schedules to execute right after this transaction. */
  readySchedules: bigint[];
  /** Serialized inner transactions of a batch, to execute right after. */
  innerTransactions: Uint8Array[];
  /** The hook that ran, where this is its run. */
  executedHook: Pick<Hook, 'owner' | 'id' | 'ownerIsContract'> | null;
};

/** What transactions run on. */
export type World = { ledger: Ledger; keys: SigningKeys; prices: Prices; runEvm: RunEvm };

export type Moment = {
  consensusTimestamp: bigint;
  blockNumber: bigint;
  /** ns, start of the block. */
  blockTime: bigint;
  /** The running hash before the block. */
  prevRandao: Uint8Array;
  nodeAccount: bigint;
};

export type Signed = {
  identity: TransactionIdentity;
  payer: bigint;
  /** Public keys (hex) that signed. */
  signers: ReadonlySet<string>;
  maxCustomFees: proto.ICustomFeeLimit[];
};

export type Execution = World &
  Moment &
  Signed & {
    kind: BodyKind;
    /** Notes a missing signature instead of refusing it, where a call only asks whether all are there. */
    signatureProbe: { isMissing: boolean } | null;
    outcome: Outcome;
  };

/** A transaction that the ledger refuses. Its leftover (a failed contract result) stays in the record. */
export class Rejection extends Error {
  readonly status: Status;
  readonly leftover: Partial<Outcome>;

  constructor(status: Status, leftover: Partial<Outcome> = {}) {
    super(status);
    this.status = status;
    this.leftover = leftover;
  }
}

export function createOutcome(): Outcome {
  return {
    receipt: {},
    record: {},
    nftTransfers: [],
    assessedFees: [],
    automaticAssociations: [],
    preceding: [],
    following: [],
    sidecars: [],
    usedNonce: null,
    delegations: [],
    gas: null,
    readySchedules: [],
    innerTransactions: [],
    executedHook: null,
  };
}

export function reject(status: Status, leftover?: Partial<Outcome>): never {
  throw new Rejection(status, leftover);
}

export function assertSigned(x: Execution, key: Uint8Array | null | undefined): void {
  if (key && isSatisfiedBy(key, x.signers)) return;
  if (!x.signatureProbe) reject('INVALID_SIGNATURE');
  x.signatureProbe.isMissing = true;
}

/** 0.0.2 and 0.0.50 may do everything. */
export function assertAdministrator(x: Execution): void {
  if (x.payer !== 2n && x.payer !== 50n) reject('AUTHORIZATION_FAILED');
}

/** An account message → id; aliases and EVM addresses are looked up, 0n when unknown. */
export function resolveAccount(x: Execution, id: proto.IAccountID | proto.IContractID | null | undefined): bigint {
  if (!id) return 0n;
  const name =
    'alias' in id && id.alias?.length ? id.alias : 'evmAddress' in id && id.evmAddress?.length ? id.evmAddress : null;
  if (!name) return toEntityId(id);
  const known = x.ledger.tables.names.get(Buffer.from(name).toString('hex'));
  if (known !== undefined) return known;
  const longZero = name.length === 20 && name.subarray(0, 12).every((byte) => byte === 0);
  return longZero ? Buffer.from(name).readBigUInt64BE(12) : 0n;
}

export function livingAccount(
  x: Pick<Execution, 'ledger'>,
  id: bigint,
  status: Status = 'INVALID_ACCOUNT_ID',
): Account {
  const account = x.ledger.tables.accounts.get(id);
  if (!account) reject(status);
  if (account.deleted) reject(account.isContract ? 'CONTRACT_DELETED' : 'ACCOUNT_DELETED');
  return account;
}

export function livingToken(x: Execution, id: proto.ITokenID | bigint | null | undefined): Token {
  const token = x.ledger.tables.tokens.get(typeof id === 'bigint' ? id : toEntityId(id));
  if (!token) reject('INVALID_TOKEN_ID');
  if (token.deleted) reject('TOKEN_WAS_DELETED');
  return token;
}

export function usableToken(x: Execution, id: proto.ITokenID | bigint | null | undefined): Token {
  const token = livingToken(x, id);
  if (token.paused) reject('TOKEN_IS_PAUSED');
  return token;
}

export function addHbar(
  x: Pick<Execution, 'ledger'>,
  id: bigint,
  amount: bigint,
  status: Status = 'INSUFFICIENT_ACCOUNT_BALANCE',
): void {
  const account = livingAccount(x, id);
  if (account.balance + amount < 0n) reject(status);
  x.ledger.change('accounts', id, { balance: account.balance + amount });
}

export const relationKey = (account: bigint, token: bigint) => `${account}:${token}`;
export const nftKey = (token: bigint, serial: bigint) => `${token}:${serial}`;

/** The relation of account and token, checked for a transfer. */
export function usableRelation(x: Execution, account: bigint, token: Token): Relation {
  const relation = x.ledger.tables.relations.get(relationKey(account, token.id));
  if (!relation) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
  if (relation.frozen) reject('ACCOUNT_FROZEN_FOR_TOKEN');
  if (token.keys.kyc && !relation.kycGranted) reject('ACCOUNT_KYC_NOT_GRANTED_FOR_TOKEN');
  return relation;
}

export function addRelation(
  x: Execution,
  account: bigint,
  token: Token,
  options: { automatic: boolean; trusted?: boolean },
): void {
  x.ledger.put('relations', relationKey(account, token.id), {
    account,
    token: token.id,
    balance: 0n,
    frozen: Boolean(token.keys.freeze) && token.freezeDefault && !options.trusted,
    kycGranted: !token.keys.kyc || Boolean(options.trusted),
    automatic: options.automatic,
  });
}

/** Adds units of a token. Associates the receiver if it has a free automatic association. */
export function addTokens(x: Execution, id: bigint, token: Token, amount: bigint): void {
  const account = livingAccount(x, id);
  if (amount > 0n) associateOnReceipt(x, account, token);
  const relation = usableRelation(x, id, token);
  if (relation.balance + amount < 0n) reject('INSUFFICIENT_TOKEN_BALANCE');
  x.ledger.change('relations', relationKey(id, token.id), { balance: relation.balance + amount });
}

export function ownedNft(x: Execution, token: Token, serial: bigint, owner: bigint): Nft {
  const nft = x.ledger.tables.nfts.get(nftKey(token.id, serial));
  if (!nft) reject('INVALID_NFT_ID');
  if (nft.owner !== owner) reject('SENDER_DOES_NOT_OWN_NFT_SERIAL_NO');
  return nft;
}

export function moveNft(
  x: Execution,
  token: Token,
  serial: bigint,
  sender: bigint,
  receiver: bigint,
  isApproval = false,
): void {
  ownedNft(x, token, serial, sender);
  addTokens(x, sender, token, -1n);
  addTokens(x, receiver, token, 1n);
  x.ledger.change('nfts', nftKey(token.id, serial), { owner: receiver, spender: null });
  x.outcome.nftTransfers.push({ token: token.id, serial, sender, receiver, isApproval });
}

function associateOnReceipt(x: Execution, account: Account, token: Token): void {
  if (x.ledger.tables.relations.has(relationKey(account.id, token.id))) return;
  const { maxAutomaticAssociations: limit, usedAutomaticAssociations: used } = account;
  if (limit === 0) reject('TOKEN_NOT_ASSOCIATED_TO_ACCOUNT');
  if (limit !== -1 && used >= limit) reject('NO_REMAINING_AUTOMATIC_ASSOCIATIONS');
  x.ledger.change('accounts', account.id, { usedAutomaticAssociations: used + 1 });
  addRelation(x, account.id, token, { automatic: true });
  x.outcome.automaticAssociations.push({ token: token.id, account: account.id });
}

/** An amount that must not be negative. */
export function positive(value: Parameters<typeof toBigInt>[0], status: Status): bigint {
  const amount = toBigInt(value);
  if (amount < 0n) reject(status);
  return amount;
}
