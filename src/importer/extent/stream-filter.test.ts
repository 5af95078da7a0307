import { expect, test } from 'vitest';
import { formatFilterTerms, parseFilterTerms } from './stream-filter.ts';

test.each([
  ['1001', '0.0.1001'],
  ['0.0.1001', '0.0.1001'],
  ['1.2.3', '1.2.3'],
  ['cryptotransfer', 'CRYPTOTRANSFER'],
  ['TOKENMINT, 0.0.9,8 ,CONTRACTCALL,9', '0.0.8,0.0.9,CONTRACTCALL,TOKENMINT'],
])('%s means %s', (text, formatted) => {
  expect(formatFilterTerms(parseFilterTerms(text)!)).toBe(formatted);
});

test.each([
  '',
  ',',
  '0.0',
  '0.0.x',
  '-1',
  'TOKENMINTS',
  '0.0.274877906944',
  '0x00000000000000000000000000000000000003e9',
])('"%s" is neither an entity nor a type', (text) => {
  expect(parseFilterTerms(text)).toBeNull();
});
