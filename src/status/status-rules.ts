// When a component has a problem, and after which time it becomes an incident: data, which a file can replace in parts.
// A greater value of a signal is worse. A rule comes into force when its signal was at `enterAt` or above for `holdMs`, and
// goes out of force only after it was below `exitBelow` for `leaveMs` at a stretch.

export type TroubleLevel = 'degraded_performance' | 'partial_outage' | 'major_outage';

export type LevelRule = {
  component: string;
  level: TroubleLevel;
  signal: string;
  enterAt: number;
  exitBelow: number;
  holdMs: number;
  leaveMs: number;
  /** Names the incident that begins with it. */
  title: string;
  /** false: shown, but never an incident. */
  opensIncident?: boolean;
  /** Why, with the value in it: `{seconds}`, `{percent}`, or the text that came with the signal: `{fact}`. */
  reason: string;
};

export type StatusTimings = {
  /** How often the state is computed. A gap of more than three of these is time without data. */
  tickMs: number;
  /** Older signals say nothing. */
  staleMs: number;
  /** An outage that lasts this long becomes an incident. */
  outageOpensMs: number;
  /** The same for a component that is only degraded. */
  degradedOpensMs: number;
  /** An incident is resolved after this time without a problem. */
  resolvesAfterMs: number;
  /** Trouble that comes back this soon opens the same incident again. */
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

/**
 * Levels and times follow the alert rules that the Hiero mirror node comes with, where it has one. Of two rules in force
 * with the same level the first one speaks: what says more of the cause comes first.
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
    'api-slow': {
      component: 'api',
      level: 'degraded_performance',
      signal: 'api.p95Ms',
      enterAt: 2 * second,
      exitBelow: 1.5 * second,
      holdMs: minute,
      leaveMs: 3 * minute,
      title: 'Slow answers',
      reason: 'one answer in twenty takes longer than {seconds}',
    },
    'api-workers': {
      component: 'api',
      level: 'degraded_performance',
      signal: 'api.workersMissing',
      enterAt: 1,
      exitBelow: 1,
      holdMs: minute,
      leaveMs: minute,
      title: 'A process of the query service does not answer',
      reason: '{fact}',
    },
    'api-errors': {
      component: 'api',
      level: 'partial_outage',
      signal: 'api.errorShare',
      enterAt: 0.01,
      exitBelow: 0.005,
      holdMs: minute,
      leaveMs: 3 * minute,
      title: 'Queries fail',
      reason: '{percent} of the queries fail',
    },
    'api-mostly-errors': {
      component: 'api',
      level: 'major_outage',
      signal: 'api.errorShare',
      enterAt: 0.5,
      exitBelow: 0.25,
      holdMs: minute,
      leaveMs: 3 * minute,
      title: 'Most queries fail',
      reason: '{percent} of the queries fail',
    },
    'api-down': {
      component: 'api',
      level: 'major_outage',
      signal: 'api.down',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 2 * minute,
      leaveMs: minute,
      title: 'The query service does not answer',
      reason: 'the query service does not answer or is not ready',
    },
    'api-partly-down': {
      component: 'api',
      level: 'partial_outage',
      signal: 'api.down',
      enterAt: 0.01,
      exitBelow: 0.01,
      holdMs: 2 * minute,
      leaveMs: minute,
      title: 'A query service does not answer',
      reason: '{fact}',
    },
    'api-lost': {
      component: 'api',
      level: 'major_outage',
      signal: 'api.lost',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: 10 * second,
      title: 'The query service does not answer',
      reason: '{fact}',
    },
    'api-partly-lost': {
      component: 'api',
      level: 'partial_outage',
      signal: 'api.lost',
      enterAt: 0.01,
      exitBelow: 0.01,
      holdMs: 0,
      leaveMs: 10 * second,
      title: 'A query service does not answer',
      reason: '{fact}',
    },
    'import-halted': {
      component: 'import',
      level: 'major_outage',
      signal: 'import.halted',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: minute,
      title: 'The import has stopped',
      reason: 'the import has stopped. {fact}',
    },
    'import-absent': {
      component: 'import',
      level: 'major_outage',
      signal: 'import.absentMs',
      enterAt: minute / 2,
      exitBelow: minute / 4,
      holdMs: 0,
      leaveMs: minute,
      title: 'The import does not run',
      reason: 'the import has not been heard of for {seconds}. {fact}',
    },
    'import-lost': {
      component: 'import',
      level: 'major_outage',
      signal: 'import.lost',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: 10 * second,
      title: 'The import does not run',
      reason: 'the import has ended without notice',
    },
    'import-source': {
      component: 'import',
      level: 'partial_outage',
      signal: 'import.sourceFails',
      enterAt: 1,
      exitBelow: 1,
      holdMs: minute / 2,
      leaveMs: minute,
      title: 'The stream files cannot be read',
      reason: 'the stream files cannot be read. {fact}',
    },
    'import-behind': {
      component: 'import',
      level: 'degraded_performance',
      signal: 'import.behindMs',
      enterAt: 20 * second,
      exitBelow: 10 * second,
      holdMs: 3 * minute,
      leaveMs: 3 * minute,
      title: 'New transactions appear late',
      reason: 'transactions are stored {seconds} after their consensus, and the delay does not shrink',
    },
    'import-slow': {
      component: 'import',
      level: 'degraded_performance',
      signal: 'import.blockMs',
      enterAt: 2 * second,
      exitBelow: 1.5 * second,
      holdMs: 3 * minute,
      leaveMs: 3 * minute,
      title: 'The import is slow',
      reason: 'storing one block takes {seconds}',
    },
    'import-rejects': {
      component: 'import',
      level: 'partial_outage',
      signal: 'import.rejectedShare',
      enterAt: 0.05,
      exitBelow: 0.02,
      holdMs: 2 * minute,
      leaveMs: 3 * minute,
      title: 'Files of some nodes cannot be proved',
      reason: '{percent} of the files and signatures are not what the network signed',
    },
    'import-silent': {
      component: 'import',
      level: 'partial_outage',
      signal: 'import.silentMs',
      enterAt: 2 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: minute,
      title: 'No new transactions',
      reason: 'no block has been stored for {seconds}',
    },
    'import-long-silent': {
      component: 'import',
      level: 'major_outage',
      signal: 'import.silentMs',
      enterAt: 10 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: minute,
      title: 'No new transactions',
      reason: 'no block has been stored for {seconds}',
    },
    'stream-gap': {
      component: 'continuity',
      level: 'degraded_performance',
      signal: 'stream.gapMs',
      enterAt: 20 * second,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: minute,
      title: 'A file of the stream is missing',
      reason: 'a file has been missing for {seconds}. {fact}',
    },
    'stream-long-gap': {
      component: 'continuity',
      level: 'partial_outage',
      signal: 'stream.gapMs',
      enterAt: 10 * minute,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: minute,
      title: 'A file of the stream is missing',
      reason: 'a file has been missing for {seconds}. {fact}',
    },
    'stream-broken': {
      component: 'continuity',
      level: 'major_outage',
      signal: 'stream.broken',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 0,
      leaveMs: minute,
      title: 'A file of the stream cannot be proved',
      reason: 'a file is not what the network signed. {fact}',
    },
    'database-slow': {
      component: 'database',
      level: 'degraded_performance',
      signal: 'database.probeMs',
      enterAt: second,
      exitBelow: second / 2,
      holdMs: minute,
      leaveMs: 3 * minute,
      title: 'The database is slow',
      reason: 'a small query takes {seconds}',
    },
    'database-crowded': {
      component: 'database',
      level: 'degraded_performance',
      signal: 'database.busyShare',
      enterAt: 0.75,
      exitBelow: 0.5,
      holdMs: 5 * minute,
      leaveMs: 3 * minute,
      title: 'The database is busy',
      reason: '{percent} of the connections to the database are in use',
    },
    'database-replicas': {
      component: 'database',
      level: 'degraded_performance',
      signal: 'database.placesLost',
      enterAt: 1,
      exitBelow: 1,
      holdMs: minute,
      leaveMs: minute,
      title: 'A replica of the database does not answer',
      reason: '{fact}',
    },
    'database-machines': {
      component: 'database',
      level: 'partial_outage',
      signal: 'database.machinesLost',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 30 * second,
      leaveMs: minute,
      title: 'A machine of the database does not answer',
      reason: '{fact}',
    },
    'database-write': {
      component: 'database',
      level: 'partial_outage',
      signal: 'database.writeFails',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 30 * second,
      leaveMs: minute,
      title: 'The database does not take new data',
      reason: 'the database does not take new data. {fact}',
    },
    'database-down': {
      component: 'database',
      level: 'major_outage',
      signal: 'database.down',
      enterAt: 1,
      exitBelow: 1,
      holdMs: 30 * second,
      leaveMs: minute,
      title: 'The database does not answer',
      reason: 'the database does not answer',
    },
    'verification-slow': {
      component: 'verification',
      level: 'degraded_performance',
      signal: 'verification.checkMs',
      enterAt: 20 * second,
      exitBelow: 10 * second,
      holdMs: minute,
      leaveMs: 3 * minute,
      title: 'Verifications are slow',
      reason: 'a small contract takes {seconds} to be compiled and compared',
      // A busy machine compiles slowly, and nothing is wrong with it.
      opensIncident: false,
    },
    'verification-waits': {
      component: 'verification',
      level: 'degraded_performance',
      signal: 'verification.waitMs',
      enterAt: 3 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: 3 * minute,
      title: 'Verifications have to wait',
      reason: 'a contract has been waiting for its verification for {seconds}',
    },
    'verification-waits-long': {
      component: 'verification',
      level: 'partial_outage',
      signal: 'verification.waitMs',
      enterAt: 10 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: 3 * minute,
      title: 'Verifications have to wait',
      reason: 'a contract has been waiting for its verification for {seconds}',
    },
    'verification-down': {
      component: 'verification',
      level: 'major_outage',
      signal: 'verification.down',
      enterAt: 1,
      exitBelow: 1,
      holdMs: minute,
      leaveMs: minute,
      title: 'Contracts cannot be verified',
      reason: 'a contract that is known to match cannot be verified. {fact}',
    },
    'network-silent': {
      component: 'network',
      level: 'partial_outage',
      signal: 'network.silentMs',
      enterAt: 2 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: minute,
      title: 'The network publishes no new files',
      reason: 'no new file for {seconds}',
    },
    'network-long-silent': {
      component: 'network',
      level: 'major_outage',
      signal: 'network.silentMs',
      enterAt: 10 * minute,
      exitBelow: minute,
      holdMs: 0,
      leaveMs: minute,
      title: 'The network publishes no new files',
      reason: 'no new file for {seconds}',
    },
  },
};
