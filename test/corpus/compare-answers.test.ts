import { describe, expect, it } from 'vitest';
import { parseExactJson } from '../../packages/store/read/parse-exact-json.ts';
import { differences } from './compare-answers.ts';
import { takeLaterMembers } from './later-members.ts';

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

describe('members of later versions', () => {
  const take = (url: string, text: string) => {
    const body = parseExactJson(text);
    return { problems: takeLaterMembers(url, body), left: body };
  };

  it.each([
    ['/api/v1/contracts/results?limit=1', '{"results":[{"child":true,"a":1}]}', '{"results":[{"a":1}]}', []],
    [
      '/api/v1/contracts/0.0.5/results',
      '{"results":[{"a":1}]}',
      '{"results":[{"a":1}]}',
      ['child (since 0.166): undefined'],
    ],
    [
      '/api/v1/contracts/results/0.0.5-1-1',
      '{"call_result":null,"child":0}',
      '{"call_result":null}',
      ['child (since 0.166): 0'],
    ],
    ['/api/v1/contracts/results/0.0.5-1-1', '{"_status":{"child":true}}', '{"_status":{"child":true}}', []],
    ['/api/v1/transactions', '{"results":[{"child":true}]}', '{"results":[{"child":true}]}', []],
  ] as const)('of %s: %s', (url, text, left, problems) => {
    expect(take(url, text)).toEqual({ problems, left: parseExactJson(left) });
  });
});
