// One connection that answers prepared queries. `pg` opens it (host, TLS, password) and closes it; in between its socket is
// read and written here, because `pg` makes a text of every value and an event of every message, and its pool waits for
// an answer before it sends the next query: pages cost twice the time, and a fifth fewer small answers a second go out.
// The first time a statement is prepared, described and read as text; from then on only its values are sent, and its rows
// come in binary where every column has a reader for that. The statements that were used most recently stay prepared.
// Reads that are asked while others are being answered go out together at the end of the turn, with one Sync: PostgreSQL
// then begins and ends one transaction, and both sides make one system call, for all of them.
// Invariants: answers come in the order in which the runs were sent, and each batch ends with ReadyForQuery, whatever went
// wrong; what the server skipped behind a failure is sent again; every statement that the server keeps for this connection
// is in `statements`, or is closed before the next is prepared.
import { performance } from 'node:perf_hooks'; // The global is a getter: 165 instructions more a call.
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { toCamelCase } from '../../kit/camel-case.ts';
import { binaryReader, textReader } from './column-readers.ts';
import { compileRowReader, type RowReader } from './compile-row-reader.ts';
import { encodeClose, encodeParse, encodeRun, syncMessage } from './encode-run.ts';
import { createMessageReader } from './message-reader.ts';

export type QueryRun = {
  /** Name of the prepared statement, at most 63 bytes: PostgreSQL cuts longer ones. '' is prepared for each run. */
  statement: string;
  text: string;
  values: readonly unknown[];
  /** See NamedQuery. */
  complete?: ((text: string) => string) | undefined;
  /** Whether it may share a transaction with others, and be run once more: it changes nothing. */
  reads?: boolean | undefined;
  resolve(rows: Record<string, unknown>[]): void;
  reject(error: Error): void;
};

/** What all sessions know of one statement. */
export type SharedStatement = {
  name: string;
  /** null = the server did not accept it: another may come under the same name. */
  text: string | null;
  /** How often it was asked. */
  uses: number;
  /** What a run usually takes; undefined until one has been answered. */
  usualMs: number | undefined;
};

/** A run and its statement. */
export type PlacedRun = { run: QueryRun; shared: SharedStatement };

export type QuerySession = {
  /** Runs that wait for their answers, the one being answered included. */
  inFlight(): number;
  /** Whether a run that is sent now (`performance.now()`) will most likely be answered soon. */
  isSwift(now: number): boolean;
  /** Whether its first run has been in flight for so long without an answer. */
  isSilent(now: number, ms: number): boolean;
  /** Whether a run would send values only: such a run may be sent while another is being answered. */
  knows(statement: SharedStatement): boolean;
  send(placed: PlacedRun): void;
  /** Closes the connection; to be called when nothing is in flight. */
  close(): Promise<void>;
};

export type QuerySessionOptions = {
  /** Connected, and used by this session alone. */
  client: pg.Client;
  /** Compiled readers by columns, shared by all sessions: what one has made hot is hot for the others. */
  readers: Map<string, RowReader>;
  /** Statements that stay prepared on this connection. */
  maxPrepared: number;
  /** Told after each answer. */
  onAnswer(session: QuerySession): void;
  /** Told when the connection has ended by itself; its runs have been rejected. */
  onLost(session: QuerySession, error: Error): void;
};

/** Nothing is sent behind a statement that usually takes longer, nor behind a run that has taken longer already. */
const swiftMs = 5;
/** How much the newest run counts in what is usual. */
const weightOfNewest = 0.2;

/**
 * A failure after which the statement is prepared again: the server does not know it (26000), or it was planned for
 * columns that have changed since (0A000, "cached plan must not change result type").
 */
const outdatedCodes: ReadonlySet<string | undefined> = new Set(['26000', '0A000']);

type RowShape = { read: RowReader; binary: boolean };

/** A statement that was sent to be prepared. */
type Statement = {
  name: string;
  /** Whether the server has accepted it; until then it may turn out not to be one. */
  isParsed: boolean;
  /** undefined until its columns have been described. */
  shape: RowShape | undefined;
};

/** A run that was sent, and what has been answered to it so far. */
type Answer = {
  run: QueryRun;
  shared: SharedStatement;
  statement: Statement;
  /** Whether a Sync follows it. */
  endsBatch: boolean;
  /** Whether it was slow when it was sent. */
  isSlow: boolean;
  rows: Record<string, unknown>[];
  /** How its rows were asked for; undefined until they are described. */
  shape: RowShape | undefined;
  failure: Error | null;
};

export function createQuerySession(options: QuerySessionOptions): QuerySession {
  const { client, readers, maxPrepared, onAnswer, onLost } = options;
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  /** Names that the server may still keep a statement of, though none is in `statements`. */
  let toClose: string[] = [];
  const statements = new LRUCache<string, Statement>({
    max: maxPrepared,
    dispose: (_statement, name) => toClose.push(name),
  });
  const sent: Answer[] = [];
  /** The last ones of `sent`, whose bytes go out at the end of the turn. */
  let gathered: Buffer[] = [];
  /** Of the batch that is being answered: what has been answered. */
  let answered: SharedStatement[] = [];
  let slowInFlight = 0;
  /** Since when the first of them has been the first. */
  let since = 0;
  let isClosing = false;
  /** The last error that was reported while no run was in flight. */
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
    // The error that the server sent before it closed the connection says more than that the connection is gone.
    const error = sent[0]?.failure ?? lastError ?? new Error('Connection terminated unexpectedly');
    gathered = [];
    for (const { run } of sent.splice(0)) run.reject(error);
    onLost(session, error);
  });

  const session: QuerySession = {
    inFlight: () => sent.length,
    isSwift: (now) => slowInFlight === 0 && now - since < swiftMs,
    isSilent: (now, ms) => sent.length > 0 && now - since >= ms,
    knows: ({ name }) => statements.peek(name)?.shape !== undefined,
    send,
    close() {
      isClosing = true;
      return client.end();
    },
  };
  return session;

  function send({ run, shared }: PlacedRun): void {
    const { name } = shared;
    const known = statements.get(name);
    const statement = known ?? { name, isParsed: false, shape: undefined };
    const { shape } = statement;
    const isGathered = sent.length > 0 && run.reads === true && shape !== undefined;
    let bytes: Buffer;
    try {
      const { values } = run;
      bytes = encodeRun({
        ...{ statement: name, values, binary: shape?.binary === true },
        ...{ describe: shape === undefined, sync: !isGathered },
      });
    } catch (error) {
      run.reject(error as Error);
      return;
    }
    if (!isGathered) flush();
    if (sent.length === 0) since = performance.now();
    const isSlow = (shared.usualMs ?? Number.POSITIVE_INFINITY) >= swiftMs;
    if (isSlow) slowInFlight += 1;
    sent.push({ run, shared, statement, endsBatch: !isGathered, isSlow, rows: [], shape, failure: null });
    if (isGathered) {
      if (gathered.length === 0) setImmediate(flush);
      gathered.push(bytes);
    } else if (known) {
      stream.write(bytes);
    } else {
      if (name !== '') statements.set(name, statement);
      const closes = toClose.map(encodeClose);
      toClose = [];
      stream.write(Buffer.concat([...closes, encodeParse(name, run.complete?.(run.text) ?? run.text), bytes]));
    }
  }

  function flush(): void {
    if (gathered.length === 0) return;
    sent.at(-1)!.endsBatch = true;
    stream.write(Buffer.concat([...gathered, syncMessage]));
    gathered = [];
  }

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
        if (answer && !answer.endsBatch) finishFirst();
        return;
      case messageTypes.readyForQuery:
        if (answer) finishBatch();
        return;
      case messageTypes.parseComplete:
        if (answer) answer.statement.isParsed = true;
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
        // The other messages (parameters, notices, completions) do not concern a query that is run to its end.
        return;
    }
  }

  /** The first run in flight has its answer. */
  function finishFirst(): Answer {
    const answer = sent.shift()!;
    if (answer.isSlow) slowInFlight -= 1;
    answered.push(answer.shared);
    settle(answer);
    if (!answer.endsBatch) onAnswer(session);
    return answer;
  }

  function finishBatch(): void {
    let last = finishFirst();
    const skipped: Answer[] = [];
    while (!last.endsBatch) {
      last = sent.shift()!;
      if (last.isSlow) slowInFlight -= 1;
      skipped.push(last);
    }
    noteDurations();
    for (const placed of skipped) send(placed);
    onAnswer(session);
  }

  /** PostgreSQL tells of a batch when all of it is done: the time is divided as it usually is. */
  function noteDurations(): void {
    const now = performance.now();
    const lasted = now - since;
    const usual = answered.reduce((sum, { usualMs }) => sum + (usualMs ?? lasted), 0);
    for (const shared of answered) {
      const before = shared.usualMs ?? lasted;
      shared.usualMs = usual > 0 ? before * (1 + (lasted / usual - 1) * weightOfNewest) : 0;
    }
    answered = [];
    since = now;
  }

  function learnShape(answer: Answer, fields: Field[]): void {
    answer.shape = toShape(fields, false, readers);
    answer.statement.shape = toShape(fields, true, readers);
  }

  function settle({ run, shared, statement, rows, failure }: Answer): void {
    if (failure === null) {
      run.resolve(rows);
      return;
    }
    const { code } = failure as Error & { code?: string };
    const isUsable = statement.isParsed && !outdatedCodes.has(code);
    if (!isUsable && statements.peek(statement.name) === statement) statements.delete(statement.name);
    if (!statement.isParsed) shared.text = null;
    run.reject(failure);
  }
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
      fields.map(({ name, typeOid }, i) => ({
        name: toCamelCase(name),
        read: binary ? inBinary[i]! : textReader(typeOid),
      })),
    );
    readers.set(key, read);
  }
  return { read, binary };
}
