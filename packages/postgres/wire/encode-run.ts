// The messages that run a prepared statement (Bind, Describe, Execute, Sync) as one buffer: one system call where `pg`
// makes a writev of four.
import { Buffer } from 'node:buffer'; // The global is a getter: 125 instructions more a use.
import pg from 'pg';

export type Run = {
  statement: string;
  /** As `pg` takes them: bytes go as bytes, everything else as text. */
  values: readonly unknown[];
  /** Format of all columns of the answer. */
  binary: boolean;
  /** Whether the columns of the answer are described first. */
  describe: boolean;
  /** Whether PostgreSQL then ends the transaction. */
  sync: boolean;
};

export function encodeRun({ statement, values, binary, describe, sync }: Run): Buffer {
  const parameters = values.map((value) => toParameter(value));
  let valueBytes = 0;
  for (const value of parameters) valueBytes += 6 + (value === null ? 0 : Buffer.byteLength(value));
  const end = sync ? executeAndSync : executePortal;
  // Type, length, empty portal, statement, three counts, one result format.
  const bindBytes = 5 + 1 + Buffer.byteLength(statement) + 1 + 6 + valueBytes + 2;
  const out = Buffer.allocUnsafe(bindBytes + (describe ? describePortal.length : 0) + end.length);
  out[0] = 0x42;
  out.writeInt32BE(bindBytes - 1, 1);
  out[5] = 0;
  let position = 6 + out.write(statement, 6);
  out[position++] = 0;
  position = out.writeInt16BE(parameters.length, position);
  for (const value of parameters) position = out.writeInt16BE(typeof value === 'string' ? 0 : 1, position);
  position = out.writeInt16BE(parameters.length, position);
  for (const value of parameters) {
    if (value === null) {
      position = out.writeInt32BE(-1, position);
      continue;
    }
    const length = typeof value === 'string' ? out.write(value, position + 4) : value.copy(out, position + 4);
    position = out.writeInt32BE(length, position) + length;
  }
  position = out.writeInt16BE(1, position);
  position = out.writeInt16BE(binary ? 1 : 0, position);
  if (describe) position += describePortal.copy(out, position);
  end.copy(out, position);
  return out;
}

/** Prepares a statement; PostgreSQL infers the types of its parameters. */
export function encodeParse(statement: string, text: string): Buffer {
  const length = 4 + Buffer.byteLength(statement) + 1 + Buffer.byteLength(text) + 1 + 2;
  const out = Buffer.alloc(1 + length);
  out[0] = 0x50;
  let position = out.writeInt32BE(length, 1);
  position += out.write(statement, position) + 1;
  out.write(text, position);
  return out;
}

/** Makes the server close a statement; no error if it has none of that name. */
export function encodeClose(statement: string): Buffer {
  const length = 4 + 1 + Buffer.byteLength(statement) + 1;
  const out = Buffer.alloc(1 + length);
  out[0] = 0x43;
  out[out.writeInt32BE(length, 1)] = 0x53;
  out.write(statement, 6);
  return out;
}

const describePortal = Buffer.from([0x44, 0, 0, 0, 6, 0x50, 0]);
/** Runs the unnamed portal to its end. */
const executePortal = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]);
export const syncMessage = Buffer.from([0x53, 0, 0, 0, 4]);
const executeAndSync = Buffer.concat([executePortal, syncMessage]);

const { prepareValue: toParameter } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;
