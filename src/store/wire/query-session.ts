// One connection that answers prepared queries. `pg` opens it (host, TLS, password) and closes it; in between its socket is
// read and written here, because `pg` makes a text of every value and an event of every message, and its pool waits for
// an answer before it sends the next query: pages cost twice the time, and a fifth fewer small answers a second go out.
// The first time a statement is prepared, described and read as text; from then on only its values are sent, and its rows
// come in binary where every column has a reader for that.
// Invariant: answers come in the order in which the runs were sent; each ends with ReadyForQuery, whatever went wrong.
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { binaryReader, textReader } from './column-readers.ts';
import { compileRowReader, type RowReader } from './compile-row-reader.ts';
import { encodeParse, encodeRun } from './encode-run.ts';
import { createMessageReader } from './message-reader.ts';

export type QueryRun = {
  /** Name of the prepared statement; '' is prepared anew each time. */
  statement: string;
  text: string;
  values: readonly unknown[];
  resolve(rows: Record<string, unknown>[]): void;
  reject(error: Error): void;
};

export type QuerySession = {
  /** Runs that wait for their answers, the one being answered included. */
  inFlight(): number;
  /** Whether a run that is sent now will most likely be answered soon. */
  isSwift(): boolean;
  /** Whether a run would only send values: such a run may be sent while another is being answered. */
  knows(run: QueryRun): boolean;
  send(run: QueryRun): void;
  /** Closes the connection; to be called when nothing is in flight. */
  close(): Promise<void>;
};

export type QuerySessionOptions = {
  /** Connected, and used by nobody else. */
  client: pg.Client;
  /** Compiled readers by columns, shared by all sessions: what one has made hot is hot for the others. */
  readers: Map<string, RowReader>;
  /** What statements usually take, ms, shared by all sessions. */
  usualMs: Map<string, number>;
  /** Told after each answer. */
  onAnswer(session: QuerySession): void;
  /** Told when the connection has ended by itself; its runs have been rejected. */
  onLost(session: QuerySession, error: Error): void;
};

/** A statement that usually takes longer is one to keep away from; so is a run that has taken longer already. */
const swiftMs = 5;
/** How much the newest run counts in what is usual. */
const weightOfNewest = 0.2;

type RowShape = { read: RowReader; binary: boolean };

/** A run that was sent and what has been said to it so far. */
type Answer = { run: QueryRun; rows: Record<string, unknown>[]; shape: RowShape | undefined; failure: Error | null };

export function createQuerySession(options: QuerySessionOptions): QuerySession {
  const { client, readers, usualMs, onAnswer, onLost } = options;
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  const texts = new Map<string, string>();
  const shapes = new Map<string, RowShape>();
  const sent: Answer[] = [];
  /** From when on the first of them has been the first. */
  let since = 0;
  let isClosing = false;
  /** What the server said last, for want of a run that it was said to. */
  let lastError: Error | null = null;
  const readMessages = createMessageReader(takeMessage);

  stream.removeAllListeners('data');
  stream.on('data', (chunk: Buffer) => {
    try {
      readMessages(chunk);
    } catch (error) {
      stream.destroy(error as Error);
    }
  });
  client.on('error', (error) => {
    lastError ??= error;
  });
  client.once('end', () => {
    if (isClosing) return;
    // What the server said to the run that it ended tells more than that the connection is gone.
    const error = sent[0]?.failure ?? lastError ?? new Error('Connection terminated unexpectedly');
    for (const { run } of sent.splice(0)) run.reject(error);
    onLost(session, error);
  });

  const session: QuerySession = {
    inFlight: () => sent.length,
    isSwift: () =>
      performance.now() - since < swiftMs &&
      sent.every(({ run }) => (usualMs.get(run.statement) ?? Number.POSITIVE_INFINITY) < swiftMs),
    knows: ({ statement }) => shapes.has(statement),
    send(run) {
      const { statement, text, values } = run;
      const known = texts.get(statement);
      if (known !== undefined && known !== text) {
        run.reject(new Error(`Two different texts are called "${statement}"; a query's shape must tell them apart`));
        return;
      }
      const shape = shapes.get(statement);
      let bytes: Buffer;
      try {
        bytes = encodeRun({ statement, values, binary: shape?.binary === true, describe: shape === undefined });
      } catch (error) {
        run.reject(error as Error);
        return;
      }
      if (sent.length === 0) since = performance.now();
      sent.push({ run, rows: [], shape, failure: null });
      if (known === undefined) {
        if (statement !== '') texts.set(statement, text);
        stream.write(Buffer.concat([encodeParse(statement, text), bytes]));
      } else {
        stream.write(bytes);
      }
    },
    close() {
      isClosing = true;
      return client.end();
    },
  };
  return session;

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
      case messageTypes.readyForQuery:
        if (!answer) return;
        sent.shift();
        noteDuration(answer.run);
        settle(answer);
        onAnswer(session);
        return;
      case messageTypes.rowDescription:
        if (!answer) return;
        learnShape(answer, readFields(bytes, view, start));
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
        stream.write(copyFail);
        return;
      default:
        // Of what else the server says (parameters, notices, "done"), nothing concerns a query that is run to its end.
        return;
    }
  }

  function noteDuration({ statement }: QueryRun): void {
    const now = performance.now();
    const before = usualMs.get(statement) ?? now - since;
    if (statement !== '') usualMs.set(statement, before + (now - since - before) * weightOfNewest);
    since = now;
  }

  function learnShape(answer: Answer, fields: Field[]): void {
    answer.shape = toShape(fields, false, readers);
    if (answer.run.statement !== '') shapes.set(answer.run.statement, toShape(fields, true, readers));
  }

  function settle({ run, rows, failure }: Answer): void {
    if (failure === null) {
      run.resolve(rows);
      return;
    }
    // A statement that could not even be prepared is tried anew the next time.
    if (!shapes.has(run.statement)) texts.delete(run.statement);
    run.reject(failure);
  }
}

// Message types of the protocol (PostgreSQL manual, "Message Formats").
const messageTypes = {
  copyInResponse: 0x47,
  dataRow: 0x44,
  errorResponse: 0x45,
  noData: 0x6e,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
} as const;

const copyFail = Buffer.from([0x66, 0, 0, 0, 5, 0]);

type Field = { name: string; typeOid: number };

/** A count, then of each column: its name, table (4 bytes), attribute (2), type (4), size (2), modifier (4), format (2). */
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

/** Fields of a letter and a text each: M is the message, C the SQLSTATE, S how severe, D and H more about it. */
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

/** Binary only where every column can be read so: the protocol's short form asks for one format for all. */
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
