// Reads HAPI messages as the package does, but int64 fields without an intermediate object: a record has some twenty,
// and half of their memory was garbage at once.
import protobuf from 'protobufjs/minimal.js';

/** A varint of 64 bits has at most one more. */
const maxVarintBytes = 9;

/** The generated decoders accept only a subclass of the library's reader. */
class HapiReader extends protobuf.BufferReader {
  override int64() {
    return this.longOf(false) ?? super.int64();
  }

  override uint64() {
    return this.longOf(true) ?? super.uint64();
  }

  override sint64() {
    const zigzag = this.longOf(false);
    if (zigzag === null) return super.sint64();
    const { low, high } = zigzag;
    const sign = -(low & 1);
    return new protobuf.util.Long(((low >>> 1) | (high << 31)) ^ sign, (high >>> 1) ^ sign, false);
  }

  /** null, and nothing is read, if it has more than nine bytes or is cut off: then the library reads it. */
  private longOf(unsigned: boolean): protobuf.Long | null {
    const { buf, pos } = this;
    const end = Math.min(this.len - pos, maxVarintBytes);
    let low = 0;
    let high = 0;
    for (let place = 0; place < end; place++) {
      const byte = buf[pos + place]!;
      const bits = byte & 0x7f;
      const shift = place * 7;
      if (shift < 32) low |= bits << shift;
      // The fifth byte has bits of both halves.
      if (shift >= 32) high |= bits << (shift - 32);
      else if (shift > 25) high |= bits >>> (32 - shift);
      if (byte < 0x80) {
        this.pos = pos + place + 1;
        return new protobuf.util.Long(low, high, unsigned);
      }
    }
    return null;
  }
}

export function createHapiReader(bytes: Uint8Array): protobuf.Reader {
  return new HapiReader(bytes);
}

/** Reads the length of the message that begins here; returns its end. Throws RangeError beyond `limit`. */
export function endOfMessage(reader: protobuf.Reader, limit: number): number {
  const length = reader.uint32();
  if (length > limit - reader.pos) throw new RangeError(`index out of range: ${reader.pos} + ${length} > ${limit}`);
  return reader.pos + length;
}

/** Throws RangeError if a field went beyond the end of its message. */
export function assertEnd({ pos }: protobuf.Reader, end: number): void {
  if (pos !== end) throw new RangeError(`index out of range: ${pos} > ${end}`);
}

/** The message that begins here, which must end where its length says. */
export function decodeNested<Message>(
  reader: protobuf.Reader,
  type: { decode(reader: protobuf.Reader, length: number): Message },
): Message {
  const end = endOfMessage(reader, reader.len);
  const message = type.decode(reader, end - reader.pos);
  assertEnd(reader, end);
  return message;
}
