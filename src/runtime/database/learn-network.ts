// What a serving process knows of its network, always the current value. A database that is empty or unnamed when the
// process begins gets shard and realm with its first block, and a name from the import that has one: requests wait for
// the former, and the latter is looked for once a second, for what answers without a request.

import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  describeRealm,
  isSameRealm,
  type SystemRealm,
  usualRealm,
} from '../../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { selectMirroredNetwork } from '../../../packages/store/read/select-mirrored-network.ts';
import { selectSystemRealm } from '../../../packages/store/read/select-system-realm.ts';
import { identify, isNamed, type Network } from './settle-network.ts';

export type LearntNetwork = NetworkIdentity & {
  readonly system: SystemRealm;
  /** null = shard and realm are known; else resolves when the database has been asked. */
  look(): Promise<void> | null;
  /** The same as of answers that have name or chain id in them. */
  watched(blocks: BlockWatch): BlockWatch;
  close(): void;
};

export type LearnNetworkOptions = {
  db: Database;
  /** When the process began. */
  known: Network;
  /** From the settings. */
  said: { system: SystemRealm | null; name: string | null; chainId: bigint | null };
  log: Logger;
  lookMs?: number;
};

export function learnNetwork({ db, known, said, log, lookMs = 1000 }: LearnNetworkOptions): LearntNetwork {
  let realm = known.system;
  let identity: NetworkIdentity = { name: known.name, chainId: known.chainId };
  let isOpen = known.isOpen === true;
  let changes = 0;
  let looking: Promise<void> | null = null;
  const current = (): SystemRealm => realm ?? said.system ?? usualRealm;

  async function ask(): Promise<void> {
    try {
      realm ??= await selectSystemRealm(db);
      if (isOpen) takeName(await selectMirroredNetwork(db));
    } finally {
      looking = null;
    }
    if (realm && said.system && !isSameRealm(realm, said.system)) {
      log.error(
        `The database is filled with a network in ${describeRealm(realm)}, not ${describeRealm(said.system)}: --shard and --realm are ignored. Leave them out.`,
      );
    }
  }

  function takeName(stored: Awaited<ReturnType<typeof selectMirroredNetwork>>): void {
    const found = identify(said, stored);
    if (found.name !== identity.name || found.chainId !== identity.chainId) {
      identity = found;
      changes += 1;
      log.info(`The import has named the network: ${found.name}, chain id 0x${found.chainId.toString(16)}`);
    }
    if (!isNamed(said, stored)) return;
    isOpen = false;
    clearInterval(timer);
  }

  const lookAgain = (): Promise<void> => {
    looking ??= ask();
    return looking;
  };
  const timer = setInterval(() => {
    // Whether the database answers is what others report.
    lookAgain().catch((error: unknown) => log.debug({ err: error }, 'the name of the network could not be read'));
  }, lookMs);
  timer.unref();
  if (!isOpen) clearInterval(timer);

  return {
    get name() {
      return identity.name;
    },
    get chainId() {
      return identity.chainId;
    },
    system: {
      get shard() {
        return current().shard;
      },
      get realm() {
        return current().realm;
      },
    },
    look: () => (realm ? null : lookAgain()),
    watched: (blocks) => ({
      get turn() {
        return blocks.turn + changes;
      },
      get epoch() {
        return blocks.epoch + changes;
      },
      get newestEnd() {
        return blocks.newestEnd;
      },
      get confirmedMs() {
        return blocks.confirmedMs;
      },
    }),
    close: () => clearInterval(timer),
  };
}
