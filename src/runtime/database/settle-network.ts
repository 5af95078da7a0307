// Which network this run is about: from the settings, or what the database was filled for. Both must agree: blocks of
// two networks in one database would be wrong, and nothing would show it.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import {
  describeRealm,
  isSameRealm,
  type SystemRealm,
  usualRealm,
} from '../../../packages/protocol/hapi/system-entity.ts';
import { type MirroredNetwork, selectMirroredNetwork } from '../../store/read/select-mirrored-network.ts';
import { selectNewestBlock } from '../../store/read/select-newest-block.ts';
import { selectSystemRealm } from '../../store/read/select-system-realm.ts';
import { upsertMirroredNetwork } from '../../store/write/upsert-mirrored-network.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

/** `system`: null while shard and realm are unknown. */
export type Network = { name: string; chainId: bigint; system: SystemRealm | null };

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
    const name = given.name ?? stored?.name ?? null;
    const chainId = given.chainId ?? stored?.chainId ?? null;
    // If an earlier version stored the blocks, only explicit settings count.
    const isSaid = settings.find('network') !== undefined || given.chainId !== null;
    if (imports && (isSaid || (given.name !== null && (await selectNewestBlock(db)) === null))) {
      await upsertMirroredNetwork(db, given);
    }
    if (name === null && chainId === null) {
      log.warn(
        `The network has no name, so results show chain id ${formatChainId(defaultChainId('other'))}. Name it with --network mainnet, testnet, previewnet or another; the import remembers it.`,
      );
    }
    return { name: name ?? 'other', chainId: chainId ?? defaultChainId(name ?? 'other'), system };
  } finally {
    await db.close();
  }
}

type NetworkName = Pick<MirroredNetwork, 'name' | 'chainId'>;

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

export type NetworkRealm = ReturnType<typeof createNetworkRealm>;

export type NetworkRealmOptions = {
  db: Database;
  /** From the database. */
  known: SystemRealm | null;
  /** From the settings. */
  said: SystemRealm | null;
  log: Logger;
};

/** In a database that is empty when the process begins, shard and realm are known with its first block. */
export function createNetworkRealm({ db, known, said, log }: NetworkRealmOptions) {
  let found = known;
  let looking: Promise<void> | null = null;
  const current = (): SystemRealm => found ?? said ?? usualRealm;

  async function ask(): Promise<void> {
    try {
      found ??= await selectSystemRealm(db);
    } finally {
      looking = null;
    }
    if (found && said && !isSameRealm(found, said)) {
      log.error(
        `The database is filled with a network in ${describeRealm(found)}, not ${describeRealm(said)}: --shard and --realm are ignored. Leave them out.`,
      );
    }
  }

  return {
    /** Always the current value. */
    system: {
      get shard() {
        return current().shard;
      },
      get realm() {
        return current().realm;
      },
    },
    /** null = it is known; else resolves when the database has been asked. */
    look(): Promise<void> | null {
      if (found) return null;
      looking ??= ask();
      return looking;
    },
  };
}
