import { expect, test } from 'vitest';
import { toCreationCodes } from './creation-codes.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const text = (content: string) => Buffer.from(content);

test.each([
  ['nothing', { file: null, initcode: null, parameters: hex('07') }, []],
  ['file', { file: text('6001'), initcode: null, parameters: null }, ['6001']],
  [
    'file with 0x, white space, parameters',
    { file: text('0x60 01\n'), initcode: null, parameters: hex('07') },
    ['600107', '6001'],
  ],
  ['file and sidecar', { file: text('6001'), initcode: hex('600107'), parameters: hex('07') }, ['600107', '6001']],
  ['transaction', { file: null, initcode: hex('6001'), parameters: hex('07') }, ['600107', '6001']],
  ['empty parameters', { file: null, initcode: hex('6001'), parameters: hex('') }, ['6001']],
  ['a file that is no hex', { file: text('hello'), initcode: hex('6001'), parameters: null }, ['6001']],
  ['half a byte', { file: text('600'), initcode: null, parameters: null }, []],
])('%s', (_, sources, codes) => {
  expect(toCreationCodes(sources).map((code) => code.toString('hex'))).toEqual(codes);
});
