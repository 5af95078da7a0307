// Filters without an index in a mirror node's schema: rows are read until the page is full, or all of them. Each with
// the reason.
type Filter = { path: RegExp; parameter: RegExp; reason: string };

const filters: readonly Filter[] = [
  { path: /\/(accounts|balances)$/, parameter: /^account\.balance=/, reason: 'balances change with every transfer' },
  { path: /\/tokens$/, parameter: /^type=/, reason: 'there are two types' },
  {
    path: /\/tokens$/,
    parameter: /^name=/,
    reason: 'where tokens are few, PostgreSQL goes through all rather than use the index on names',
  },
  { path: /\/accounts\/[^/]+\/nfts$/, parameter: /^spender\.id=/, reason: 'few NFTs have a spender' },
  { path: /\/tokens\/[^/]+\/nfts$/, parameter: /^account\.id=/, reason: 'owners between two ids mean nothing' },
  {
    path: /\/transactions$/,
    parameter: /^account\.id=(ne|lt|lte|gt|gte):/,
    reason: 'accounts between two ids mean nothing',
  },
  { path: /\/results\/logs$/, parameter: /^topic\d=/, reason: 'a search by topic is bounded by time' },
];

export function isWithoutIndex(url: string): boolean {
  const [path, query = ''] = url.split('?') as [string, string?];
  const given = query.split('&');
  return filters.some((filter) => filter.path.test(path) && given.some((pair) => filter.parameter.test(pair)));
}
