// The components of the page, by the names under which wallets, relays and explorers look for them.

export type StatusComponent = {
  key: string;
  name(network: NetworkNames): string;
  description: string;
  /** Fact with a sentence to be added to the description: what has to be known of it, and is no trouble. */
  remark?: string;
  /** Key of the group; null at the top. */
  group: string | null;
  /** Signals without which nothing is known about it; none for a group. */
  needs: readonly string[];
  /** Shown only once a signal of it came in. */
  optional?: boolean;
  /** Trouble here and there has one cause as likely as not: it becomes one incident. */
  related: readonly string[];
};

export type NetworkNames = {
  /** e.g. `testnet` */
  name: string;
  /** e.g. `Hedera Testnet` */
  title: string;
  /** e.g. `v0.77.1`; null until a file has told it. */
  version: string | null;
};

const groupKey = 'mirror';
const networkKey = 'network';

/** In the order of the page: a group, then its children. */
export const statusComponents: readonly StatusComponent[] = [
  {
    key: groupKey,
    name: () => 'Ledger Mirror',
    description: 'This mirror, from the stream files to the answers.',
    group: null,
    needs: [],
    related: [],
  },
  {
    key: 'api',
    name: ({ name, title }) => `Mirror Node REST API ${restApiNames[name] ?? title.replace(/^Hedera /, '')}`,
    description: 'Queries over HTTP.',
    group: groupKey,
    needs: ['api.down', 'api.errorShare'],
    related: ['database'],
  },
  {
    key: 'import',
    name: () => 'Record stream import',
    description: 'Proves the files of the network and stores what they say.',
    remark: 'import.ended',
    group: groupKey,
    needs: ['import.silentMs'],
    related: ['database', 'continuity', networkKey],
  },
  {
    key: 'continuity',
    name: () => 'Stream continuity',
    description: 'Whether every file follows the one before it.',
    remark: 'stream.unverified',
    group: groupKey,
    needs: ['stream.broken'],
    related: ['import', networkKey],
  },
  {
    key: 'database',
    name: () => 'Database',
    description: 'Where the ledger is kept.',
    remark: 'database.extent',
    group: groupKey,
    needs: ['database.down'],
    related: ['api', 'import', 'verification', networkKey],
  },
  {
    key: 'verification',
    name: () => 'Contract verification',
    description: 'Compares contracts with their source code.',
    group: groupKey,
    needs: ['verification.down'],
    optional: true,
    related: ['database'],
  },
  {
    key: networkKey,
    name: ({ title, version }) => `${title}${version === null ? '' : ` (${version})`} | Network Uptime`,
    description: 'Whether the network publishes new files.',
    remark: 'network.newest',
    group: null,
    needs: ['network.silentMs'],
    related: ['import', 'continuity', 'database'],
  },
];

/** Where the name of the query service is not just the network's. */
const restApiNames: Record<string, string> = { mainnet: 'Public Mainnet' };

const networkTitles: Record<string, string> = {
  mainnet: 'Hedera Mainnet',
  testnet: 'Hedera Testnet',
  previewnet: 'Hedera Previewnet',
};

export function networkTitleOf(name: string): string {
  return networkTitles[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)} Network`;
}
