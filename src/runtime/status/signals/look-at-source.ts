// The newest file that the network has left in the source, whatever becomes of it.
import { parseInstant } from '../../../protocol/hapi/timestamp.ts';
import { findNewestFileInstant } from '../../../source/find-newest-file.ts';

/** newestFile: consensus instant in ns, null where there is no file. problem: why the source cannot be looked at. */
type SeenSource = { newestFile: bigint | null; problem: string | null };

/** Listing folders is expensive: what was seen within `maxAgeMs` before `now` is taken. */
export type LookAtSource = (now: number, maxAgeMs: number) => Promise<SeenSource>;

export function createSourceLook(sourcePath: string): LookAtSource {
  let last: { at: number; seen: SeenSource } | null = null;
  return async (now, maxAgeMs) => {
    if (!last || now - last.at >= maxAgeMs) last = { at: now, seen: await look(sourcePath) };
    return last.seen;
  };
}

async function look(sourcePath: string): Promise<SeenSource> {
  try {
    const instant = await findNewestFileInstant(sourcePath);
    return { newestFile: instant === null ? null : parseInstant(instant.replace(',', '.')), problem: null };
  } catch (error) {
    return { newestFile: null, problem: `The stream files cannot be listed: ${(error as Error).message}` };
  }
}
