// Body and record of a transaction as bytes, the reverse of protocol/hapi/transaction-body.ts: the HAPI package encodes
// the fields that it knows, newer-fields.proto the others.

import { proto } from '../../protocol/hapi/hapi.ts';
import {
  newerBody,
  newerRecord,
  type TransactionBody,
  type TransactionRecord,
} from '../../protocol/hapi/transaction-body.ts';
import type { MessageType } from '../../protocol/load-messages.ts';
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { bytesField } from '../../protocol/wire-writer.ts';

export function encodeTransactionBody(body: TransactionBody): Buffer {
  return addNewerFields(proto.TransactionBody.encode(body).finish(), newerBody, body);
}

export function encodeTransactionRecord(record: TransactionRecord): Buffer {
  return addNewerFields(proto.TransactionRecord.encode(record).finish(), newerRecord, record);
}

/** A sub-message that both know is written once, with the fields of both: decoders of the package do not merge two. */
function addNewerFields(known: Uint8Array, type: MessageType<unknown>, message: object): Buffer {
  const newer = fieldsOf(type.encode(type.fromObject(message)).finish());
  if (newer.length === 0) return Buffer.from(known);
  const parts = fieldsOf(known).map(({ number, raw, content }) => {
    const at = newer.findIndex((one) => one.number === number);
    if (at < 0 || !content) return raw;
    const [extra] = newer.splice(at, 1);
    return Buffer.concat(bytesField(number, Buffer.concat([content, extra!.content!])));
  });
  return Buffer.concat([...parts, ...newer.map(({ raw }) => raw)]);
}

type EncodedField = {
  number: number;
  raw: Buffer /** Without tag and length; null for a number. */;
  content: Buffer | null;
};

function fieldsOf(message: Uint8Array): EncodedField[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const fields: EncodedField[] = [];
  let begin = 0;
  visitWireFields(bytes, (number, wireType, start, end) => {
    fields.push({
      number,
      raw: bytes.subarray(begin, end),
      content: wireType === wireBytes ? bytes.subarray(start, end) : null,
    });
    begin = end;
  });
  return fields;
}
