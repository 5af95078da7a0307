// One line about an import of contract matches: how far it is, its rate, the remaining time, what came of it.

import { formatDuration } from '../../packages/kit/duration-text.ts';
import type { ContractImportProgress } from '../runtime/contracts/run-contract-import.ts';

export function createContractImportText(now: () => number = Date.now): (progress: ContractImportProgress) => string {
  const samples: { at: number; done: number }[] = [];
  return ({ summary, done, total, looked }) => {
    const count = (number: number): string => number.toLocaleString('en');
    if (total === null) return `looked up ${count(looked)} of ${count(summary.listed)} matches`;
    samples.push({ at: now(), done });
    while (samples.length > 2 && now() - samples[0]!.at > windowMs) samples.shift();
    const { stored, notMatched } = summary;
    return [
      `${count(done)} of ${count(total)} matches`,
      ...formatRate(samples, total),
      `${count(stored.perfect + stored.partial)} verified`,
      ...(notMatched.count > 0 ? [`${count(notMatched.count)} not matched`] : []),
    ].join(' · ');
  };
}

/** Compiles take seconds, a few even minutes. */
const windowMs = 120_000;

function formatRate(samples: readonly { at: number; done: number }[], total: number): string[] {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const [ms, done] = [last.at - first.at, last.done - first.done];
  if (ms <= 0 || done <= 0) return [];
  const left = ((total - last.done) / done) * ms;
  return [`${((done / ms) * 1000).toFixed(1)}/s`, `${formatDuration(left)} to go`];
}
