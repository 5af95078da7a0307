// Splits and joins messages by field numbers: fields of a record go into a block unchanged.
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../../protocol/wire-fields.ts';
import type { WireField } from '../../protocol/wire-writer.ts';

export type MessageFields = {
  /** All values of a field of bytes, text or messages. */
  bytes(number: number): Buffer[];
  /** 0 where it is absent. */
  integer(number: number): bigint;
};

export const noBytes: Buffer = Buffer.alloc(0);

export function splitFields(message: Uint8Array): MessageFields {
  const buffer = Buffer.from(message.buffer, message.byteOffset, message.length);
  const bytes = new Map<number, Buffer[]>();
  const integers = new Map<number, bigint>();
  visitWireFields(buffer, (number, wireType, start, end) => {
    if (wireType === wireBytes) bytes.set(number, [...(bytes.get(number) ?? []), buffer.subarray(start, end)]);
    else if (wireType === wireVarint) integers.set(number, readVarint64(buffer, start));
  });
  return { bytes: (number) => bytes.get(number) ?? [], integer: (number) => integers.get(number) ?? 0n };
}

export function joinFields(fields: readonly WireField[]): Buffer {
  return Buffer.concat(fields.flat());
}

export function encodeMessage<Message>(
  type: { encode(message: Message): { finish(): Uint8Array } },
  message: Message,
): Buffer {
  return Buffer.from(type.encode(message).finish());
}

/** The shortest form of a word, as traces carry keys, values and topics. */
export function withoutLeadingZeros(word: Uint8Array): Uint8Array {
  const first = word.findIndex((byte) => byte !== 0);
  return first < 0 ? noBytes : word.subarray(first);
}
