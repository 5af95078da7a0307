// The allowed time range of a search for topics: one exact time, or both bounds and not too much time between them.

import type { Range } from '../../../packages/kit/range.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { KeyCondition } from '../../api/reading/page/two-key-page.ts';

/**
 * Throws RequestError for the first conflict. `conditions`: those on the time; `range`: what they mean; `max` in ns.
 */
export function refuseLongSearch(conditions: readonly KeyCondition[], range: Range, max: bigint): void {
  const count = (...operators: string[]): number =>
    conditions.filter(({ operator }) => operators.includes(operator)).length;
  const [lower, upper, exact] = [count('gt', 'gte'), count('lt', 'lte'), count('eq')];
  const { from, to } = range;
  const length = (to ?? 0n) - (from ?? 0n) + 1n;
  const faults: [isFault: boolean, text: string][] = [
    [conditions.length === 0, 'No timestamp range or eq operator provided'],
    [count('ne') > 0, 'Not equals operator not supported for timestamp param'],
    [lower > 1, 'Multiple gt or gte operators not permitted for timestamp param'],
    [upper > 1, 'Multiple lt or lte operators not permitted for timestamp param'],
    [exact > 0 && lower + upper > 0, 'Cannot combine eq with ne, gt, gte, lt, or lte for timestamp param'],
    [
      exact === 0 && (lower === 0 || upper === 0),
      'Timestamp range must have gt (or gte) and lt (or lte), or eq operator',
    ],
    [
      exact === 0 && (length <= 0n || length > max),
      `Timestamp range by the lower and upper bounds must be positive and within ${formatSpan(max)}`,
    ],
  ];
  const fault = faults.find(([isFault]) => isFault);
  if (fault) throw refuse('topicsWithoutRange', { text: fault[1] });
}

const units: readonly [unit: string, ns: bigint][] = [
  ['d', 86_400_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['m', 60_000_000_000n],
  ['s', 1_000_000_000n],
];

/** In the largest unit without remainder. */
function formatSpan(ns: bigint): string {
  const [unit, size] = units.find(([, length]) => ns % length === 0n) ?? ['ns', 1n];
  return `${ns / size}${unit}`;
}
