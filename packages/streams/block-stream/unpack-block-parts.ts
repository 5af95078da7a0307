// A block file as stored → the serialized block, both in parts: a large one is never held whole.
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { type BlockCompression, behindTheEnd, isZstdFrame, unpackProblem } from './unpack-block-file.ts';

/** Of a decompressor's output, bytes. Each chunk is a task for another thread, with overhead. */
const chunkSize = 256 * 1024;

/** As strict as `unpackBlockFile`, but for the length, which the reader counts. Throws StreamFileError. */
export async function* unpackBlockParts(
  parts: AsyncIterator<Buffer>,
  compression: Exclude<BlockCompression, 'none'>,
): AsyncGenerator<Buffer> {
  const input = createInput(parts);
  do yield* unpackFrame(input, compression);
  while (await hasFrame(input, compression));
}

type Input = {
  next(): Promise<Buffer | null>;
  /** Is returned again by the next call. */
  unread(rest: Buffer): void;
  /** Bytes that were consumed. */
  taken(): number;
};

function createInput(parts: AsyncIterator<Buffer>): Input {
  let unread: Buffer | null = null;
  let taken = 0;
  return {
    async next() {
      const part = unread ?? (await nextOf(parts));
      unread = null;
      taken += part?.length ?? 0;
      return part;
    },
    unread(rest) {
      unread = rest;
      taken -= rest.length;
    },
    taken: () => taken,
  };
}

async function nextOf(parts: AsyncIterator<Buffer>): Promise<Buffer | null> {
  const { value, done } = await parts.next();
  return done ? null : value;
}

/** For gzip all members at once. */
async function* unpackFrame(input: Input, compression: BlockCompression): AsyncGenerator<Buffer> {
  const engine = compression === 'gzip' ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize });
  /** Of the source of the parts. */
  let failure: unknown = null;
  const feeding = feed().catch((error: unknown) => {
    failure = error;
    engine.destroy(error as Error);
  });
  try {
    for await (const chunk of engine) yield chunk as Buffer;
    await feeding;
  } catch (error) {
    throw failure ?? unpackProblem(error, compression, 0);
  } finally {
    engine.destroy();
  }

  async function feed(): Promise<void> {
    for (;;) {
      const part = await input.next();
      if (engine.destroyed) return;
      if (part === null) {
        engine.end();
        return;
      }
      const before = engine.bytesWritten;
      // The call is done when the whole part was consumed, or the engine is at its end.
      const isTaken = await new Promise<boolean>((done) => engine.write(part, (error) => done(!error)));
      if (!isTaken) return;
      const rest = part.subarray(engine.bytesWritten - before);
      if (rest.length === 0) continue;
      input.unread(rest);
      return;
    }
  }
}

/** Whether another frame begins. Throws StreamFileError if something else follows. */
async function hasFrame(input: Input, compression: BlockCompression): Promise<boolean> {
  let start = await input.next();
  if (start === null) return false;
  while (start.length < 4) {
    const more = await input.next();
    if (more === null) break;
    start = Buffer.concat([start, more]);
  }
  input.unread(start);
  if (compression === 'zstd' && isZstdFrame(start)) return true;
  const end = input.taken();
  let length = 0;
  for (let part = await input.next(); part; part = await input.next()) length += part.length;
  throw behindTheEnd(end, length);
}
