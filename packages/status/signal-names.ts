// Every signal by the part that reports it, and every text: a rule or a component cannot name one that no part reports.

export const signalsOf = {
  requests: ['api.requests', 'api.errorShare', 'api.refusedShare', 'api.p95Ms'],
  processes: ['api.workersMissing', 'database.placesLost'],
  connections: ['database.busyShare'],
  database: [
    'database.down',
    'database.probeMs',
    'database.machinesLost',
    'database.filling',
    'stream.unread',
    'stream.untrusted',
  ],
  import: [
    'import.halted',
    'import.absentMs',
    'import.rejectedShare',
    'import.blockMs',
    'import.sourceFails',
    'stream.gapMs',
    'stream.broken',
    'database.writeFails',
  ],
  stream: ['import.lagMs', 'import.behindMs', 'import.silentMs', 'network.silentMs'],
  verification: ['verification.down', 'verification.checkMs', 'verification.waitMs'],
  /** The status service determines these itself. */
  service: ['api.down', 'api.lost', 'import.lost'],
} as const;

export type Reporter = keyof typeof signalsOf;
export type SignalName<R extends Reporter = Reporter> = (typeof signalsOf)[R][number];

/** Texts that do not explain a signal. */
export type RemarkName =
  | 'import.ended'
  | 'stream.proof'
  | 'database.extent'
  | 'network.newest'
  | 'network.version'
  | 'network.name';
export type FactName = SignalName | RemarkName;

/** Greater values are worse. */
export type Signals<R extends Reporter = Reporter> = Partial<Record<SignalName<R>, number>>;
/**
 * What a part reports, as it is given. Does not compile unless each signal of the part has a place in it, so that no
 * rule judges a signal that never comes; members of what is unknown now may be absent.
 */
export function everySignal<R extends Reporter>() {
  return <Values extends Signals<R>>(
    values: Values & Record<Exclude<SignalName<R>, NameIn<Values>>, never>,
  ): Signals<R> => values;
}

type NameIn<Values> = Values extends unknown ? keyof Values : never;

/** Texts by the signal that they explain, and remarks. */
export type Facts = Partial<Record<FactName, string>>;
