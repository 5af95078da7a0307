// Blocks of a source by number, after they were imported: whether it has one, and its file. To look for a name in a
// large folder or bucket takes long: a block is read first where one near it would lie.
import { type StreamBlockFile, type StreamSource, StreamSourceError } from './stream-source.ts';

export function createBlockReader(source: StreamSource) {
  let known: StreamBlockFile | null = null;

  /** As the known one is named. */
  function guess(number: bigint): StreamBlockFile | null {
    const digits = known && /^\d+/.exec(known.name)?.[0];
    if (!known || !digits || BigInt(digits) !== known.number) return null;
    const name = `${number}`.padStart(digits.length, '0') + known.name.slice(digits.length);
    return { number, name, location: known.location };
  }

  return {
    has: async (number: bigint, signal: AbortSignal): Promise<boolean> =>
      (await source.findBlock(number, signal)) !== null,
    /** As stored. The iteration throws StreamSourceError, with the code `missing` where the block is not there. */
    async *parts(number: bigint, signal: AbortSignal): AsyncGenerator<Buffer> {
      const guessed = guess(number);
      if (guessed) {
        let isFirst = true;
        try {
          for await (const part of source.readBlock(guessed, signal)) {
            isFirst = false;
            yield part;
          }
          return;
        } catch (error) {
          if (!isFirst || !(error instanceof StreamSourceError) || error.code !== 'missing') throw error;
        }
      }
      const found = await source.findBlock(number, signal);
      if (!found) throw new StreamSourceError('missing', source.description, `Block ${number} is not there any more`);
      known = found;
      yield* source.readBlock(found, signal);
    },
  };
}
