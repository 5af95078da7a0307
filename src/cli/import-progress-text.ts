// One line about an import: position, rates, lag, remaining time, and where the time goes.

import { formatDuration } from '../../packages/kit/duration-text.ts';
import type { ImportPhase, ImportProgress } from '../importer/import-progress.ts';

/** Keeps the last seconds, so that rates are current and not those of the whole run. */
export function createImportProgressText(now: () => number = Date.now): (progress: ImportProgress) => string {
  const samples: Sample[] = [];
  const startedAt = now();
  return (progress) => {
    const newest = { at: now(), blocks: progress.blocks, transactions: progress.transactions, lagMs: progress.lagMs };
    samples.push(newest);
    while (samples.length > 2 && newest.at - samples[0]!.at > windowMs) samples.shift();
    const oldest =
      samples.length > 1 ? samples[0]! : { at: startedAt, blocks: 0, transactions: 0, lagMs: progress.lagMs };
    const seconds = Math.max((newest.at - oldest.at) / 1000, 0.001);
    const perSecond = (count: number): string => formatRate(count / seconds);
    return [
      `block ${progress.block.number}`,
      `${perSecond(newest.blocks - oldest.blocks)} blocks/s`,
      `${perSecond(newest.transactions - oldest.transactions)} transactions/s`,
      `${formatDuration(progress.lagMs)} behind`,
      ...formatRest(newest, oldest),
      formatShares(progress.seconds),
      ...(progress.problems > 0 ? [`${progress.problems} problems`] : []),
    ].join(' · ');
  };
}

type Sample = { at: number; blocks: number; transactions: number; lagMs: number };

const windowMs = 10_000;
/** A smaller lag counts as caught up. */
const nearMs = 30_000;

// The lag divided by how much it shrank in the window.
function formatRest(newest: Sample, oldest: Sample): string[] {
  const caughtUpMs = oldest.lagMs - newest.lagMs;
  if (newest.lagMs < nearMs || caughtUpMs <= 0) return [];
  return [`${formatDuration((newest.lagMs / caughtUpMs) * (newest.at - oldest.at))} to go`];
}

function formatShares(seconds: Record<ImportPhase, number>): string {
  const busy = seconds.open + seconds.rows + seconds.write;
  const share = (part: number): string => `${busy === 0 ? 0 : Math.round((part / busy) * 100)} %`;
  return `verify ${share(seconds.open)}, rows ${share(seconds.rows)}, database ${share(seconds.write)}`;
}

function formatRate(rate: number): string {
  return rate >= 100 ? Math.round(rate).toLocaleString('en') : rate.toFixed(1);
}
