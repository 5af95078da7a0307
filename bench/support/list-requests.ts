// Requests of the query benchmark for the lists of accounts, tokens, topics and the network, each for ids of which few
// take most of the traffic, and once for the one that has most.
import { firstId, firstTimestamp, hotAccountId, type LedgerSize } from './large-ledger.ts';
import { hookOwners, hotSerials } from './list-rows.ts';
import type { RequestKind } from './request-kind.ts';

type Choice = {
  size: LedgerSize;
  many(make: () => string): string[];
  /** Of a power law. */
  index(count: number): number;
  uniform(count: number): number;
  seconds(ns: bigint): string;
};

export function listRequestKinds({ size, many, index, uniform, seconds }: Choice): RequestKind[] {
  const api = '/api/v1';
  const account = (): string => `0.0.${firstId.account + 1 + index(size.accounts - 1)}`;
  const token = (): string => `0.0.${firstId.token + index(size.tokens)}`;
  const topic = (): string => `0.0.${firstId.topic + index(size.topics)}`;
  const hookOwner = (): number => index(hookOwners);
  const hot = `0.0.${hotAccountId}`;
  const hotToken = `0.0.${firstId.token}`;
  const ofAccounts = (list: string): RequestKind[] => [
    { name: `accounts/{id}/${list}`, paths: many(() => `${api}/accounts/${account()}/${list}`) },
    { name: `accounts/{id}/${list}, hot account`, paths: [`${api}/accounts/${hot}/${list}`] },
  ];
  const ofNetwork = (name: string): RequestKind => ({ name: `network/${name}`, paths: [`${api}/network/${name}`] });
  const snapshot = seconds(firstTimestamp + 2n * 900_000_000_000n);
  const nft = (): string => `${hotToken}/nfts/${1 + uniform(hotSerials)}`;
  return [
    { name: 'accounts', paths: [`${api}/accounts`] },
    { name: 'accounts?account.id=gte:', paths: many(() => `${api}/accounts?account.id=gte:${account()}`) },
    { name: 'balances', paths: [`${api}/balances`] },
    { name: 'balances?account.id=', paths: many(() => `${api}/balances?account.id=${account()}`) },
    { name: 'balances?timestamp=', paths: [`${api}/balances?timestamp=${snapshot}`] },
    { name: 'tokens', paths: [`${api}/tokens`] },
    { name: 'tokens?account.id=', paths: many(() => `${api}/tokens?account.id=${account()}`) },
    { name: 'tokens?name=', paths: many(() => `${api}/tokens?name=number%20${index(size.tokens)}`) },
    ...['tokens', 'nfts', 'rewards', 'allowances/crypto', 'allowances/tokens', 'allowances/nfts'].flatMap(ofAccounts),
    {
      name: 'accounts/{id}/allowances/nfts?owner=false, hot account',
      paths: [`${api}/accounts/${hot}/allowances/nfts?owner=false`],
    },
    ...['airdrops/outstanding', 'airdrops/pending'].flatMap(ofAccounts),
    { name: 'accounts/{id}/hooks', paths: many(() => `${api}/accounts/${firstId.account + hookOwner()}/hooks`) },
    {
      name: 'accounts/{id}/hooks/{id}/storage',
      paths: many(() => {
        const owner = hookOwner();
        return `${api}/accounts/${firstId.account + owner}/hooks/${owner}/storage`;
      }),
    },
    { name: 'tokens/{id}/balances', paths: many(() => `${api}/tokens/${token()}/balances`) },
    { name: 'tokens/{id}/balances, hot token', paths: [`${api}/tokens/${hotToken}/balances`] },
    {
      name: 'tokens/{id}/balances?timestamp=',
      paths: many(() => `${api}/tokens/${token()}/balances?timestamp=${snapshot}`),
    },
    { name: 'tokens/{id}/nfts', paths: many(() => `${api}/tokens/${token()}/nfts`) },
    { name: 'tokens/{id}/nfts, hot token', paths: [`${api}/tokens/${hotToken}/nfts`] },
    { name: 'tokens/{id}/nfts/{serial}', paths: many(() => `${api}/tokens/${nft()}`) },
    { name: 'tokens/{id}/nfts/{serial}/transactions', paths: many(() => `${api}/tokens/${nft()}/transactions`) },
    { name: 'topics/{id}', paths: many(() => `${api}/topics/${topic()}`) },
    { name: 'topics/{id}/messages', paths: many(() => `${api}/topics/${topic()}/messages`) },
    { name: 'topics/{id}/messages, newest', paths: many(() => `${api}/topics/${topic()}/messages?order=desc`) },
    { name: 'topics/{id}/messages/{number}', paths: [`${api}/topics/0.0.${firstId.topic}/messages/1`] },
    ...['nodes', 'registered-nodes', 'exchangerate', 'fees', 'stake', 'supply'].map(ofNetwork),
    { name: 'network/supply?timestamp=', paths: [`${api}/network/supply?timestamp=${snapshot}`] },
  ];
}
