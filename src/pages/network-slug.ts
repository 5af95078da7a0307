// The network's name as the first part of paths of pages.

/** First parts of paths that belong to something else. */
const taken = new Set([
  'api',
  'assets',
  'chains',
  'check-all-by-addresses',
  'check-by-addresses',
  'docs',
  'favicon.ico',
  'favicon.svg',
  ...[
    'files',
    'health',
    'hiero',
    'metrics',
    'proof',
    'repo-ui',
    'repository',
    'robots.txt',
    'rpc',
    'search',
    'session',
  ],
  'signature-database',
  'spec',
  'status',
  'v2',
  'verify',
]);

/** The name where it can stand in a path; else `ledger`. */
export function toNetworkSlug(networkName: string): string {
  const name = networkName.toLowerCase();
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !taken.has(name) ? name : 'ledger';
}

/** Public networks: links to their pages on another site may end here. */
export const publicNetworks: readonly string[] = ['mainnet', 'testnet', 'previewnet'];
