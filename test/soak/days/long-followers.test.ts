import { expect, it } from 'vitest';
import { compareLists } from './long-followers.ts';

const stored = ['1 0xa', '2 0xb', '3 0xc'];

it.each<[string, readonly string[], string[]]>([
  ['all', stored, []],
  ['one is missing', ['1 0xa', '3 0xc'], ['heads: 3 0xc came in place of 2 0xb, as number 2']],
  ['one came twice', ['1 0xa', '1 0xa', '2 0xb', '3 0xc'], ['heads: 1 0xa came in place of 2 0xb, as number 2']],
  ['the last did not come', ['1 0xa', '2 0xb'], ['heads: nothing came in place of 3 0xc, as number 3']],
  ['one too many came', [...stored, '4 0xd'], ['heads: 4 0xd came in place of the end, as number 4']],
])('%s', (_name, seen, sentences) => {
  expect(compareLists('heads', seen, stored)).toEqual(sentences);
});
