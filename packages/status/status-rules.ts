// When a component has a problem, and after which time it becomes an incident: data, whose numbers a file can replace.
// A greater value of a signal is worse. A rule becomes active when its signal was at `enterAt` or above for `holdMs`,
// until it was below `exitBelow` for the whole of `leaveMs`.
import type { SignalName } from './signal-names.ts';
import type { ComponentKey } from './status-components.ts';

export type TroubleLevel = 'degraded_performance' | 'partial_outage' | 'major_outage';

export type LevelRule = {
  component: ComponentKey;
  level: TroubleLevel;
  signal: SignalName;
  enterAt: number;
  exitBelow: number;
  holdMs: number;
  leaveMs: number;
  /** Name of an incident that begins with it. */
  title: string;
  /** false: shown, but never an incident. */
  opensIncident?: boolean;
  /** The reason with its value: `{seconds}`, `{percent}`, or the text of the signal: `{fact}`. */
  reason: string;
};

export type StatusTimings = {
  /** How often the state is computed. A gap of more than three of these is time without data. */
  tickMs: number;
  /** Older signals do not count. */
  staleMs: number;
  /** An outage that lasts this long becomes an incident. */
  outageOpensMs: number;
  /** The same for a component that is only degraded. */
  degradedOpensMs: number;
  /** An incident is resolved after this time without a problem. */
  resolvesAfterMs: number;
  /** An incident is opened again if its cause returns this soon. */
  reopensWithinMs: number;
  /** After its end a maintenance is completed after this time without a problem. */
  maintenanceVerifiesMs: number;
  /** A problem that is still there this long after the end of a maintenance becomes an incident. */
  maintenanceOverrunMs: number;
  /** How often contract verification tests itself. */
  selfTestMs: number;
};

export type StatusRules = { timings: StatusTimings; levels: Record<string, LevelRule> };

const second = 1000;
const minute = 60_000;

const degraded = 'degraded_performance';
const partial = 'partial_outage';
const major = 'major_outage';

/**
 * Levels and times follow the alert rules of the Hiero mirror node, if it has one. Of two active rules with the same
 * level the first one gives the reason: the more specific cause comes first. In brackets: `enterAt` and `exitBelow`,
 * `holdMs` and `leaveMs`.
 */
export const defaultStatusRules: StatusRules = {
  timings: {
    tickMs: 10 * second,
    staleMs: 2 * minute,
    outageOpensMs: 2 * minute,
    degradedOpensMs: 10 * minute,
    resolvesAfterMs: 10 * minute,
    reopensWithinMs: 15 * minute,
    maintenanceVerifiesMs: 5 * minute,
    maintenanceOverrunMs: 30 * minute,
    selfTestMs: 10 * minute,
  },
  levels: {
    ...rulesOf('api', {
      'api-slow': rule(degraded, 'api.p95Ms', [2 * second, 1.5 * second], [minute, 3 * minute], {
        title: 'Slow answers',
        reason: 'for half of the clients one answer in twenty takes longer than {seconds}',
      }),
      'api-refuses': rule(degraded, 'api.refusedShare', [0.1, 0.05], [minute, 3 * minute], {
        title: 'More is asked than can be answered',
        reason: '{percent} of the queries are refused because more is asked than can be answered',
      }),
      'api-workers': rule(degraded, 'api.workersMissing', [1, 1], [minute, minute], {
        title: 'A process of the query service does not answer',
        reason: '{fact}',
      }),
      'api-errors': rule(partial, 'api.errorShare', [0.01, 0.005], [minute, 3 * minute], {
        title: 'Queries fail',
        reason: '{percent} of the queries fail',
      }),
      'api-mostly-errors': rule(major, 'api.errorShare', [0.5, 0.25], [minute, 3 * minute], {
        title: 'Most queries fail',
        reason: '{percent} of the queries fail',
      }),
      'api-down': rule(major, 'api.down', [1, 1], [2 * minute, minute], {
        title: 'The query service does not answer',
        reason: 'the query service does not answer or is not ready',
      }),
      'api-partly-down': rule(partial, 'api.down', [0.01, 0.01], [2 * minute, minute], {
        title: 'A query service does not answer',
        reason: '{fact}',
      }),
      'api-lost': rule(major, 'api.lost', [1, 1], [0, 10 * second], {
        title: 'The query service does not answer',
        reason: '{fact}',
      }),
      'api-partly-lost': rule(partial, 'api.lost', [0.01, 0.01], [0, 10 * second], {
        title: 'A query service does not answer',
        reason: '{fact}',
      }),
    }),
    ...rulesOf('import', {
      'import-halted': rule(major, 'import.halted', [1, 1], [0, minute], {
        title: 'The import has stopped',
        reason: 'the import has stopped. {fact}',
      }),
      'import-absent': rule(major, 'import.absentMs', [minute / 2, minute / 4], [0, minute], {
        title: 'The import does not run',
        reason: 'the import has not been heard of for {seconds}. {fact}',
      }),
      'import-lost': rule(major, 'import.lost', [1, 1], [0, 10 * second], {
        title: 'The import does not run',
        reason: 'the import has ended without notice',
      }),
      'import-source': rule(partial, 'import.sourceFails', [1, 1], [minute / 2, minute], {
        title: 'The stream files cannot be read',
        reason: 'the stream files cannot be read. {fact}',
      }),
      'import-behind': rule(degraded, 'import.behindMs', [20 * second, 10 * second], [3 * minute, 3 * minute], {
        title: 'New transactions appear late',
        reason: 'transactions are stored {seconds} after their consensus, and the delay does not shrink',
      }),
      'import-slow': rule(degraded, 'import.blockMs', [2 * second, 1.5 * second], [3 * minute, 3 * minute], {
        title: 'The import is slow',
        reason: 'storing one block takes {seconds}',
      }),
      'import-rejects': rule(partial, 'import.rejectedShare', [0.05, 0.02], [2 * minute, 3 * minute], {
        title: 'Files of some nodes cannot be proved',
        reason: '{percent} of the files and signatures are not what the network signed',
      }),
      'import-silent': rule(partial, 'import.silentMs', [2 * minute, minute], [0, minute], {
        title: 'No new transactions',
        reason: 'no block has been stored for {seconds}',
      }),
      'import-long-silent': rule(major, 'import.silentMs', [10 * minute, minute], [0, minute], {
        title: 'No new transactions',
        reason: 'no block has been stored for {seconds}',
      }),
    }),
    ...rulesOf('continuity', {
      'stream-gap': rule(degraded, 'stream.gapMs', [20 * second, 1], [0, minute], {
        title: 'A file of the stream is missing',
        reason: 'a file has been missing for {seconds}. {fact}',
      }),
      'stream-long-gap': rule(partial, 'stream.gapMs', [10 * minute, 1], [0, minute], {
        title: 'A file of the stream is missing',
        reason: 'a file has been missing for {seconds}. {fact}',
      }),
      'stream-broken': rule(major, 'stream.broken', [1, 1], [0, minute], {
        title: 'A file of the stream cannot be proved',
        reason: 'a file is not what the network signed. {fact}',
      }),
      'stream-unread': rule(degraded, 'stream.unread', [1, 1], [0, minute], {
        title: 'A ledger id was published that cannot be read',
        reason: 'the network has published a ledger id in a form that is not known here. {fact}',
      }),
      'stream-untrusted-soon': rule(degraded, 'stream.untrusted', [1, 1], [0, minute], {
        title: 'Blocks of a block stream could not be verified',
        reason: 'no ledger id is known that blocks of a block stream could be verified with. {fact}',
      }),
      'stream-untrusted': rule(major, 'stream.untrusted', [2, 2], [0, minute], {
        title: 'Blocks are not verified',
        reason: 'new blocks are stored without a proof. {fact}',
      }),
    }),
    ...rulesOf('database', {
      'database-slow': rule(degraded, 'database.probeMs', [second, second / 2], [minute, 3 * minute], {
        title: 'The database is slow',
        reason: 'a small query takes {seconds}',
      }),
      'database-crowded': rule(degraded, 'database.busyShare', [0.75, 0.5], [5 * minute, 3 * minute], {
        title: 'The database is busy',
        reason: '{percent} of the connections to the database are in use',
      }),
      'database-replicas': rule(degraded, 'database.placesLost', [1, 1], [minute, minute], {
        title: 'A replica of the database does not answer',
        reason: '{fact}',
      }),
      'database-machines': rule(partial, 'database.machinesLost', [1, 1], [30 * second, minute], {
        title: 'A machine of the database does not answer',
        reason: '{fact}',
      }),
      'database-filling': rule(partial, 'database.filling', [1, 1], [0, 10 * second], {
        title: 'The database is being filled from an export',
        reason: 'it is being filled from an export: until that has ended, answers are incomplete',
      }),
      'database-filling-ended': rule(major, 'database.filling', [2, 2], [0, 10 * second], {
        title: 'The database is filled in part',
        reason:
          'filling it from an export was interrupted: answers are incomplete until "bootstrap" has gone on to its end',
      }),
      'database-write': rule(partial, 'database.writeFails', [1, 1], [30 * second, minute], {
        title: 'The database does not take new data',
        reason: 'the database does not take new data. {fact}',
      }),
      'database-down': rule(major, 'database.down', [1, 1], [30 * second, minute], {
        title: 'The database does not answer',
        reason: 'the database does not answer',
      }),
    }),
    ...rulesOf('verification', {
      'verification-slow': rule(degraded, 'verification.checkMs', [20 * second, 10 * second], [minute, 3 * minute], {
        title: 'Verifications are slow',
        reason: 'a small contract takes {seconds} to be compiled and compared',
        // A busy machine compiles slowly, which is no fault.
        opensIncident: false,
      }),
      'verification-waits': rule(degraded, 'verification.waitMs', [3 * minute, minute], [0, 3 * minute], {
        title: 'Verifications have to wait',
        reason: 'a contract has been waiting for its verification for {seconds}',
      }),
      'verification-waits-long': rule(partial, 'verification.waitMs', [10 * minute, minute], [0, 3 * minute], {
        title: 'Verifications have to wait',
        reason: 'a contract has been waiting for its verification for {seconds}',
      }),
      'verification-down': rule(major, 'verification.down', [1, 1], [minute, minute], {
        title: 'Contracts cannot be verified',
        reason: 'a contract that is known to match cannot be verified. {fact}',
      }),
    }),
    ...rulesOf('network', {
      'network-silent': rule(partial, 'network.silentMs', [2 * minute, minute], [0, minute], {
        title: 'The network publishes no new files',
        reason: 'no new file for {seconds}',
      }),
      'network-long-silent': rule(major, 'network.silentMs', [10 * minute, minute], [0, minute], {
        title: 'The network publishes no new files',
        reason: 'no new file for {seconds}',
      }),
    }),
  },
};

type Words = Pick<LevelRule, 'title' | 'reason' | 'opensIncident'>;
type RuleOfComponent = Omit<LevelRule, 'component'>;

function rule(
  level: TroubleLevel,
  signal: SignalName,
  [enterAt, exitBelow]: [number, number],
  [holdMs, leaveMs]: [number, number],
  words: Words,
): RuleOfComponent {
  return { level, signal, enterAt, exitBelow, holdMs, leaveMs, ...words };
}

function rulesOf(component: ComponentKey, rules: Record<string, RuleOfComponent>): Record<string, LevelRule> {
  return Object.fromEntries(Object.entries(rules).map(([name, each]) => [name, { component, ...each }]));
}
