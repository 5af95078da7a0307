// Which blocks can be sent: those whose files were kept, and those that the source has. The rows of all blocks are read
// once, then those that come. A source drops its past from the beginning: its first block is looked for by halves, and
// looked for again.
import { ownWork } from '../../../packages/kit/shares/client-line.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { BlockFiles, BlockNumber } from '../../ledger/blocks/create-block-files.ts';
import type { BlockSource, BlockSpan } from './block-source.ts';
import { findSourceFirst } from './find-source-first.ts';

export type HeldBlocks = {
  /** Reads what came since. */
  refresh(): Promise<void>;
  /** In order, with gaps between them. */
  spans(): readonly BlockSpan[];
  /** Number of the newest stored block, whether it can be sent or not; null without one. */
  newest(): bigint | null;
  /** It could not be read. */
  noteMissing(number: bigint): void;
};

type Options = {
  files: Pick<BlockFiles, 'numbersAfter' | 'outermost'>;
  source: Pick<BlockSource, 'has'> | null;
  /** The source does not answer. */
  onError(error: unknown): void;
  signal: AbortSignal;
};

type StoredSpan = BlockSpan & Pick<BlockNumber, 'isKept'>;

const pageSize = 10_000;
/** The beginning of what is stored, and of what the source has, is looked at again after this time. */
const lookAgainMs = 60_000;
/** Blocks that could not be read are not asked for during this time, nor shown: a follower goes elsewhere. */
const missingMs = 5_000;
const maxMissing = 1000;

export function createHeldBlocks({ files, source, onError, signal }: Options): HeldBlocks {
  let stored: StoredSpan[] = [];
  let scanned = -1n;
  const missing = new Set<bigint>();
  let missedMs = 0;
  /** null: it has none of them. */
  let sourceFirst: bigint | null = null;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;
  let found: readonly BlockSpan[] | null = null;

  function add({ number, hasRoot, isKept }: BlockNumber): void {
    scanned = number;
    if (!hasRoot) return;
    const last = stored.at(-1);
    if (last && last.isKept === isKept && last.last + 1n === number) last.last = number;
    else if (!last || last.last < number) stored.push({ first: number, last: number, isKept });
  }

  async function read(): Promise<void> {
    if (performance.now() - lookedMs >= lookAgainMs) await lookAtEnds();
    for (let isMore = true; isMore && !signal.aborted; found = null) {
      const page = await files.numbersAfter(scanned, pageSize);
      page.forEach(add);
      isMore = page.length === pageSize;
    }
    const fromSource = stored.filter(({ isKept }) => !isKept);
    const isDue = performance.now() - lookedMs >= lookAgainMs || (sourceFirst === null && fromSource.length > 0);
    if (source && isDue && fromSource.length > 0) {
      try {
        sourceFirst = await findSourceFirst(source, fromSource, { known: sourceFirst, signal });
      } catch (error) {
        // What was known of it goes on.
        if (!signal.aborted) onError(error);
      }
    }
    if (performance.now() - lookedMs >= lookAgainMs) lookedMs = performance.now();
    if (performance.now() - missedMs >= missingMs) missing.clear();
    found = null;
  }

  /** Blocks were dropped, or imported again. */
  async function lookAtEnds(): Promise<void> {
    const [first, last] = [await files.outermost('first'), await files.outermost('last')];
    if (first === null || last === null || last < scanned) {
      stored = [];
      scanned = -1n;
      return;
    }
    stored = stored.filter((span) => span.last >= first);
    if (stored[0] && stored[0].first < first) stored[0].first = first;
  }

  /** One that is running may have missed what came a moment ago. */
  function refresh(): Promise<void> {
    if (running) {
      queued ??= running.then(again, again);
      return queued;
    }
    // Not as the client that asked first: others wait for the same.
    running = runAs(ownWork, read).finally(() => {
      running = null;
    });
    return running;
  }

  function again(): Promise<void> {
    queued = null;
    return refresh();
  }

  function findSpans(): BlockSpan[] {
    const spans: BlockSpan[] = [];
    for (const { first, last, isKept } of stored) {
      const begin = isKept || sourceFirst === null || first > sourceFirst ? first : sourceFirst;
      if ((!isKept && (!source || sourceFirst === null)) || begin > last) continue;
      const before = spans.at(-1);
      if (before && before.last + 1n === begin) before.last = last;
      else spans.push({ first: begin, last });
    }
    return missing.size === 0 ? spans : spans.flatMap((span) => withoutMissing(span, missing));
  }

  return {
    refresh,
    spans() {
      found ??= findSpans();
      return found;
    },
    newest: () => (scanned < 0n ? null : scanned),
    noteMissing(number) {
      if (missing.size === 0) missedMs = performance.now();
      if (missing.size < maxMissing) missing.add(number);
      found = null;
    },
  };
}

function withoutMissing({ first, last }: BlockSpan, missing: ReadonlySet<bigint>): BlockSpan[] {
  const left: BlockSpan[] = [];
  let begin = first;
  for (const number of [...missing].filter((one) => one >= first && one <= last).sort((a, b) => (a < b ? -1 : 1))) {
    if (begin < number) left.push({ first: begin, last: number - 1n });
    begin = number + 1n;
  }
  if (begin <= last) left.push({ first: begin, last });
  return left;
}

export function isHeld(spans: readonly BlockSpan[], number: bigint): boolean {
  return spans.some(({ first, last }) => first <= number && number <= last);
}
