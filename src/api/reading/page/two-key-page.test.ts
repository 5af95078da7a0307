import { describe, expect, it } from 'vitest';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { parseQueryString } from '../query/query-string.ts';
import { listKeyConditions, refuseUnpageable, type TwoKeys } from './two-key-page.ts';

const keys = { primary: 'token.id', secondary: 'serialnumber' };

function messageFor(text: string, twoKeys: TwoKeys = keys): string | null {
  try {
    refuseUnpageable(listKeyConditions(parseQueryString(text, 100), twoKeys), twoKeys);
    return null;
  } catch (error) {
    if (error instanceof RequestError && error.messages.length === 1) return error.messages[0]!;
    throw error;
  }
}

describe('conditions on two keys', () => {
  it.each([
    '',
    'token.id=5',
    'token.id=gt:5&token.id=lt:9',
    'token.id=5&serialnumber=gt:3&serialnumber=lte:7',
    'token.id=5&serialnumber=3',
    'token.id=gt:5&serialnumber=3',
    'token.id=gte:5&serialnumber=gt:3',
    'token.id=gte:5&token.id=lt:9&serialnumber=gt:3',
    'serialnumber=lt:3&limit=5&token.id=lte:5',
    'token.id=gte:5&token.id=lte:9&serialnumber=gt:3&serialnumber=lt:2',
  ])('go together: %s', (text) => {
    expect(messageFor(text)).toBeNull();
  });

  it.each([
    ['token.id=1&token.id=eq:2', 'Only one equal (eq) operator is allowed for token.id'],
    ['token.id=1&token.id=1', 'Only one equal (eq) operator is allowed for token.id'],
    ['token.id=gt:1&token.id=gte:2', 'Only one gt/gte operator is allowed for token.id'],
    ['serialnumber=lt:1&serialnumber=lte:2', 'Only one lt/lte operator is allowed for serialnumber'],
    ['token.id=ne:1', 'Not equal (ne) operator is not supported for token.id'],
    // The first condition in the query counts, of either key.
    ['serialnumber=ne:1&token.id=1&token.id=2', 'Not equal (ne) operator is not supported for serialnumber'],
    ['token.id=1&token.id=2&serialnumber=ne:1', 'Only one equal (eq) operator is allowed for token.id'],
    ['token.id=1&token.id=gt:2', "Can't support both range and equal for token.id"],
    ['token.id=5&serialnumber=1&serialnumber=lt:2', "Can't support both range and equal for serialnumber"],
    ['serialnumber=1', 'serialnumber without a token.id parameter filter'],
    ['serialnumber=gt:1', 'serialnumber without a token.id parameter filter'],
    ['token.id=gt:5&serialnumber=gt:3', 'token.id must have gte or eq operator'],
    ['token.id=lte:5&serialnumber=gte:3', 'token.id must have gte or eq operator'],
    ['token.id=lt:5&serialnumber=lt:3', 'token.id must have lte or eq operator'],
    ['token.id=gte:5&serialnumber=lt:3', 'token.id must have lte or eq operator'],
    ['token.id=gt:5&token.id=lt:9&serialnumber=lt:3&serialnumber=gt:1', 'token.id must have gte or eq operator'],
  ])('are refused: %s', (text, message) => {
    expect(messageFor(text)).toBe(message);
  });

  it.each([
    ['index=1', 'timestamp must have eq operator'],
    ['timestamp=gte:5&index=1', 'timestamp must have eq operator'],
    ['timestamp=5&index=1', null],
    ['index=gt:1', 'index without a timestamp parameter filter'],
  ])('if an exact value needs an exact first key: %s', (text, message) => {
    expect(messageFor(text, { primary: 'timestamp', secondary: 'index', exactTogether: true })).toBe(message);
  });
});
