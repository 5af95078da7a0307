// What answers of some size usually cost: a line through all that were measured, by the median of the slopes between
// any two of them (Theil and Sen), which a few expensive ones do not move.
export type SizedCost = { kilobytes: number; cost: number };

/** The cost that so many bytes explain. */
export function fitCostByBytes(measured: readonly SizedCost[]): (kilobytes: number) => number {
  const slopes = measured.flatMap((one, index) =>
    measured
      .slice(index + 1)
      .filter((other) => Math.abs(other.kilobytes - one.kilobytes) > 1)
      .map((other) => (other.cost - one.cost) / (other.kilobytes - one.kilobytes)),
  );
  const slope = Math.max(0, median(slopes));
  const base = median(measured.map(({ kilobytes, cost }) => cost - slope * kilobytes));
  return (kilobytes) => base + slope * kilobytes;
}

function median(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
