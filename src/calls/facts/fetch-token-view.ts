// What most views of a token need, read in one statement instead of three: the token, its address, and what somebody has of it.
import { inRealm, type SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { selectTokenView, type TokenViewRow } from '../../store/read/state/select-token-view.ts';
import type { Database } from '../../store/wire/database.ts';
import { delegationOf, toAccount } from './fetch-accounts.ts';
import { toRelation, toToken } from './fetch-ledger-facts.ts';
import type { FactsAsked, FetchedFacts, FoundAccount } from './fetched-facts.ts';

export type TokenView = {
  token: bigint;
  account: bigint | null;
  /** Whether it is asked who is at the address that is the account's number. */
  asksAccount: boolean;
  /** What else was asked. */
  others: FactsAsked;
};

/** null: nothing of the kind is asked. */
export function takeTokenView(asked: FactsAsked): TokenView | null {
  const { addresses, keys } = asked;
  const token = keys.find(({ kind }) => kind === 'token');
  if (token?.kind !== 'token' || !addresses.includes(token.token)) return null;
  const relation = keys.find((key) => key.kind === 'relation' && key.token === token.token);
  const account = relation?.kind === 'relation' ? relation.account : null;
  return {
    token: token.token,
    account,
    asksAccount: account !== null && addresses.includes(account),
    others: {
      ...asked,
      addresses: addresses.filter((address) => address !== token.token && address !== account),
      keys: keys.filter((key) => key !== token && key !== relation),
    },
  };
}

type Viewed = Pick<FetchedFacts, 'accounts' | 'facts'> & { remaining: bigint[] };

/** `remaining`: addresses that have to be asked by themselves. */
export async function fetchTokenView(
  db: Database,
  { token, account, asksAccount }: TokenView,
  system: SystemRealm,
): Promise<Viewed> {
  const row = await selectTokenView(db, inRealm(token, system), account === null ? null : inRealm(account, system));
  const fact = toToken(row ?? undefined);
  const facts: FetchedFacts['facts'] = [{ key: { kind: 'token', token }, fact }];
  const accounts: FoundAccount[] = [];
  const remaining: bigint[] = [];
  if (row !== null && fact !== null && row.tokenEntityType === 'TOKEN' && row.tokenAddress === null) {
    accounts.push({ address: token, facts: plainToken(token), wasContract: false });
  } else remaining.push(token);
  if (account === null) return { facts, accounts, remaining };
  const holder = row && toHolder(row);
  // Without a token nothing is known of the account.
  if (row !== null) facts.push({ key: { kind: 'relation', token, account }, fact: toRelationOf(row) });
  if (!asksAccount) return { facts, accounts, remaining };
  if (holder) accounts.push({ address: account, facts: holder, wasContract: false });
  else remaining.push(account);
  return { facts, accounts, remaining };
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

function toRelationOf(row: TokenViewRow) {
  const { relationAssociated, relationAutomatic, relationBalance, relationFreezeStatus, relationKycStatus } = row;
  const statuses = { freezeStatus: relationFreezeStatus ?? null, kycStatus: relationKycStatus ?? null };
  const associated = relationAssociated ?? null;
  return toRelation(
    { associated, automaticAssociation: relationAutomatic ?? null, ...statuses },
    relationBalance ?? 0n,
  );
}

/** null: what it takes to know it is not in the row. */
function toHolder(row: TokenViewRow) {
  const { holderId: id, holderType: type, holderDeleted: deleted } = row;
  if (!id || type !== 'ACCOUNT' || deleted === true) return null;
  const entity = {
    ...{ id, type, ethereumNonce: row.holderEthereumNonce ?? null, evmAddress: row.holderEvmAddress ?? null },
    receiverSigRequired: row.holderReceiverSigRequired ?? null,
    delegationAddress: row.holderDelegationAddress ?? null,
  };
  return toAccount(entity, row.holderBalance ?? 0n, delegationOf(entity));
}
