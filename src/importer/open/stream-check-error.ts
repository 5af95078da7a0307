// A stream file that cannot be proved. Says which check of which file failed at which node, what was expected and
// found, and how to continue: nothing after the file is imported before it passes.

import { LedgerValueError } from '../../../packages/protocol/ledger-value-error.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { type StreamBlockFile, StreamSourceError } from '../../../packages/sources/stream-source.ts';

export type StreamCheck =
  | 'signatures'
  | 'missing'
  | 'format'
  | 'previousHash'
  | 'blockRoot'
  | 'fileHash'
  | 'metadataHash'
  | 'runningHash'
  | 'sidecar'
  | 'networkProof'
  | 'unknownKey'
  | 'unknownPublication'
  | 'unproved';

export type StreamCheckFailure = {
  code: StreamCheck;
  /** Name of the file that failed. */
  file: string;
  /** Node whose copy failed; null if no single node is meant. */
  node: string | null;
  expected: string;
  found: string;
  /** The file may be on its way: missing or incomplete, not wrong. */
  transient: boolean;
};

/** Default for `more`: no single node, and the file is wrong. */
export function failureOf(
  code: StreamCheck,
  file: string,
  expected: string,
  found: string,
  more: Partial<Pick<StreamCheckFailure, 'node' | 'transient'>> = {},
): StreamCheckFailure {
  return { code, file, node: null, expected, found, transient: false, ...more };
}

/** The end of a block is on its way, or lost. */
export function withoutProof(file: string): StreamCheckFailure {
  return failureOf('format', file, 'block: a block proof', 'none', { transient: true });
}

/** What an error says of the data or its source; null for any other error. */
export function findFault(error: unknown): Pick<StreamCheckFailure, 'expected' | 'found' | 'transient'> | null {
  if (error instanceof StreamFileError) {
    const { part, expected, found, problem } = error;
    return { expected: `${part}: ${expected}`, found, transient: problem === 'truncated' };
  }
  if (error instanceof LedgerValueError) {
    return { expected: 'values that a ledger has', found: error.message, transient: false };
  }
  // If the source cannot be asked, nothing is known of the file.
  if (!(error instanceof StreamSourceError) || error.code === 'unavailable') return null;
  return { expected: 'a readable file', found: error.message, transient: error.code === 'missing' };
}

/** The result of `read`. Throws StreamCheckError if the data of that file is bad. */
export function readPart<Result>(
  file: string,
  read: () => Result,
  more: Partial<Pick<StreamCheckFailure, 'transient'>> = {},
): Result {
  try {
    return read();
  } catch (error) {
    const fault = findFault(error);
    if (!fault) throw error;
    throw new StreamCheckError([failureOf('format', file, fault.expected, fault.found, { ...fault, ...more })]);
  }
}

const otherCopy = 'Replace it with the copy of another node';

const texts: Record<StreamCheck, { title: string; resume: string }> = {
  signatures: {
    title: 'not signed by enough of the network',
    resume: 'Add the missing signature files, or check that the address book belongs to this network and moment',
  },
  missing: { title: 'missing', resume: 'Copy it from any node of the network into the source' },
  format: { title: 'not a whole stream file', resume: otherCopy },
  previousHash: {
    title: 'not the successor of the last file',
    resume: 'Add the files between the two, or, if the network was reset, import it into an empty database',
  },
  blockRoot: {
    title: 'its root is not the one that the block after it names',
    resume: 'Replace it, or the block after it, with the copy of another node',
  },
  fileHash: { title: 'not the file that was signed', resume: otherCopy },
  metadataHash: { title: 'its metadata is not what was signed', resume: otherCopy },
  runningHash: { title: 'its items do not lead to its running hash', resume: otherCopy },
  sidecar: {
    title: 'no valid copy of a sidecar file',
    resume: 'Copy the sidecar file from any node of the network into the source',
  },
  networkProof: {
    title: 'its proof is not one of the trusted ledger',
    resume:
      'Replace it with the copy of another node; a network that began again, as its operators make known, or another one is another ledger: import it from its first block into an empty database, with its ledger id (--ledger-id)',
  },
  unknownKey: {
    title: 'it is signed by a key that was not announced',
    resume:
      'Replace it with the copy of another node; if the operators of the network confirm this key, name it (--ledger-key)',
  },
  unknownPublication: {
    title: 'a ledger id was published in a form that this version does not know',
    resume:
      'Use a later version, or, if the operators of the network confirm them, name the ledger id (--ledger-id) and the key that its blocks are signed with (--ledger-key)',
  },
  unproved: {
    title: 'no signature of the network covers it',
    resume:
      'Add the blocks after it, or replace it and them with the copies of another node; if the publication of the ledger id is what is missing, give it (--ledger-publication); if it is a key that the operators of the network confirm, name it (--ledger-key)',
  },
};

export class StreamCheckError extends Error {
  readonly code: StreamCheck;
  readonly file: string;
  readonly node: string | null;
  readonly expected: string;
  readonly found: string;
  readonly transient: boolean;
  /** What to do so that the import continues. */
  readonly resume: string;
  /** Every failure, one for each copy that was tried. */
  readonly failures: readonly StreamCheckFailure[];
  /** A block whose content is good, and whose proof is not: another place may have it with a good one. */
  readonly refusedBlock: StreamBlockFile | null;

  /** The first failure is reported; the others are named after it. */
  constructor(
    failures: readonly [StreamCheckFailure, ...StreamCheckFailure[]],
    refusedBlock: StreamBlockFile | null = null,
  ) {
    const [first, ...others] = failures;
    const { title, resume } = texts[first.code];
    const more = others.map((failure) => `; ${describeFailure(failure)}`).join('');
    super(
      `${first.file}: ${title}: ${describeFailure(first)}${more}. ${resume}; an import that runs then goes on with this file, one that has ended when it is started again.`,
    );
    this.name = 'StreamCheckError';
    this.code = first.code;
    this.file = first.file;
    this.node = first.node;
    this.expected = first.expected;
    this.found = first.found;
    this.transient = failures.some((failure) => failure.transient);
    this.resume = resume;
    this.failures = failures;
    this.refusedBlock = refusedBlock;
  }
}

/** One failure in words, e.g. `node record0.0.3: fileHash: expected …, found …`. */
export function describeFailure({ code, node, expected, found }: StreamCheckFailure): string {
  return `${node === null ? '' : `node ${node}: `}${code}: expected ${expected}, found ${found}`;
}
