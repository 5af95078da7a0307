// Where stream files come from, as one type. A source yields units of the stream in order, a record file with what
// belongs to it or a block, and their bytes. It does not interpret or verify them.
import type { BlockLimits } from '../streams/block-stream/block-limits.ts';

/** A node as the source's layout names it: by its account, or by its node id. */
export type StreamNode = {
  /** As in the layout, e.g. `record0.0.3` or `mainnet/0/0`. */
  name: string;
  accountId: bigint | null;
  nodeId: bigint | null;
};

/** The files of one node and one moment. */
export type StreamFileCopy = {
  node: StreamNode;
  /** Where the files are, as the source names it; shown in errors. */
  location: string;
  recordName: string | null;
  signatureName: string | null;
};

/** The files of all nodes with the same instant in their names. */
export type StreamFileGroup = {
  /** As in the names. */
  instant: string;
  /** The instant, ns. */
  timestamp: bigint;
  /** In a fixed order of nodes. */
  copies: StreamFileCopy[];
};

/** A block of a block stream, or a block that wraps a record file. */
export type StreamBlockFile = {
  number: bigint;
  name: string;
  /** Where the file is, as the source names it; shown in errors. */
  location: string;
};

export type StreamUnit =
  | { kind: 'record'; group: StreamFileGroup }
  | {
      kind: 'block';
      block: StreamBlockFile;
      /** The block after it, which names its root, if it is there. */
      successor?: StreamBlockFile;
    };

/** The position of the source's reader; never taken from file names. */
export type StreamPosition = {
  /** Last consensus timestamp that it has, ns: record files begin later. */
  timestamp: bigint;
  /** Number of the next block; null = any. */
  nextBlock: bigint | null;
  /** No record files can follow: the last unit was a block of a block stream. */
  onlyBlocks: boolean;
};

export type UnitsOptions = {
  /** Asked before each unit; null = from the first one. The reader has moved on when it asks for the next unit. */
  position(): StreamPosition | null;
  /** Wait for new files instead of ending after the last one. */
  live: boolean;
  /**
   * Live: a group is yielded once this returns true. One that stays incomplete while later ones are complete is yielded
   * too, so that the missing files can be reported.
   */
  isEnough(group: StreamFileGroup): boolean;
  /** Before each unit, if files are local: the record files after it, so that work on them can begin. */
  onUpcoming?(groups: readonly StreamFileGroup[]): void;
  /** Yield also a single block far ahead of the one that is due: it shows a gap. */
  showsFar?: boolean;
  /** Live: end after this time without a unit, so that another source can be asked. */
  quietMs?: number;
  signal?: AbortSignal;
};

export type StreamSource = {
  /** For messages: where the files come from. */
  description: string;
  /**
   * In order, each unit once; blocks by number, from where record files end. Ends with the files, or when the signal
   * aborts.
   */
  units(options: UnitsOptions): AsyncIterable<StreamUnit>;
  /**
   * The bytes as stored. Throws StreamSourceError. `signal`, here and below: the caller no longer waits; throws its
   * reason.
   */
  read(
    copy: StreamFileCopy,
    file: { kind: 'record' | 'signature' } | { kind: 'sidecar'; name: string },
    signal?: AbortSignal,
  ): Promise<Buffer>;
  /** The bytes of a block file as stored, in parts. The iteration throws StreamSourceError. */
  readBlock(block: StreamBlockFile, signal?: AbortSignal): AsyncIterable<Buffer>;
  /** How large a block may be; default `defaultBlockLimits`. */
  blockLimits?: BlockLimits;
  /** null if the block does not exist (yet). */
  findBlock(number: bigint, signal?: AbortSignal): Promise<StreamBlockFile | null>;
  /** Consensus time of the newest unit, ns, imported or not; null if there is none. Expensive. */
  newestInstant(): Promise<bigint | null>;
  /** Sources with record files: whether some are later than this, ns. Expensive. */
  hasRecordsAfter?(timestamp: bigint): Promise<boolean>;
  /**
   * If a block may have several copies: another copy of this one, which was refused; null if none is left, undefined if
   * it is the only one.
   */
  passOver?(refused: StreamBlockFile): Promise<StreamBlockFile | null | undefined>;
};

/** The later of two instants; null = there is none. */
export function newerInstant(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** The path of a copy's file, relative to the copy's location. Throws StreamSourceError if it has none of this kind. */
export function pathOfFile(copy: StreamFileCopy, file: Parameters<StreamSource['read']>[1]): string[] {
  if (file.kind === 'sidecar') return ['sidecar', file.name];
  const name = file.kind === 'record' ? copy.recordName : copy.signatureName;
  if (name !== null) return [name];
  throw new StreamSourceError('missing', copy.location, `${copy.location} has no ${file.kind} file of this moment`);
}

/** unavailable: the source does not answer, broke off, or does not have what is due; it may have it later. */
type StreamSourceProblem = 'missing' | 'tooLarge' | 'unreadable' | 'noStreamFiles' | 'unavailable';

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

/** Not live: a source did not send all that it claimed to have. */
export class IncompleteStreamError extends StreamSourceError {
  /** Without the blocks that are missing. */
  readonly reason: StreamSourceError;
  /** Up to the last block that the source said it has. */
  readonly missing: { first: bigint; last: bigint };

  constructor(reason: StreamSourceError, missing: { first: bigint; last: bigint }) {
    const { first, last } = missing;
    const blocks = first === last ? `Block ${first} is` : `Blocks ${first} to ${last} are`;
    super('unavailable', reason.location, `${blocks} missing: ${reason.message}`);
    this.reason = reason;
    this.missing = missing;
  }
}
