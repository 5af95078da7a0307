// Writes protobuf fields around raw sub-messages, so that bytes which were hashed or signed are written unchanged.
// Fields with their default value are omitted, as in proto3.

/** One field of a message: its bytes, tag included. */
export type WireField = Buffer[];

export function bytesField(number: number, bytes: Uint8Array): WireField {
  const value = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return [encodeVarint(BigInt(number * 8 + 2)), encodeVarint(BigInt(value.length)), value];
}

/** The same in one Buffer, which is all that it takes. */
export function joinedBytesField(number: number, bytes: Uint8Array): Buffer {
  const tag = number * 8 + 2;
  const start = varintLength(tag) + varintLength(bytes.length);
  const field = Buffer.allocUnsafe(start + bytes.length);
  writeVarint(field, bytes.length, writeVarint(field, tag, 0));
  field.set(bytes, start);
  return field;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1;
  return length;
}

/** Returns where the next byte goes. */
function writeVarint(into: Buffer, value: number, at: number): number {
  let [rest, offset] = [value, at];
  for (; rest >= 128; rest = Math.floor(rest / 128)) into[offset++] = (rest % 128) + 128;
  into[offset++] = rest;
  return offset;
}

/** Nothing if there are no bytes. */
export function optionalBytes(number: number, bytes: Uint8Array | null | undefined): WireField {
  return bytes && bytes.length > 0 ? bytesField(number, bytes) : [];
}

export function messageField(number: number, fields: WireField[]): WireField {
  return bytesField(number, Buffer.concat(fields.flat()));
}

/** int32 and int64 alike: negative values take ten bytes. */
export function intField(number: number, value: number | bigint): WireField {
  const integer = BigInt(value);
  return integer === 0n ? [] : [encodeVarint(BigInt(number * 8)), encodeVarint(BigInt.asUintN(64, integer))];
}

export function encodeVarint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  if (rest < 128n) return Buffer.of(Number(rest));
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
