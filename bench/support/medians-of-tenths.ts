/** How a value went over a run: the median of each tenth of its samples. */
export function mediansOfTenths(samples: readonly number[]): number[] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const part = samples.slice((tenth * samples.length) / 10, ((tenth + 1) * samples.length) / 10);
    return part.sort((a, b) => a - b)[part.length >> 1] ?? 0;
  });
}
