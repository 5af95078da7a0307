// One of a few words, in any case, with any operator, which is ignored.
import { word } from '../../values/kinds.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { RawValue } from '../query/query-parameters.ts';

type Options<V, T> = {
  /** Tests use it to make such texts. */
  kind: string;
  description: string;
  /** The meaning of each word, by the word as the document has it. */
  words: Readonly<Record<string, V>>;
  /** The result for the given values, which may be none. */
  collect(values: readonly V[]): T;
  /** The word that is the default, for the document. */
  usual?: string;
  /** Whether words may have any case in every dialect. */
  anyCase?: boolean;
  /** Set if an operator before a word is not ignored. */
  read?(meaning: V, value: RawValue): V;
};

export function oneOfWords<V, T>(options: Options<V, T>): QueryParameter<T> {
  const { kind, description, words, collect, usual, anyCase = false, read = (meaning) => meaning } = options;
  const meanings = new Map(Object.entries(words).map(([text, meaning]) => [text.toLowerCase(), meaning]));
  return queryParameter({
    kind,
    repeatable: false,
    description,
    ...(anyCase && { refusesItself: true }),
    schema: () => ({ ...word(Object.keys(words)).schema, ...(usual === undefined ? {} : { default: usual }) }),
    open: () => ({
      read(value) {
        const meaning = meanings.get(value.text.toLowerCase());
        return meaning === undefined ? undefined : read(meaning, value);
      },
      collect,
    }),
  });
}
