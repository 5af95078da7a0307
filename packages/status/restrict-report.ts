// What a report from another machine may contain: values of signals, their texts, version and name of the network.
// Other members are dropped, not refused, so that a newer program can report to an older service.
import { networkFact, versionFact } from './set-up-status.ts';
import { type Facts, type Reporter, type Signals, signalsOf } from './signal-names.ts';
import { statusComponents } from './status-components.ts';
import type { SignalReport } from './take-signals.ts';

/** The service determines these itself. */
const service: Reporter = 'service';
const signals: ReadonlySet<string> = new Set(
  Object.entries(signalsOf).flatMap(([reporter, names]) => (reporter === service ? [] : names)),
);

const shapes = new Map<string, RegExp>([
  [versionFact, /^v\d{1,6}(\.\d{1,6}){0,3}$/],
  [networkFact, /^[\w.-]{1,60}$/],
]);
const facts = new Set<string>([
  ...signals,
  ...shapes.keys(),
  ...statusComponents.flatMap(({ remark }) => remark ?? []),
]);

/** Times of at most some centuries: sums and dates of them stay finite. */
const maxValue = 1e13;
const maxFactLength = 500;

export function restrictReport(report: SignalReport): { values: Signals; facts: Facts } {
  const values = Object.entries(report.values)
    .filter(([name]) => signals.has(name))
    .map(([name, value]) => [name, Math.min(Math.max(value, 0), maxValue)]);
  const texts = Object.entries(report.facts)
    .filter(([name, text]) => facts.has(name) && shapes.get(name)?.test(text) !== false)
    .map(([name, text]) => [name, toOneLine(text)]);
  return { values: Object.fromEntries(values), facts: Object.fromEntries(texts) };
}

function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, maxFactLength)
    .toWellFormed();
}
