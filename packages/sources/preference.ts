// Sources in order of preference: which of them comes first now, and which has what is due.
import { type StreamPosition, type StreamSource, StreamSourceError } from './stream-source.ts';

export type Preference = ReturnType<typeof createPreference>;

export type PreferenceOptions = {
  /** How often better sources are asked, and how long a source whose copy was refused comes last. */
  returnMs: number;
  /** Further sources at this time; unchanged ones are the same objects. Asked if the others do not have what is due. */
  findFurther?(): Promise<readonly StreamSource[]>;
};

export function createPreference(sources: readonly StreamSource[], { returnMs, findFurther }: PreferenceOptions) {
  const refused = new Map<StreamSource, { atMs: number; count: number }>();
  let further: readonly StreamSource[] = [];
  let furtherAtMs = Number.NEGATIVE_INFINITY;
  /** Recently refused sources come last. */
  const all = (): StreamSource[] => {
    const isTrusted = (source: StreamSource): boolean =>
      performance.now() - (refused.get(source)?.atMs ?? Number.NEGATIVE_INFINITY) > returnMs;
    const known = [...sources, ...further];
    return [...known.filter(isTrusted), ...known.filter((source) => !isTrusted(source))];
  };
  /** How often a copy of it was refused. */
  const demotions = (source: StreamSource): number => refused.get(source)?.count ?? 0;
  return {
    all,
    others: (than: StreamSource) => all().filter((one) => one !== than),
    demote: (source: StreamSource) =>
      void refused.set(source, { atMs: performance.now(), count: demotions(source) + 1 }),
    demotions,
    async refreshFurther(): Promise<void> {
      if (!findFurther || performance.now() - furtherAtMs < returnMs) return;
      furtherAtMs = performance.now();
      further = await findFurther();
    },
  };
}

/** The first that has what is due, as a block or as a record file; `due` null: that has anything. */
export async function findHolder(
  candidates: readonly StreamSource[],
  due: StreamPosition | null,
): Promise<StreamSource | null> {
  const has = async (source: StreamSource): Promise<boolean> => {
    if (!due) return (await source.newestInstant()) !== null || (await source.findBlock(0n)) !== null;
    const { nextBlock, onlyBlocks, timestamp } = due;
    if (nextBlock !== null && (await source.findBlock(nextBlock))) return true;
    return !onlyBlocks && ((await source.hasRecordsAfter?.(timestamp)) ?? false);
  };
  // One that does not answer has nothing; its error is reported when it is followed.
  const found = await Promise.all(candidates.map((source) => has(source).catch(notThere)));
  return candidates[found.indexOf(true)] ?? null;
}

/** Checks now and then, beside the work, whether a better source has what is due. null = none is known. */
export function createBetterLook(
  preference: Preference,
  current: StreamSource,
  returnMs: number,
): (due: StreamPosition | null) => StreamSource | null {
  let sinceMs = performance.now();
  let looking = false;
  let found: StreamSource | null = null;
  let defect: unknown = null;
  return (due) => {
    if (defect !== null) throw defect;
    const order = preference.all();
    const place = order.indexOf(current);
    // A source that was removed counts as last.
    const better = place < 0 ? order : order.slice(0, place);
    if (found) return better.includes(found) ? found : null;
    if (looking || better.length === 0 || performance.now() - sinceMs < returnMs) return null;
    looking = true;
    const look = findHolder(better, due).then((holder) => {
      found = holder;
      looking = false;
      sinceMs = performance.now();
    });
    look.catch((error) => {
      defect = error;
    });
    return null;
  };
}

/** Also for a folder that cannot be listed; a defect is thrown. */
export function notThere(error: unknown): null {
  if (error instanceof StreamSourceError || typeof (error as NodeJS.ErrnoException).syscall === 'string') return null;
  throw error;
}
