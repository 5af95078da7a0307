// Which network this run is about: from the settings, or what the database was filled for. Both must agree: blocks of
// two networks in one database would be wrong, and nothing would show it.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import {
  describeRealm,
  isSameRealm,
  type SystemRealm,
  usualRealm,
} from '../../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import { type MirroredNetwork, selectMirroredNetwork } from '../../../packages/store/read/select-mirrored-network.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { selectSystemRealm } from '../../../packages/store/read/select-system-realm.ts';
import { upsertMirroredNetwork } from '../../../packages/store/write/upsert-mirrored-network.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

/** Name of a network that neither settings nor database name. */
export const unnamedNetwork = 'other';

export type Network = NetworkIdentity & {
  /** null while shard and realm are unknown. */
  system: SystemRealm | null;
  /** Neither settings nor database say name and chain id: an import may still name the network. */
  isOpen?: boolean;
};

export type SettleNetworkOptions = {
  connectionString: string;
  settings: Settings;
  log: Logger;
  /** The network is the simulated one, named `demo` unless a setting says otherwise. */
  simulated?: boolean;
  /** This run imports: the database stores which network it is filled for. */
  imports: boolean;
  /** The network of the export that the database is about to be filled from, in place of what the database says. */
  exported?: NetworkName | null;
};

/** Throws UsageError if the settings contradict the database. */
export async function settleNetwork(options: SettleNetworkOptions): Promise<Network> {
  const { connectionString, settings, log, simulated = false, imports, exported = null } = options;
  const given: NetworkName = {
    name: settings.find('network') ?? (simulated ? 'demo' : null),
    chainId: settings.find('chain-id') ?? null,
  };
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    const stored = exported ?? (await selectMirroredNetwork(db));
    assertAgree(given, stored, { simulated, ...(exported ? saidOfExport : saidOfDatabase) });
    const system = await selectSystemRealm(db);
    assertSameRealm(readRealm(settings), system);
    // If an earlier version stored the blocks, only explicit settings count.
    const isSaid = settings.find('network') !== undefined || given.chainId !== null;
    const writes = imports && (isSaid || (given.name !== null && (await selectNewestBlock(db)) === null));
    if (writes) await upsertMirroredNetwork(db, given);
    if ([given.name, given.chainId, stored?.name ?? null, stored?.chainId ?? null].every((said) => said === null)) {
      log.warn(
        `The network has no name, so results show chain id ${formatChainId(defaultChainId(unnamedNetwork))}. Name it with --network mainnet, testnet, previewnet or another; the import remembers it.`,
      );
    }
    const isOpen = !isNamed(given, stored) && !(writes && given.name !== null);
    return { ...identify(given, stored), system, ...(isOpen && { isOpen }) };
  } finally {
    await db.close();
  }
}

type NetworkName = Pick<MirroredNetwork, 'name' | 'chainId'>;

/** What settings and database say together. */
export function identify(given: NetworkName, stored: NetworkName | null): NetworkIdentity {
  const name = given.name ?? stored?.name ?? unnamedNetwork;
  return { name, chainId: given.chainId ?? stored?.chainId ?? defaultChainId(name) };
}

/** Whether no import can add to it: a database that has a name has the chain id of that name, if no other. */
export function isNamed(given: NetworkName, stored: NetworkName | null): boolean {
  return (
    (stored?.name ?? null) !== null || (given.name !== null && (given.chainId ?? stored?.chainId ?? null) !== null)
  );
}

type Said = { filled: string; another: string };

const saidOfDatabase: Said = {
  filled: 'This database was filled',
  another: 'another database with --data-dir or DATABASE_URL',
};
const saidOfExport: Said = { filled: 'This export is', another: 'another export with --from' };

function assertAgree(
  given: NetworkName,
  stored: NetworkName | null,
  { simulated, filled, another }: Said & { simulated: boolean },
): void {
  if (!stored) return;
  if (given.name !== null && stored.name !== null && given.name !== stored.name) {
    const asked = simulated ? `the simulated network "${given.name}"` : `--network ${given.name}`;
    throw new UsageError(
      `${filled} for the network ${stored.name}, not for ${asked}. ${simulated ? 'Name the stream files with --source' : 'Leave --network out'}, or choose ${another}.`,
    );
  }
  const storedId = stored.chainId ?? (stored.name === null ? null : defaultChainId(stored.name));
  if (given.chainId !== null && storedId !== null && given.chainId !== storedId) {
    throw new UsageError(
      `${filled} for chain id ${formatChainId(storedId)}, not for --chain-id ${formatChainId(given.chainId)}. Leave --chain-id out, or choose ${another}.`,
    );
  }
}

function assertSameRealm(given: SystemRealm | null, stored: SystemRealm | null): void {
  if (!given || !stored || isSameRealm(given, stored)) return;
  throw new UsageError(
    `This database holds a network in ${describeRealm(stored)}, not ${describeRealm(given)}. Leave --shard and --realm out, or choose another database with --data-dir or DATABASE_URL.`,
  );
}

function formatChainId(chainId: bigint): string {
  return `0x${chainId.toString(16)}`;
}

/** What they say of the network; null = nothing. */
export function readNetworkSettings({ find }: Pick<Settings, 'find'>) {
  return { system: readRealm({ find }), name: find('network') ?? null, chainId: find('chain-id') ?? null };
}

/** Of --shard and --realm one is enough; null = neither is given. */
export function readRealm({ find }: Pick<Settings, 'find'>): SystemRealm | null {
  const [shard, realm] = [find('shard'), find('realm')];
  if (shard === undefined && realm === undefined) return null;
  return { shard: shard ?? usualRealm.shard, realm: realm ?? usualRealm.realm };
}

const chainIds: Record<string, bigint> = { mainnet: 0x127n, testnet: 0x128n, previewnet: 0x129n, demo: 0x12an };

function defaultChainId(network: string): bigint {
  return chainIds[network] ?? 0x128n;
}
