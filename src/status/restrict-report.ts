// What a report from another machine may say: values of signals that the rules know, texts that explain these, and the
// version of the network. The rest is left out rather than refused, so that a newer program can report to an older service.
import { signalsOf } from './signal-names.ts';
import { statusComponents } from './status-components.ts';
import { defaultStatusRules } from './status-rules.ts';
import type { SignalReport } from './take-signals.ts';

const ownSignals = new Set<string>(signalsOf.service);

/** Drawn, or needed to draw. */
const chartSignals = ['import.lagMs', 'api.requests'];

const signals = new Set(
  [
    ...Object.values(defaultStatusRules.levels).map(({ signal }) => signal),
    ...statusComponents.flatMap(({ needs }) => needs),
    ...chartSignals,
  ].filter((name) => !ownSignals.has(name)),
);

const versionFact = 'network.version';
const facts = new Set([...signals, versionFact, ...statusComponents.flatMap(({ remark }) => remark ?? [])]);

/** Times are some centuries at most: sums and dates of them stay finite. */
const maxValue = 1e13;
const maxFactLength = 500;

export function restrictReport(report: SignalReport): SignalReport {
  const values = Object.entries(report.values)
    .filter(([name]) => signals.has(name))
    .map(([name, value]) => [name, Math.min(Math.max(value, 0), maxValue)]);
  const texts = Object.entries(report.facts)
    .filter(([name, text]) => facts.has(name) && (name !== versionFact || /^v\d{1,6}(\.\d{1,6}){0,3}$/.test(text)))
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
