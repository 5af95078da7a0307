// What most views of a token need, read in one statement instead of three: the token, its address, and what an
// account has of it.
import type { FactKey } from '../../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  selectTokenHolder,
  selectTokenView,
  type TokenHolderRow,
  type TokenViewRow,
} from '../../../packages/store/read/state/select-token-view.ts';
import { delegationOf, toAccount } from './fetch-accounts.ts';
import type { FactsAsked, FetchedFacts } from './fetched-facts.ts';
import { toRelation, toToken } from './row-facts.ts';

export type TokenView = {
  token: bigint;
  /** Whether the token is asked, with who is at its address. */
  asksToken: boolean;
  /** Whose relation is asked, with who is at the address that is his number. */
  account: bigint | null;
  /** What else was asked. */
  others: FactsAsked;
};

/** null: nothing of the kind is asked. */
export function takeTokenView(asked: FactsAsked): TokenView | null {
  const { addresses, keys } = asked;
  const tokenKey = keys.find((key) => key.kind === 'token' && addresses.includes(key.token));
  const relationKey = keys.find((key) => key.kind === 'relation' && addresses.includes(key.account));
  if (tokenKey?.kind === 'token') {
    const { token } = tokenKey;
    const ofToken = relationKey?.kind === 'relation' && relationKey.token === token ? relationKey : null;
    return { token, asksToken: true, account: ofToken?.account ?? null, others: without(asked, tokenKey, ofToken) };
  }
  if (relationKey?.kind !== 'relation') return null;
  const { token, account } = relationKey;
  return { token, asksToken: false, account, others: without(asked, null, relationKey) };
}

function without({ addresses, keys, ...asked }: FactsAsked, token: OfToken | null, relation: OfRelation | null) {
  return {
    ...asked,
    addresses: addresses.filter((address) => address !== token?.token && address !== relation?.account),
    keys: keys.filter((key) => key !== token && key !== relation),
  };
}

type OfToken = FactKey & { kind: 'token' };
type OfRelation = FactKey & { kind: 'relation' };

type Viewed = Pick<FetchedFacts, 'accounts' | 'facts'> & {
  /** Addresses that have to be asked by themselves. */
  remaining: bigint[];
};

export async function fetchTokenView(
  db: Database,
  { token, asksToken, account }: TokenView,
  system: SystemRealm,
): Promise<Viewed> {
  const viewed: Viewed = { accounts: [], facts: [], remaining: [] };
  const id = inRealm(token, system);
  if (asksToken) {
    const row = await selectTokenView(db, id, account === null ? null : inRealm(account, system));
    addToken(viewed, token, row);
    if (account === null) return viewed;
    if (row === null) viewed.remaining.push(account);
    else addHolder(viewed, { token, account }, row);
  } else addHolder(viewed, { token, account: account! }, await selectTokenHolder(db, id, inRealm(account!, system)));
  return viewed;
}

function addToken({ facts, accounts, remaining }: Viewed, token: bigint, row: TokenViewRow | null): void {
  const fact = toToken(row ?? undefined, true);
  facts.push({ key: { kind: 'token', token }, fact });
  if (fact !== null && row?.tokenEntityType === 'TOKEN' && row.tokenAddress === null) {
    accounts.push({ address: token, facts: plainToken(token), wasContract: false });
  } else remaining.push(token);
}

type HolderRow = Partial<TokenHolderRow>;

function addHolder(
  { facts, accounts, remaining }: Viewed,
  { token, account }: { token: bigint; account: bigint },
  row: HolderRow,
): void {
  facts.push({ key: { kind: 'relation', token, account }, fact: toRelationOf(row) });
  const holder = toHolder(row);
  if (holder) accounts.push({ address: account, facts: holder, wasContract: false });
  else remaining.push(account);
}

function plainToken(num: bigint) {
  return {
    num,
    address: num,
    kind: 'token',
    balance: 0n,
    nonce: 0n,
    code: noCode,
    needsReceiverSignature: false,
  } as const;
}

const noCode = new Uint8Array(0);

function toRelationOf(row: HolderRow) {
  const { relationAssociated, relationAutomatic, relationBalance, relationFreezeStatus, relationKycStatus } = row;
  const statuses = { freezeStatus: relationFreezeStatus ?? null, kycStatus: relationKycStatus ?? null };
  const associated = relationAssociated ?? null;
  return toRelation(
    { associated, automaticAssociation: relationAutomatic ?? null, ...statuses },
    relationBalance ?? 0n,
  );
}

/** null: what it takes to know it is not in the row. */
function toHolder(row: HolderRow) {
  const { holderId: id, holderType: type, holderDeleted: deleted } = row;
  if (!id || type !== 'ACCOUNT' || deleted === true) return null;
  const entity = {
    ...{ id, type, ethereumNonce: row.holderEthereumNonce ?? null, evmAddress: row.holderEvmAddress ?? null },
    receiverSigRequired: row.holderReceiverSigRequired ?? null,
    delegationAddress: row.holderDelegationAddress ?? null,
  };
  return toAccount(entity, row.holderBalance ?? 0n, delegationOf(entity));
}
