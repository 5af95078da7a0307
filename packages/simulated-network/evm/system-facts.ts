// What system contracts ask about the ledger, as far as its tables know it: names, decimals and fees of tokens they do
// not.
import {
  type AnyFact,
  type FactKey,
  type FactKind,
  type FactOf,
  noFacts,
  type RelationFacts,
  type TokenFacts,
} from '../../machine/state/ledger-facts.ts';
import type { Ledger, Token, TokenKeyName } from '../ledger/ledger.ts';
import { createPrices } from '../ledger/prices.ts';

type Finders = { [Kind in FactKind]: (key: Extract<FactKey, { kind: Kind }>) => AnyFact };

export function createSystemFacts(ledger: Ledger): <Key extends FactKey>(key: Key) => FactOf<Key> {
  const { accounts, tokens, relations, nfts, allowances } = ledger.tables;
  const prices = createPrices(ledger);
  const finders: Finders = {
    token: ({ token }) => toToken(tokens.get(token)),
    relation: ({ token, account }) => toRelation(account, tokens.get(token)),
    nft: ({ token, serial }) => {
      const nft = nfts.get(`${token}:${serial}`);
      return nft ? { owner: nft.owner, spender: nft.spender, created: 0n, metadata: new Uint8Array() } : null;
    },
    supply: ({ token }) => tokens.get(token)?.totalSupply ?? 0n,
    lastSerial: ({ token }) => (tokens.get(token)?.nextSerial ?? 1n) - 1n,
    tokenAllowance: ({ token, owner, spender }) => allowances.get(`${owner}:${spender}:${token}`) ?? 0n,
    nftAllowance: ({ token, owner, spender }) => allowances.has(`${owner}:${spender}:${token}:all`),
    hbarAllowance: ({ owner, spender }) => allowances.get(`${owner}:${spender}`) ?? 0n,
    owner: ({ account }) => {
      const found = accounts.get(account);
      if (!found || found.deleted) return null;
      const { key, maxAutomaticAssociations, usedAutomaticAssociations } = found;
      return { key, maxAutomaticAssociations, usedAutomaticAssociations };
    },
    holdings: ({ account }) => ({
      isTreasury: [...tokens.values()].some(({ treasury, deleted }) => treasury === account && !deleted),
      holdsTokens: [...relations.values()].some((relation) => relation.account === account && relation.balance > 0n),
    }),
    schedule: () => noFacts.schedule,
    exchangeRate: () => {
      const { hbarEquiv, centEquiv } = prices.rates().currentRate!;
      return { hbar: BigInt(hbarEquiv!), cent: BigInt(centEquiv!) };
    },
    fees: () => ({ gasPrice: prices.gasInTinycents(), simple: prices.simpleFees() }),
  };
  return <Key extends FactKey>(key: Key) => (finders[key.kind] as (key: Key) => FactOf<Key>)(key);

  function toRelation(account: bigint, token: Token | undefined): RelationFacts | null {
    const relation = token && relations.get(`${account}:${token.id}`);
    if (!relation) return null;
    return {
      balance: relation.balance,
      freezeStatus: token.keys.freeze ? (relation.frozen ? 1 : 2) : 0,
      kycStatus: token.keys.kyc ? (relation.kycGranted ? 1 : 2) : 0,
      isAutomatic: relation.automatic,
    };
  }
}

function toToken(token: Token | undefined): TokenFacts | null {
  if (!token || token.deleted) return null;
  const key = (name: TokenKeyName) => token.keys[name] ?? null;
  return {
    ...noFacts.token!,
    isFungible: !token.nonFungible,
    totalSupply: token.totalSupply,
    maxSupply: token.maxSupply,
    isFinite: token.maxSupply > 0n,
    treasury: token.treasury,
    freezeDefault: token.freezeDefault,
    isPaused: token.paused,
    kycStatus: token.keys.kyc ? 2 : 0,
    keys: {
      admin: key('admin'),
      kyc: key('kyc'),
      freeze: key('freeze'),
      wipe: key('wipe'),
      supply: key('supply'),
      feeSchedule: key('feeSchedule'),
      pause: key('pause'),
      metadata: key('metadata'),
    },
  };
}
