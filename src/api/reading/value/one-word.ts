// One of a few words, in the dialect's spelling; the last of several counts.
import { word } from '../../values/kinds.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';

type Options<W extends string> = {
  /** Tests use it to make such texts. */
  kind: string;
  description: string;
  words: readonly W[];
};

/** null if absent. */
export function oneWord<W extends string>({ kind, description, words }: Options<W>): QueryParameter<W | null> {
  return queryParameter({
    kind,
    repeatable: false,
    description,
    schema: () => word(words).schema,
    open({ dialect: { toWord } }) {
      const spelled = new Map(words.map((one) => [toWord(one), one]));
      return {
        read: ({ operator, text }) => (operator === 'eq' ? spelled.get(toWord(text)) : undefined),
        collect: (values) => values.at(-1) ?? null,
      };
    },
  });
}
