// How far an import is and how it spends its time. Waiting for the previous commit counts as writing: preparing the
// next block hides the rest.
import type { Doubt } from '../../packages/streams/stream/doubt.ts';
import type { BlockVerification } from './open/block-verification.ts';
import type { UnreadPublication } from './proving/ledger-change.ts';

/** wait = for the source. open = read, verify and decode. rows = make rows. write = wait for the commit before. */
export type ImportPhase = 'wait' | 'open' | 'rows' | 'write';

export type ImportProgress = {
  /** The block that was just committed. */
  block: {
    name: string;
    number: bigint;
    consensusEnd: bigint;
    transactions: number;
    verification: BlockVerification;
    /** What of it is not shown, or shown in part. */
    doubts: readonly Doubt[];
    /** The publication of a ledger id that cannot be read, from this block on; null: none is any more. */
    unread?: UnreadPublication | null;
  };
  /** Since the import began. */
  blocks: number;
  transactions: number;
  /** Doubts, each as often as it was counted, and defects. */
  problems: number;
  /** Those caused by a defect of this program although the data is good. */
  defects: number;
  /** Time from the block's last consensus timestamp until now. */
  lagMs: number;
  /** Seconds spent so far. */
  seconds: Record<ImportPhase, number>;
};

export type ImportSummary = Pick<ImportProgress, 'blocks' | 'transactions' | 'problems' | 'defects'> & {
  /** It ended at --until, and not with the files. */
  reachedEnd: boolean;
};

export type ProgressMeter = {
  /** Time counts for this phase from now on. */
  begin(phase: ImportPhase): void;
  count(block: ImportProgress['block'], leftOut: Pick<ImportProgress, 'problems' | 'defects'>): void;
  /** The import ends at --until. */
  reachEnd(): void;
  progress(block: ImportProgress['block']): ImportProgress;
  summary(): ImportSummary;
};

export function createProgressMeter(): ProgressMeter {
  const seconds: Record<ImportPhase, number> = { wait: 0, open: 0, rows: 0, write: 0 };
  const totals = { blocks: 0, transactions: 0, problems: 0, defects: 0 };
  let reachedEnd = false;
  let phase: ImportPhase = 'wait';
  let since = performance.now();

  const begin = (next: ImportPhase): void => {
    const now = performance.now();
    seconds[phase] += (now - since) / 1000;
    since = now;
    phase = next;
  };

  return {
    begin,
    count: (block, { problems, defects }) => {
      totals.blocks += 1;
      totals.transactions += block.transactions;
      totals.problems += problems;
      totals.defects += defects;
    },
    reachEnd: () => {
      reachedEnd = true;
    },
    progress: (block) => {
      begin(phase);
      return {
        block,
        ...totals,
        lagMs: Date.now() - Number(block.consensusEnd / 1_000_000n),
        seconds: { ...seconds },
      };
    },
    summary: () => ({ ...totals, reachedEnd }),
  };
}
