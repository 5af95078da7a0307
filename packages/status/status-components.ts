// The components of the page, by the names that wallets, relays and explorers look for.
import type { RemarkName, SignalName } from './signal-names.ts';

export type ComponentKey = 'mirror' | 'api' | 'import' | 'continuity' | 'database' | 'verification' | 'network';

export type StatusComponent = {
  key: ComponentKey;
  name(network: NetworkNames): string;
  description: string;
  /** Fact whose sentence is added to the description: information, not a problem. */
  remark?: RemarkName;
  /** Key of the group; null at the top. */
  group: ComponentKey | null;
  /** Signals without which it is unknown; none for a group. */
  needs: readonly SignalName[];
  /** Shown only after one of its signals came in. */
  optional?: boolean;
  /** Problems of related components probably have one cause: they become one incident. */
  related: readonly ComponentKey[];
};

export type NetworkNames = {
  /** e.g. `testnet` */
  name: string;
  /** e.g. `Hedera Testnet` */
  title: string;
  /** e.g. `v0.77.1`; null until a file has named it. */
  version: string | null;
};

/** In the order of the page: a group, then its children. */
export const statusComponents: readonly StatusComponent[] = [
  {
    key: 'mirror',
    name: () => 'Ledger Mirror',
    description: 'This mirror, from the stream files to the answers.',
    group: null,
    needs: [],
    related: [],
  },
  {
    key: 'api',
    name: ({ name, title }) => `Mirror Node REST API ${restApiNames[name] ?? title.replace(/^Hedera /, '')}`,
    description: 'Queries over HTTP, JSON-RPC and gRPC.',
    group: 'mirror',
    needs: ['api.down', 'api.errorShare'],
    related: ['database'],
  },
  {
    key: 'import',
    name: () => 'Record stream import',
    description: 'Proves the files of the network and stores what they say.',
    remark: 'import.ended',
    group: 'mirror',
    needs: ['import.silentMs'],
    related: ['database', 'continuity', 'network'],
  },
  {
    key: 'continuity',
    name: () => 'Stream continuity',
    description: 'Whether every file follows the one before it.',
    remark: 'stream.proof',
    group: 'mirror',
    needs: ['stream.broken'],
    related: ['import', 'network'],
  },
  {
    key: 'database',
    name: () => 'Database',
    description: 'Where the ledger is kept.',
    remark: 'database.extent',
    group: 'mirror',
    needs: ['database.down'],
    related: ['api', 'import', 'verification', 'network'],
  },
  {
    key: 'verification',
    name: () => 'Contract verification',
    description: 'Compares contracts with their source code.',
    group: 'mirror',
    needs: ['verification.down'],
    optional: true,
    related: ['database'],
  },
  {
    key: 'network',
    name: ({ title, version }) => `${title}${version === null ? '' : ` (${version})`} | Network Uptime`,
    description: 'Whether the network publishes new files.',
    remark: 'network.newest',
    group: null,
    needs: ['network.silentMs'],
    related: ['import', 'continuity', 'database'],
  },
];

/** Exceptions to the query service's name, which is the network's. */
const restApiNames: Record<string, string> = { mainnet: 'Public Mainnet' };

const networkTitles: Record<string, string> = {
  mainnet: 'Hedera Mainnet',
  testnet: 'Hedera Testnet',
  previewnet: 'Hedera Previewnet',
};

export function networkTitleOf(name: string): string {
  return networkTitles[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)} Network`;
}
