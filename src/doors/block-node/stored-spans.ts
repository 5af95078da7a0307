// Which blocks are stored, with a root of their own: all rows are read once, then those that come.
import type { BlockFiles, BlockNumber } from '../../ledger/blocks/create-block-files.ts';
import type { BlockSpan } from './block-source.ts';

/** `isKept`: their files were kept; the others can be had from the source alone. */
export type StoredSpan = BlockSpan & Pick<BlockNumber, 'isKept'>;

export type StoredSpans = {
  /** In order, with gaps between them. */
  list(): readonly StoredSpan[];
  /** Number of the newest stored block, whether it has a root or not; null without one. */
  newest(): bigint | null;
  /** Reads what came since, by pages; `onPage` after each. */
  readNew(signal: AbortSignal, onPage: () => void): Promise<void>;
  /** Blocks may have been dropped at the beginning, or imported again. */
  lookAtEnds(): Promise<void>;
};

const pageSize = 10_000;

export function createStoredSpans(files: Pick<BlockFiles, 'numbersAfter' | 'outermost'>): StoredSpans {
  let spans: StoredSpan[] = [];
  let scanned = -1n;

  function add({ number, hasRoot, isKept }: BlockNumber): void {
    scanned = number;
    if (!hasRoot) return;
    const last = spans.at(-1);
    if (last && last.isKept === isKept && last.last + 1n === number) last.last = number;
    else if (!last || last.last < number) spans.push({ first: number, last: number, isKept });
  }

  return {
    list: () => spans,
    newest: () => (scanned < 0n ? null : scanned),
    async readNew(signal, onPage) {
      for (let isMore = true; isMore && !signal.aborted; onPage()) {
        const page = await files.numbersAfter(scanned, pageSize);
        page.forEach(add);
        isMore = page.length === pageSize;
      }
    },
    async lookAtEnds() {
      const [first, last] = [await files.outermost('first'), await files.outermost('last')];
      if (first === null || last === null || last < scanned) {
        spans = [];
        scanned = -1n;
        return;
      }
      spans = spans.filter((span) => span.last >= first);
      if (spans[0] && spans[0].first < first) spans[0].first = first;
    },
  };
}
