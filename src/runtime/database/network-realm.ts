// Shard and realm of the network that a process answers for. Of a database that is empty when the process begins, they are
// learnt with its first block: until then the database is asked before each request.
import { describeRealm, isSameRealm, type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';
import { selectSystemRealm } from '../../store/read/select-system-realm.ts';
import type { Database } from '../../store/wire/database.ts';
import type { Logger } from '../process/log.ts';

export type NetworkRealm = {
  /** Always says what is known now. */
  system: SystemRealm;
  /** null = it is known; else resolves when the database has been asked. */
  look(): Promise<void> | null;
};

export type NetworkRealmOptions = {
  db: Database;
  /** What the database says already. */
  known: SystemRealm | null;
  /** What the settings say. */
  said: SystemRealm | null;
  log: Logger;
};

export function createNetworkRealm({ db, known, said, log }: NetworkRealmOptions): NetworkRealm {
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
        `The database is filled with a network in ${describeRealm(found)}, not ${describeRealm(said)}: --shard and --realm are left aside. Leave them out.`,
      );
    }
  }

  return {
    system: {
      get shard() {
        return current().shard;
      },
      get realm() {
        return current().realm;
      },
    },
    look() {
      if (found) return null;
      looking ??= ask();
      return looking;
    },
  };
}
