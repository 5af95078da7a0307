// Text that is compressed while it is written, without waiting: the machine does not stop for a stream. Each part is
// deflated by itself up to a byte boundary, so that the parts one after the other are one stream.
import { constants, crc32, deflateRawSync } from 'node:zlib';

export type GzipText = {
  add(text: string): void;
  /** Characters so far. */
  length(): number;
  /** The whole file; nothing may be added after it. */
  end(): Buffer;
};

const partLength = 256 * 1024;
const header = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
/** An empty last block. */
const lastBlock = Buffer.of(0x03, 0x00);
const sizeRange = 2 ** 32;

export function createGzipText(): GzipText {
  const parts: Buffer[] = [header];
  let waiting: string[] = [];
  let waitingLength = 0;
  let length = 0;
  let size = 0;
  let check = 0;

  function flush(): void {
    if (waitingLength === 0) return;
    const bytes = Buffer.from(waiting.join(''));
    check = crc32(bytes, check);
    size += bytes.length;
    parts.push(deflateRawSync(bytes, { level: 3, finishFlush: constants.Z_SYNC_FLUSH }));
    waiting = [];
    waitingLength = 0;
  }

  return {
    add(text) {
      waiting.push(text);
      waitingLength += text.length;
      length += text.length;
      if (waitingLength >= partLength) flush();
    },
    length: () => length,
    end() {
      flush();
      const trailer = Buffer.alloc(8);
      trailer.writeUInt32LE(check, 0);
      trailer.writeUInt32LE(size % sizeRange, 4);
      return Buffer.concat([...parts, lastBlock, trailer]);
    },
  };
}
