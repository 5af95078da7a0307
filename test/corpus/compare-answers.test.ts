import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../src/store/read/parse-exact-json.ts';
import { differences } from './compare-answers.ts';

describe('differences', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1}', []],
    ['9007199254740993', '9007199254740992', ['$: "9007199254740992n", expected "9007199254740993n"']],
    ['{"a":null}', '{}', ['$.a: absent, expected null']],
    ['{}', '{"a":1}', ['$.a: "1n", expected absent']],
    ['[1,2]', '[1]', ['$: 1 items, expected 2']],
    ['{"a":[{"b":"1"}]}', '{"a":[{"b":1}]}', ['$.a[0].b: "1n", expected "1"']],
    ['{"a":[]}', '{"a":{}}', ['$.a: {}, expected []']],
  ])('%s against %s', (expected, actual, problems) => {
    expect(differences(parseExactJson(expected), parseExactJson(actual))).toEqual(problems);
  });
});
