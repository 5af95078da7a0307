// One of a few words, as the dialect spells words; of several the last.
import { word } from '../../values/kinds.ts';
import { type QueryParameter, queryParameter } from '../query/parameter.ts';

type Options<W extends string> = {
  /** By which tests know how to make such texts. */
  kind: string;
  description: string;
  words: readonly W[];
};

/** null where it is not given. */
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
