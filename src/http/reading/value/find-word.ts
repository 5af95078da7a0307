// Which of some words a text means, as the dialect spells words.
import type { Dialect } from '../query/dialect.ts';

export function findWord<W extends string>(
  words: readonly W[],
  text: string,
  { toWord }: Pick<Dialect, 'toWord'>,
): W | undefined {
  const wanted = toWord(text);
  return words.find((word) => toWord(word) === wanted);
}
