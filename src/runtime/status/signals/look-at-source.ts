// The newest file or block that the network has left in the source, whatever becomes of it.
import type { StreamSource } from '../../../source/stream-source.ts';

/** newestFile: consensus instant in ns, null where there is no file. problem: why the source cannot be looked at. */
type SeenSource = { newestFile: bigint | null; problem: string | null };

/** Listing folders is expensive: what was seen within `maxAgeMs` before `now` is taken. */
export type LookAtSource = (now: number, maxAgeMs: number) => Promise<SeenSource>;

export function createSourceLook(source: Pick<StreamSource, 'newestInstant'>): LookAtSource {
  let last: { at: number; seen: SeenSource } | null = null;
  return async (now, maxAgeMs) => {
    if (!last || now - last.at >= maxAgeMs) last = { at: now, seen: await look(source) };
    return last.seen;
  };
}

async function look(source: Pick<StreamSource, 'newestInstant'>): Promise<SeenSource> {
  try {
    return { newestFile: await source.newestInstant(), problem: null };
  } catch (error) {
    return { newestFile: null, problem: `The source cannot be looked at: ${(error as Error).message}` };
  }
}
