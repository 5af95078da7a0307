// `encoding`: how the text of messages is shown. A word with an operator is accepted, and means the default.
import { oneOfWords } from '../../api/reading/value/one-of-words.ts';
import type { MessageEncoding } from './topic-message-members.ts';

const words: Readonly<Record<string, MessageEncoding>> = { base64: 'base64', 'utf-8': 'utf8', utf8: 'utf8' };

export const messageEncoding = oneOfWords({
  kind: 'encoding',
  description: 'How messages are shown: their bytes as base64, or as UTF-8 text.',
  words,
  usual: 'base64',
  read: (encoding, { text, raw }) => (raw === text ? encoding : 'base64'),
  collect: (encodings) => encodings.at(-1) ?? 'base64',
});
