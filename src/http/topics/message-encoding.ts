// `encoding`: how the text of messages is shown. A word with an operator before it is taken, and means the usual one.

import { type QueryParameter, queryParameter } from '../parameters/parameter.ts';
import { word } from '../values/kinds.ts';
import type { MessageEncoding } from './topic-message-members.ts';

const words: ReadonlyMap<string, MessageEncoding> = new Map([
  ['base64', 'base64'],
  ['utf-8', 'utf8'],
  ['utf8', 'utf8'],
]);

export const messageEncoding: QueryParameter<MessageEncoding> = queryParameter({
  kind: 'encoding',
  repeatable: false,
  description: 'How messages are shown: their bytes as base64, or as UTF-8 text.',
  schema: () => ({ ...word([...words.keys()]).schema, default: 'base64' }),
  open: () => ({
    read({ text, raw }): MessageEncoding | undefined {
      const encoding = words.get(text.toLowerCase());
      return encoding && raw !== text ? 'base64' : encoding;
    },
    collect: (values) => values.at(-1) ?? 'base64',
  }),
});
