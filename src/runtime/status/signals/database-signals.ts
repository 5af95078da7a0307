// Whether the database answers, and how fast: small queries on a separate connection, so that busy readers are no
// outage. The usual one of them counts: a moment in which this thread is busy with a client's long answer delays one,
// not most.

import { formatLedgerId } from '../../../../packages/kit/format-ledger-id.ts';
import { type Database, openDatabase } from '../../../../packages/postgres/wire/database.ts';
import { everySignal, type Facts, type Signals } from '../../../../packages/status/signal-names.ts';
import { asDistributedWhereItIs } from '../../../../packages/store/read/distributed/as-distributed.ts';
import { describeMissing, selectMachines } from '../../../../packages/store/read/distributed/select-machines.ts';
import { type SeenImporter, selectImporterState } from '../../../../packages/store/read/select-importer-state.ts';
import {
  type LedgerTrust,
  selectTrustedLedger,
  selectUnreadPublication,
  type UnreadPublication,
} from '../../../../packages/store/read/select-ledger-trust.ts';
import { selectMirroredNetwork } from '../../../../packages/store/read/select-mirrored-network.ts';
import { type NewestBlock, selectNewestBlock } from '../../../../packages/store/read/select-newest-block.ts';
import { selectOtherStatusPages } from '../../../../packages/store/read/select-status-pages.ts';
import {
  selectFirstUnprovedBlock,
  selectFirstUnverifiedBlock,
} from '../../../../packages/store/read/select-unverified-proofs.ts';
import { type BootstrapRun, selectBootstrapRun } from '../../../../packages/store/transfer/bootstrap-run.ts';
import { describeOrigin } from '../../../importer/open/block-verification.ts';
import { describeBootstrap, stateOf } from '../../../ledger/extent/bootstrap-state.ts';
import { describeHeld } from '../../../ledger/extent/describe-held.ts';
import { describeUnread } from '../../../ledger/extent/describe-unread.ts';
import { findMissingTrust, type MissingTrust } from '../../../ledger/extent/missing-trust.ts';

type ProbedDatabase = {
  values: Signals<'database'>;
  facts: Facts;
  /** undefined = the database does not answer. */
  block: NewestBlock | null | undefined;
  /** Last state of the importer; null = none has ever reported. undefined as above. */
  importer: SeenImporter | null | undefined;
  /** For how long it has been answering. */
  reachableMs: number;
  /** Status services that other processes on this database report to; null if unknown. */
  otherPages: string[] | null;
};

/** Only the failure counts here; the parts that need the database log its reason. */
const unreachable: ProbedDatabase = {
  values: { 'database.down': 1 },
  facts: {},
  block: undefined,
  importer: undefined,
  reachableMs: 0,
  otherPages: null,
};

const answerWithinMs = 5000;
const closeWithinMs = 1000;

export function createDatabaseProbe(connectionString: string) {
  /** Of the queries of this probe, ms. */
  let tookMs: number[] = [];
  const db = openDatabase({
    connectionString,
    maxConnections: 1,
    statementTimeoutMs: answerWithinMs,
    onQuery: (_name, durationMs) => void tookMs.push(durationMs),
    // The next probe shows whether it matters.
    onConnectionLost: () => {},
  });
  const machines = createMachineProbe(db);
  let running: ReturnType<typeof select> | null = null;
  let reachableSince: number | null = null;
  return {
    /** @param statusPage the status service that this process reports to; null while unknown */
    async probe(statusPage: string | null): Promise<ProbedDatabase> {
      const started = performance.now();
      if (running === null) tookMs = [];
      try {
        // A hanging query is waited for instead of starting another.
        running ??= select(db, statusPage).finally(() => {
          running = null;
        });
        const [[block, importer, proofs, run, held, otherPages, network], seen] = await Promise.all([
          within(running, answerWithinMs),
          machines(),
        ]);
        reachableSince ??= started;
        const facts: Facts = {
          ...seen.facts,
          'stream.proof': describeProofs(proofs),
          'stream.unread': describeUnread(proofs.unread) ?? '',
          'stream.untrusted': proofs.missing ? toSentence(proofs.missing.found) : '',
          ...describeContent(run, held),
        };
        if (block?.hapiVersion) facts['network.version'] = `v${block.hapiVersion}`;
        if (network?.name) facts['network.name'] = network.name;
        return {
          values: everySignal<'database'>()({
            ...seen.values,
            'database.down': 0,
            'database.probeMs': medianOf(tookMs),
            'database.filling': fillingOf(run),
            'stream.unread': proofs.unread ? 1 : 0,
            'stream.untrusted': proofs.missing ? (proofs.missing.isNow ? 2 : 1) : 0,
          }),
          facts,
          block,
          importer,
          reachableMs: performance.now() - reachableSince,
          otherPages,
        };
      } catch {
        reachableSince = null;
        return unreachable;
      }
    },
    // A server that hangs must not keep the mirror from ending.
    close: () => within(db.close(), closeWithinMs).catch(() => {}),
  };
}

/** 0 of none. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

type Seen = { values: Pick<Signals<'database'>, 'database.machinesLost'>; facts: Facts };

/** The machines of a cluster, if it is one. A machine that hangs holds up every answer. */
function createMachineProbe(db: Database): () => Promise<Seen> {
  let isDistributed: boolean | null = null;
  let running: Promise<Seen> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return within(running, answerWithinMs).catch(() => {
      // That the database does not answer at all is reported by the other half of the probe.
      if (!isDistributed) return { values: {}, facts: {} };
      return seenAs(1, `The machines of the cluster do not answer within ${answerWithinMs / 1000} s`);
    });
  };

  async function ask(): Promise<Seen> {
    isDistributed ??= (await asDistributedWhereItIs(db)).isDistributed;
    if (!isDistributed) return { values: {}, facts: {} };
    const machines = await selectMachines(db);
    return seenAs(machines.missing, machines.missing > 0 ? describeMissing(machines) : '');
  }

  function seenAs(missing: number, fact: string): Seen {
    return { values: { 'database.machinesLost': missing }, facts: { 'database.machinesLost': fact } };
  }
}

type ProofState = {
  /** The first blocks that no signature covers, and only one by a key that nothing vouches for. */
  unverified: bigint | null;
  unproved: bigint | null;
  trust: Pick<LedgerTrust, 'ledgerId' | 'origin'> | null;
  unread: UnreadPublication | null;
  missing: MissingTrust | null;
};

async function selectProofState(db: Database): Promise<ProofState> {
  return {
    unverified: await selectFirstUnverifiedBlock(db),
    unproved: await selectFirstUnprovedBlock(db),
    trust: await selectTrustedLedger(db),
    unread: await selectUnreadPublication(db),
    missing: await findMissingTrust(db),
  };
}

async function select(db: Database, statusPage: string | null) {
  const run = await selectBootstrapRun(db);
  return [
    await selectNewestBlock(db),
    await selectImporterState(db),
    await selectProofState(db),
    run,
    await describeHeld(db, run),
    statusPage === null ? null : await selectOtherStatusPages(db, statusPage),
    // The import may learn it after this program began.
    await selectMirroredNetwork(db),
  ] as const;
}

/** 1 = an export is being loaded, 2 = that was interrupted. */
function fillingOf(run: BootstrapRun | null): number {
  const state = run && stateOf(run);
  return state === 'running' ? 1 : state === 'interrupted' ? 2 : 0;
}

/** The progress of a running bootstrap is part of the description. */
function describeContent(run: BootstrapRun | null, held: string | null): Facts {
  const filled = run && stateOf(run) === 'loaded' ? describeBootstrap(run, 'everyone') : null;
  return { 'database.extent': [filled, held].filter((sentences) => sentences !== null).join(' ') };
}

// Without a number that grows: the page would change with every block.
function describeProofs({ unverified, unproved, trust }: ProofState): string {
  const sentences: string[] = [];
  if (trust) {
    const id = formatLedgerId(trust.ledgerId);
    sentences.push(`Blocks are verified by the signatures of ledger ${id}, ${describeOrigin(trust.origin)}.`);
  }
  if (unproved !== null) {
    sentences.push(
      `From block ${unproved} on their key is not proved: the proof of the address book is not checked, and no proved block named it.`,
    );
  }
  if (unverified !== null) {
    sentences.push(
      `From block ${unverified} on the proofs of the network are kept but not verified; hashes and chain are checked.`,
    );
  }
  return sentences.join(' ');
}

const toSentence = (found: string): string => `${found[0]!.toUpperCase()}${found.slice(1)}.`;

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
