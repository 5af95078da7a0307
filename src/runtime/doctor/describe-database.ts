// A database in a sentence: role, machines, indexes, proofs, doubts, the part of the ledger that it holds.
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { countPostponedIndexes } from '../../../packages/store/read/count-postponed-indexes.ts';
import { asDistributedWhereItIs } from '../../../packages/store/read/distributed/as-distributed.ts';
import { describeMissing, selectMachines } from '../../../packages/store/read/distributed/select-machines.ts';
import { selectDoubts } from '../../../packages/store/read/select-doubts.ts';
import { selectLedgerTrust, selectUnreadPublication } from '../../../packages/store/read/select-ledger-trust.ts';
import { selectServer } from '../../../packages/store/read/select-server.ts';
import { countUnprovedBlocks, countUnverifiedBlocks } from '../../../packages/store/read/select-unverified-proofs.ts';
import { type BootstrapRun, selectBootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';
import { describeBootstrap, stateOf } from '../../ledger/extent/bootstrap-state.ts';
import { describeExtent } from '../../ledger/extent/extent.ts';
import { findExtent } from '../../ledger/extent/find-extent.ts';
import { findMissingTrust } from '../../ledger/extent/missing-trust.ts';
import { describeStorage, findStorage } from '../../ledger/extent/storage.ts';
import { describeDoubts } from './describe-doubts.ts';
import { describeTrust } from './describe-trust.ts';
import { examineNetwork } from './examine-network.ts';
import { examineTables, judgeServer } from './examine-server.ts';
import { FailedCheck } from './failed-check.ts';

type DescribeDatabaseOptions = {
  kind: string;
  readOnly: boolean;
  addressBook: string | undefined;
  /** Where its files are; null = on another machine. */
  freeBytes: bigint | null;
};

/** Throws FailedCheck where a mirror could not use it. */
export async function describeDatabase(
  connectionString: string,
  { kind, readOnly, addressBook, freeBytes }: DescribeDatabaseOptions,
): Promise<string> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    const server = await selectServer(db);
    const { version, role, creates, reads, writes } = server;
    judgeServer(server, { readOnly });
    await examineTables(connectionString, server, { readOnly });
    if (addressBook !== undefined && server.hasBlocks) await examineNetwork(db, addressBook);
    if (reads && !creates && !writes) {
      const enough = readOnly ? '' : ', which is enough for "serve" and not for an import';
      return `${kind}PostgreSQL ${version}, the role ${role} may read and nothing else${enough}`;
    }
    if (!creates && !readOnly) {
      throw new FailedCheck(
        `PostgreSQL ${version}; this role may not create tables`,
        'Run "ledger-mirror migrate" once with the owner of the database.',
      );
    }
    const able = readOnly
      ? `the role ${role} may write; one that "ledger-mirror migrate --reader-role <name>" makes may not`
      : 'tables can be created';
    const run = await selectBootstrapRun(db);
    const isFilled = !run || stateOf(run) === 'loaded';
    const found = [
      await describeMachines(await asDistributedWhereItIs(db)),
      isFilled ? describePostponed(await countPostponedIndexes(db)) : '',
      describeUnverified(await countUnverifiedBlocks(db)),
      describeUnproved(await countUnprovedBlocks(db)),
      describeTrust(await selectLedgerTrust(db)),
      describeDoubts(await selectDoubts(db)),
    ];
    if (run && stateOf(run) === 'interrupted') {
      throw new FailedCheck(describeBootstrap(run, 'operators'), 'Until then the database is incomplete.');
    }
    const unread = await selectUnreadPublication(db);
    if (unread) {
      throw new FailedCheck(
        `block ${unread.block} publishes a ledger id that the version which imported it could not read: ${unread.reason}${found.join('')}`,
        'Import with a later version, which reads what was kept of it; or, if the operators of the network confirm them, name the ledger id (--ledger-id) and the key that its blocks are signed with (--ledger-key).',
      );
    }
    const missing = await findMissingTrust(db);
    if (missing) throw new FailedCheck(`${missing.found}${found.join('')}`, missing.advice);
    // Before its end nothing is known of the part of the ledger.
    const held = server.hasBlocks && isFilled ? await describeHeld(db, freeBytes) : '';
    return `${kind}PostgreSQL ${version}, ${able}${found.join('')}${describeFilling(run)}${held}`;
  } finally {
    await db.close();
  }
}

async function describeMachines(db: Database): Promise<string> {
  if (!db.isDistributed) return '';
  const machines = await selectMachines(db);
  if (machines.missing > 0) {
    throw new FailedCheck(
      describeMissing(machines),
      'Start PostgreSQL on it, and see that the coordinator reaches it. The import waits for it; lists are answered with 503 meanwhile.',
    );
  }
  return `; its tables are distributed over ${machines.all} machines beside the coordinator`;
}

async function describeHeld(db: Database, freeBytes: bigint | null): Promise<string> {
  const extent = await findExtent(db);
  if (!extent) return '';
  const storage = await findStorage(await asDistributedWhereItIs(db), freeBytes);
  const sentences = [
    ...(storage ? [`It takes ${describeStorage(storage, extent.isCut)}`] : []),
    ...[describeExtent(extent)].filter((text) => text !== null),
  ];
  return sentences.map((text) => `. ${text.replace(/\.$/, '')}`).join('');
}

function describePostponed(count: number): string {
  if (count === 0) return '';
  return `; ${count} indexes are left out until an import with --bulk has caught up, queries are slow until then`;
}

function describeFilling(run: BootstrapRun | null): string {
  return run ? `. ${describeBootstrap(run, 'operators').replace(/\.$/, '')}` : '';
}

function describeUnverified(found: { blocks: bigint; stored: bigint } | null): string {
  if (!found || found.blocks === 0n) return '';
  const { blocks, stored } = found;
  return `; of ${stored} stored blocks ${blocks} have proofs that are kept but not verified (hashes and chain were checked)`;
}

function describeUnproved(blocks: bigint): string {
  if (blocks === 0n) return '';
  return `; ${blocks} blocks are unproved: their signatures are good, but nothing vouches for the key (the proof of the address book is not checked; --ledger-key names one that the operators of the network confirm)`;
}
