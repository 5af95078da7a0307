// The body and the record of a transaction, decoded up to HAPI 0.80: by the HAPI package, and the fields that it lacks
// by newer-fields.proto. If the `data` of a body cannot be decoded, the rest of the body is kept.
import type Long from 'long';
import protobuf from 'protobufjs';
import { loadMessages } from '../load-messages.ts';
import { createWireCursor, nextWireField, visitWireFields, wireBytes } from '../wire-fields.ts';
import { proto } from './hapi.ts';
import { createHapiReader } from './hapi-reader.ts';
import type { NewerFieldsMessages } from './newer-fields.generated.ts';
import { findTransactionType } from './transaction-types.ts';

/** Any field of it, and of nested messages, may be absent; lists may be empty. */
type Partly<Message> = Message extends Uint8Array
  ? Uint8Array
  : Message extends Long | string | number | boolean | null
    ? Message
    : Message extends readonly (infer One)[]
      ? Partly<One>[]
      : { [Name in ListNames<Message>]: Partly<Message[Name]> } & {
          [Name in Exclude<keyof Message, ListNames<Message>>]?: Partly<Message[Name]>;
        };
type ListNames<Message> = { [Name in keyof Message]: Message[Name] extends unknown[] ? Name : never }[keyof Message];

export type RegisteredServiceEndpoint = Partly<NewerFieldsMessages['RegisteredServiceEndpoint']>;
type NewerBody = Partly<NewerFieldsMessages['TransactionBody']>;

export type TransactionBody = proto.ITransactionBody &
  Omit<NewerBody, 'nodeCreate'> & { nodeCreate?: Partial<NewerBody['nodeCreate']> };
export type TransactionRecord = proto.ITransactionRecord & Partly<NewerFieldsMessages['TransactionRecord']>;

export type DecodedBody = {
  body: TransactionBody;
  /** Field number of the `data` oneof, also if this HAPI version does not know it; 0 without one. */
  type: number;
  /** Why `data` could not be decoded; the body then lacks it. */
  problem: string | null;
};

/** Serialized TransactionBody → body. Throws if even the rest around `data` is no message. */
export function decodeTransactionBody(bytes: Buffer, type: number = transactionType(bytes)): DecodedBody {
  if (findTransactionType(type)?.family === 'internal') return { body: decodeWithoutData(bytes), type, problem: null };
  try {
    const body: TransactionBody = proto.TransactionBody.decode(createHapiReader(bytes));
    if (typesWithNewerFields.has(type) || bytes.includes(highVolumeTag)) addFields(body, newerBody.decode(bytes));
    return { body, type, problem: null };
  } catch (error) {
    return { body: decodeWithoutData(bytes), type, problem: (error as Error).message };
  }
}

/** Serialized TransactionRecord of this body → record. Throws if it is none. */
export function decodeTransactionRecord(bytes: Buffer, { highVolume, registeredNodeCreate }: TransactionBody) {
  const record: TransactionRecord = proto.TransactionRecord.decode(createHapiReader(bytes));
  if (highVolume || registeredNodeCreate) addFields(record, newerRecord.decode(bytes));
  return record;
}

// Fields of TransactionBody outside of its `data` oneof: 1 to 6, batch_key, max_custom_fees, high_volume.
const firstDataField = 7;
const otherFields = [73, 1001, 1002];

const maxType = 32_767;

function isDataField(number: number, wireType: number): boolean {
  return number >= firstDataField && wireType === wireBytes && !otherFields.includes(number);
}

/**
 * Field number of the body's `data` oneof; the last one counts, as in protobuf. Without one: the number of the single
 * unknown field. 0 if there is neither, or if it is beyond what the tables hold.
 */
export function transactionType(bytes: Buffer): number {
  let known = 0;
  let unknown = 0;
  let unknownCount = 0;
  const field = createWireCursor(bytes);
  while (nextWireField(field)) {
    const { number, wireType } = field;
    if (!isDataField(number, wireType)) continue;
    if (findTransactionType(number)) known = number;
    else {
      unknown = number;
      unknownCount++;
    }
  }
  if (known !== 0) return known;
  return unknownCount === 1 && unknown <= maxType ? unknown : 0;
}

function decodeWithoutData(bytes: Buffer): TransactionBody {
  const parts: Buffer[] = [];
  let partStart = 0;
  visitWireFields(bytes, (number, wireType, _start, end) => {
    if (!isDataField(number, wireType)) parts.push(bytes.subarray(partStart, end));
    partStart = end;
  });
  const rest = Buffer.concat(parts);
  const body: TransactionBody = proto.TransactionBody.decode(rest);
  addFields(body, newerBody.decode(rest));
  return body;
}

const newer = loadMessages<NewerFieldsMessages>(new URL('./newer-fields.proto', import.meta.url));
export const newerBody = newer('TransactionBody');
export const newerRecord = newer('TransactionRecord');
const typesWithNewerFields: ReadonlySet<number> = new Set(newerBody.oneofs.data!.fieldsArray.map(({ id }) => id));
// The field's tag; searched for before decoding the body a second time, since hardly any transaction has it.
const highVolumeTag = Buffer.of(0xd0, 0x3e);

/** Sets the fields of `newer` on `message`, and those of its sub-messages on the existing sub-messages. */
function addFields(message: object, newer: object): void {
  const fields = message as Record<string, unknown>;
  for (const [name, value] of Object.entries(newer)) {
    const present = fields[name];
    if (present instanceof Object && value instanceof protobuf.Message) Object.assign(present, value);
    else fields[name] = value;
  }
}
