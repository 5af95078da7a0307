// Reads PostgreSQL's messages to a session that runs prepared statements, and gives each run its rows or its failure.

import pg from 'pg';
import { toCamelCase } from '../../kit/camel-case.ts';
import { binaryReader, textReader } from './column-readers.ts';
import { compileRowReader, type RowReader } from './compile-row-reader.ts';
import { createMessageReader } from './message-reader.ts';

export type QueryRun = {
  /** Name of the prepared statement, at most 63 bytes: PostgreSQL cuts longer ones. '' is prepared for each run. */
  statement: string;
  text: string;
  values: readonly unknown[];
  /** See NamedQuery. */
  complete?: ((text: string) => string) | undefined;
  /** See NamedQuery; it may then be run once more. */
  reads?: boolean | undefined;
  /** Whose it is; '' = the program's own. */
  client: string;
  resolve(rows: Record<string, unknown>[]): void;
  reject(error: Error): void;
};

/** State of one statement, shared by all sessions. */
export type SharedStatement = {
  name: string;
  /** null = the server did not accept it: another may use the same name. */
  text: string | null;
  /** Usual duration of a run; undefined until one has been answered. */
  usualMs: number | undefined;
};

type RowShape = { read: RowReader; binary: boolean };

/** A statement that was sent to be prepared. */
export type Statement = {
  name: string;
  /** Whether the server has accepted it. */
  isParsed: boolean;
  /** undefined until its columns have been described. */
  shape: RowShape | undefined;
};

/** A run that was sent, and its answer so far. */
export type Answer = {
  run: QueryRun;
  shared: SharedStatement;
  statement: Statement;
  /** Whether a Sync follows it. */
  endsBatch: boolean;
  /** Whether it was slow when it was sent. */
  isSlow: boolean;
  rows: Record<string, unknown>[];
  /** The requested format of its rows; undefined until they are described. */
  shape: RowShape | undefined;
  failure: Error | null;
};

export type AnswerReaderOptions = {
  /** Runs that wait for their answers, in the order in which they were sent. */
  sent: readonly Answer[];
  /** See QuerySessionOptions. */
  readers: Map<string, RowReader>;
  write(bytes: Buffer): void;
  /** The first run is answered, and its batch continues. */
  onRun(): void;
  /** The batch of the first run has ended. */
  onBatch(): void;
};

export function createAnswerReader({ sent, readers, write, onRun, onBatch }: AnswerReaderOptions) {
  /** The last error reported while no run was in flight. */
  let lastError: Error | null = null;

  function takeMessage(type: number, bytes: Buffer, view: DataView, start: number, end: number): void {
    const answer = sent[0];
    switch (type) {
      case messageTypes.dataRow:
        if (!answer?.shape || answer.failure) return;
        try {
          answer.rows.push(answer.shape.read(bytes, view, start));
        } catch (error) {
          answer.failure = error as Error;
        }
        return;
      case messageTypes.commandComplete:
        if (answer && !answer.endsBatch) onRun();
        return;
      case messageTypes.readyForQuery:
        if (answer) onBatch();
        return;
      case messageTypes.parseComplete:
        if (answer) answer.statement.isParsed = true;
        return;
      case messageTypes.rowDescription:
        if (answer) learnShape(answer, readFields(bytes, view, start));
        return;
      case messageTypes.noData:
        if (answer) learnShape(answer, []);
        return;
      case messageTypes.errorResponse: {
        const error = readError(bytes, start, end);
        if (answer) answer.failure = error;
        else lastError = error;
        return;
      }
      case messageTypes.copyInResponse:
        write(copyFail);
        return;
      default:
        // Other messages (parameters, notices, completions) do not matter to a query that is run to its end.
        return;
    }
  }

  function learnShape(answer: Answer, fields: Field[]): void {
    const toName = answer.run.reads ? toCamelCase : (name: string) => name;
    const named = fields.map(({ name, typeOid }) => ({ name: toName(name), typeOid }));
    answer.shape = toShape(named, false, readers);
    answer.statement.shape = toShape(named, true, readers);
  }

  return {
    read: createMessageReader(takeMessage),
    noteError(error: Error): void {
      lastError ??= error;
    },
    /** The server's last error before it closed the connection explains more than the loss itself. */
    lastError: () => sent[0]?.failure ?? lastError ?? new Error('Connection terminated unexpectedly'),
  };
}

// Message types of the protocol (PostgreSQL manual, "Message Formats").
const messageTypes = {
  commandComplete: 0x43,
  copyInResponse: 0x47,
  dataRow: 0x44,
  errorResponse: 0x45,
  noData: 0x6e,
  parseComplete: 0x31,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
} as const;

const copyFail = Buffer.from([0x66, 0, 0, 0, 5, 0]);

type Field = { name: string; typeOid: number };

/**
 * A count, then of each column: its name, table (4 bytes), attribute (2), type (4), size (2), modifier (4), format (2).
 */
function readFields(bytes: Buffer, view: DataView, start: number): Field[] {
  const fields: Field[] = [];
  let position = start + 2;
  for (let left = view.getInt16(start); left > 0; left--) {
    const nameEnd = bytes.indexOf(0, position);
    fields.push({ name: bytes.toString('utf8', position, nameEnd), typeOid: view.getUint32(nameEnd + 7) });
    position = nameEnd + 19;
  }
  return fields;
}

/** Fields of a letter and a text each: M is the message, C the SQLSTATE, S the severity, D and H detail and hint. */
function readError(bytes: Buffer, start: number, end: number): Error {
  const fields = new Map<string, string>();
  let position = start;
  while (position < end && bytes[position] !== 0) {
    const textEnd = bytes.indexOf(0, position + 1);
    fields.set(String.fromCharCode(bytes[position]!), bytes.toString('utf8', position + 1, textEnd));
    position = textEnd + 1;
  }
  const error = new pg.DatabaseError(
    fields.get('M') ?? 'PostgreSQL reports an error without a message',
    end - start,
    'error',
  );
  error.code = fields.get('C');
  error.severity = fields.get('S');
  error.detail = fields.get('D');
  error.hint = fields.get('H');
  return error;
}

/** Binary only if every column has a binary reader: the protocol's short form has one format for all. */
function toShape(fields: Field[], binaryWanted: boolean, readers: Map<string, RowReader>): RowShape {
  const inBinary = fields.map(({ typeOid }) => binaryReader(typeOid));
  const binary = binaryWanted && inBinary.every((reader) => reader !== undefined);
  const key = `${binary} ${fields.map(({ name, typeOid }) => `${name} ${typeOid}`).join()}`;
  let read = readers.get(key);
  if (!read) {
    read = compileRowReader(
      fields.map(({ name, typeOid }, i) => ({ name, read: binary ? inBinary[i]! : textReader(typeOid) })),
    );
    readers.set(key, read);
  }
  return { read, binary };
}
