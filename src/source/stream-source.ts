// Where stream files come from: a folder today, object storage through the same type. A source finds files and hands out
// their bytes; what the bytes mean, and whether they are true, is not its business.

/** A node as the source's layout names it: by its account, or by its node id. */
export type StreamNode = {
  /** As in the layout, e.g. `record0.0.3` or `mainnet/0/0`. */
  name: string;
  accountId: bigint | null;
  nodeId: bigint | null;
};

/** What one node has of one moment. */
export type StreamFileCopy = {
  node: StreamNode;
  /** Where the files are, in the source's own terms; shown in errors. */
  location: string;
  recordName: string | null;
  signatureName: string | null;
};

/** The files of all nodes with the same instant in their names. */
export type StreamFileGroup = {
  /** As it stands in the names. */
  instant: string;
  /** The instant, ns. */
  timestamp: bigint;
  /** In a fixed order of nodes. */
  copies: StreamFileCopy[];
};

export type GroupsOptions = {
  /** Only groups with a later instant, ns; null = from the first one. */
  after: bigint | null;
  /** Wait for new files instead of ending after the last one. */
  live: boolean;
  /**
   * Live: a group is handed out once this says yes. One that stays short while later ones are complete is handed out
   * too, so that it can be said what it lacks.
   */
  isEnough(group: StreamFileGroup): boolean;
  signal?: AbortSignal;
};

export type StreamSource = {
  /** For messages: where the files come from. */
  description: string;
  /** In order of time, each group once. Ends with the files, or when the signal aborts. */
  groups(options: GroupsOptions): AsyncIterable<StreamFileGroup>;
  /** The bytes as stored. Throws StreamSourceError. */
  read(
    copy: StreamFileCopy,
    file: { kind: 'record' | 'signature' } | { kind: 'sidecar'; name: string },
  ): Promise<Buffer>;
};

export type StreamSourceProblem = 'missing' | 'tooLarge' | 'unreadable' | 'noStreamFiles' | 'blockStreams';

export class StreamSourceError extends Error {
  readonly code: StreamSourceProblem;
  readonly location: string;

  constructor(code: StreamSourceProblem, location: string, message: string) {
    super(message);
    this.name = 'StreamSourceError';
    this.code = code;
    this.location = location;
  }
}
