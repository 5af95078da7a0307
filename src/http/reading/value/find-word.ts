// Finds the word that a text means, in the dialect's spelling.
import type { Dialect } from '../query/dialect.ts';

export function findWord<W extends string>(
  words: readonly W[],
  text: string,
  { toWord }: Pick<Dialect, 'toWord'>,
): W | undefined {
  const wanted = toWord(text);
  return words.find((word) => toWord(word) === wanted);
}
