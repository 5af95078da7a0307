// Which blocks can be sent: those whose files were kept, and those that the source has. A source drops its past from
// the beginning: its first block is looked for by halves, and looked for again.
import { createRunAnew } from '../../../packages/kit/run-anew.ts';
import { ownWork } from '../../../packages/kit/shares/client-line.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { BlockFiles } from '../../ledger/blocks/create-block-files.ts';
import type { BlockSource, BlockSpan } from './block-source.ts';
import { findSourceFirst } from './find-source-first.ts';
import { createMissingBlocks } from './missing-blocks.ts';
import { createStoredSpans, type StoredSpan } from './stored-spans.ts';

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

/** The beginning of what is stored, and of what the source has, is looked at again after this time. */
const lookAgainMs = 60_000;

export function createHeldBlocks({ files, source, onError, signal }: Options): HeldBlocks {
  const stored = createStoredSpans(files);
  const missing = createMissingBlocks();
  const sourceExtent = createSourceExtent({ source, onError, signal });
  let lookedMs = Number.NEGATIVE_INFINITY;
  let found: readonly BlockSpan[] | null = null;

  const isDue = (): boolean => performance.now() - lookedMs >= lookAgainMs;
  const forgetFound = (): void => {
    found = null;
  };

  async function read(): Promise<void> {
    if (isDue()) await stored.lookAtEnds();
    await stored.readNew(signal, forgetFound);
    await sourceExtent.look(stored.list(), isDue());
    if (isDue()) lookedMs = performance.now();
    missing.expire();
    forgetFound();
  }

  function findSpans(): BlockSpan[] {
    const spans: BlockSpan[] = [];
    for (const span of stored.list()) {
      const begin = span.isKept ? span.first : sourceExtent.beginOf(span);
      if (begin === null) continue;
      const before = spans.at(-1);
      if (before && before.last + 1n === begin) before.last = span.last;
      else spans.push({ first: begin, last: span.last });
    }
    return missing.takeFrom(spans);
  }

  return {
    // Not as the client that asked first: others wait for the same.
    refresh: createRunAnew(() => runAs(ownWork, read)),
    spans() {
      found ??= findSpans();
      return found;
    },
    newest: stored.newest,
    noteMissing(number) {
      missing.note(number);
      forgetFound();
    },
  };
}

/** From which block on the source has them. */
function createSourceExtent({ source, onError, signal }: Pick<Options, 'source' | 'onError' | 'signal'>) {
  /** null: it has none of them. */
  let first: bigint | null = null;
  return {
    /** @param isDue false: only where nothing is known */
    async look(spans: readonly StoredSpan[], isDue: boolean): Promise<void> {
      const fromSource = spans.filter(({ isKept }) => !isKept);
      if (!source || fromSource.length === 0 || (first !== null && !isDue)) return;
      try {
        first = await findSourceFirst(source, fromSource, { known: first, signal });
      } catch (error) {
        // What was known of it stays.
        if (!signal.aborted) onError(error);
      }
    },
    /** The first block of a span that it has; null: none. */
    beginOf(span: BlockSpan): bigint | null {
      if (first === null || first > span.last) return null;
      return first > span.first ? first : span.first;
    },
  };
}

export function isHeld(spans: readonly BlockSpan[], number: bigint): boolean {
  return spans.some(({ first, last }) => first <= number && number <= last);
}
