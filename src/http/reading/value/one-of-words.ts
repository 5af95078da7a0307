// One of a few words, in any case and with any operator before it, which means nothing.
import { word } from '../../values/kinds.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';
import type { RawValue } from '../query/query-parameters.ts';

type Options<V, T> = {
  /** By which tests know how to make such texts. */
  kind: string;
  description: string;
  /** What each word means, by the word in lower case. */
  words: Readonly<Record<string, V>>;
  /** Of what was given; empty where nothing was. */
  collect(values: readonly V[]): T;
  /** The word that is meant where none is given, for the document. */
  usual?: string;
  /** Where an operator before a word means something after all. */
  read?(meaning: V, value: RawValue): V;
};

export function oneOfWords<V, T>(options: Options<V, T>): QueryParameter<T> {
  const { kind, description, words, collect, usual, read = (meaning) => meaning } = options;
  const meanings = new Map(Object.entries(words));
  return queryParameter({
    kind,
    repeatable: false,
    description,
    schema: () => ({ ...word([...meanings.keys()]).schema, ...(usual === undefined ? {} : { default: usual }) }),
    open: () => ({
      read(value) {
        const meaning = meanings.get(value.text.toLowerCase());
        return meaning === undefined ? undefined : read(meaning, value);
      },
      collect,
    }),
  });
}
