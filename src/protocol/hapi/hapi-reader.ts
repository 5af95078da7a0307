// Reads HAPI messages as the package does, but int64 fields without an intermediate object: a record has some twenty, and
// half of their memory was garbage at once.
import protobuf from 'protobufjs/minimal.js';

/** As many bytes as a varint of 64 bits has at most. */
const maxVarintBytes = 10;

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

  /** null, and nothing is read, near the end of the buffer and if there are more than nine bytes: then the library reads it. */
  private longOf(unsigned: boolean): protobuf.Long | null {
    const { buf, pos } = this;
    if (this.len - pos < maxVarintBytes) return null;
    let low = 0;
    let high = 0;
    for (let place = 0; place < maxVarintBytes - 1; place++) {
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
