// The first of some blocks that a source has: it drops its past from the beginning, so it is looked for by halves.
import type { BlockSource, BlockSpan } from './block-source.ts';

/** How long one question to the source may take. */
const askMs = 20_000;

/**
 * null: it has not even the last of them. Throws errors of the source.
 * @param known what was found before
 */
export async function findSourceFirst(
  source: Pick<BlockSource, 'has'>,
  spans: readonly BlockSpan[],
  { known, signal }: { known: bigint | null; signal: AbortSignal },
): Promise<bigint | null> {
  const has = (number: bigint): Promise<boolean> =>
    source.has(number, AbortSignal.any([signal, AbortSignal.timeout(askMs)]));
  const numbers = createPlaces(spans);
  const place = known === null ? null : numbers.placeOf(known);
  const isFirst = async (at: bigint): Promise<boolean> =>
    (await has(numbers.at(at))) && (at === 0n || !(await has(numbers.at(at - 1n))));
  if (place !== null && (await isFirst(place))) return known;
  let [low, high] = [0n, numbers.count - 1n];
  if (!(await has(numbers.at(high)))) return null;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (await has(numbers.at(middle))) high = middle;
    else low = middle + 1n;
  }
  return numbers.at(low);
}

/** The numbers of spans, counted through. */
function createPlaces(spans: readonly BlockSpan[]) {
  const starts: bigint[] = [];
  let count = 0n;
  for (const { first, last } of spans) {
    starts.push(count);
    count += last - first + 1n;
  }
  return {
    count,
    at(place: bigint): bigint {
      const index = starts.findLastIndex((start) => start <= place);
      return spans[index]!.first + place - starts[index]!;
    },
    /** null: it is none of them any more. */
    placeOf(number: bigint): bigint | null {
      const index = spans.findIndex(({ first, last }) => first <= number && number <= last);
      return index < 0 ? null : starts[index]! + number - spans[index]!.first;
    },
  };
}
