// Reproducible randomness: the same seed and label give the same sequence on every machine. Each block has its
// sequence, so it can be made again without those before it. Not for secrets of real value.
import { createHash } from 'node:crypto';

export type SeededRandom = {
  /** Whole number in [0, limit). */
  below(limit: number): number;
  /** Whole number in [from, to]. */
  integer(from: number, to: number): number;
  /** bigint in [from, to]; the span must stay below 2^53. */
  amount(from: bigint, to: bigint): bigint;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Two different members, or undefined when there are fewer. */
  pair<T>(choices: readonly T[]): [T, T] | undefined;
  bytes(count: number): Uint8Array;
  /** A key of the table, with the probability of its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K;
};

export function createSeededRandom(seed: string, label = ''): SeededRandom {
  const digest = createHash('sha256').update(`${seed}\n${label}`).digest();
  let [a, b, c, counter] = [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8), 1];

  // sfc32 (Chris Doty-Humphrey's Small Fast Counter), 32 bits a step.
  function next(): number {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  }
  for (let warmUp = 0; warmUp < 12; warmUp++) next();

  const fraction = () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992;
  const below = (limit: number) => Math.floor(fraction() * limit);

  return {
    below,
    integer: (from, to) => from + below(to - from + 1),
    amount: (from, to) => from + BigInt(below(Number(to - from) + 1)),
    chance: (probability) => fraction() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new RangeError('There is nothing to pick from');
      return choices[below(choices.length)]!;
    },
    pair: (choices) => {
      if (choices.length < 2) return undefined;
      const first = below(choices.length);
      const second = (first + 1 + below(choices.length - 1)) % choices.length;
      return [choices[first]!, choices[second]!];
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => below(256)),
    weighted: (weights) => {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries.at(-1)![0];
    },
  };
}
