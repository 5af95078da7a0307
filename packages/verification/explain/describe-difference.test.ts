import { expect, test } from 'vitest';
import type { ComparedCode } from './compared-contract.ts';
import { describeDifference } from './describe-difference.ts';

const auxdata = 'a164736f6c6343000813000a';

test.each<[string, string | null, string, string | null, string]>([
  [
    'one byte',
    '0x60016002',
    '0x60016003',
    null,
    'Both have 4 bytes. They first differ at byte 3: 0x02 on chain, 0x03 compiled; 1 byte differs in all.',
  ],
  [
    'several bytes, of which eight are shown',
    '0x00112233445566778899',
    '0xff112233445566778800',
    null,
    'Both have 10 bytes. They first differ at byte 0: 0x0011223344556677 on chain, 0xff11223344556677 compiled; 2 bytes differ in all.',
  ],
  [
    'what was filled in is no difference',
    '0x60ff6002',
    '0x60006003',
    '0x60ff6003',
    'Both have 4 bytes. They first differ at byte 3: 0x02 on chain, 0x03 compiled; 1 byte differs in all.',
  ],
  [
    'lengths',
    '0x6001600200',
    '0x60016003',
    null,
    'On chain there are 5 bytes, compiled 4. They first differ at byte 3: 0x0200 on chain, 0x03 compiled.',
  ],
  [
    'more on chain',
    '0x60016002ff',
    '0x60016002',
    null,
    'On chain there are 5 bytes, compiled 4. The compiled code is the beginning of what is on chain; what follows are not its constructor arguments.',
  ],
  [
    'less on chain',
    '0x6001',
    '0x60016002',
    null,
    'On chain there are 2 bytes, compiled 4. The code on chain is the beginning of the compiled code.',
  ],
  [
    'in the metadata',
    `0x6001fe${auxdata}`,
    `0x6001fe${auxdata.replace('13', '14')}`,
    null,
    'Both have 15 bytes. They first differ at byte 12 (in the metadata): 0x13000a on chain, 0x14000a compiled; 1 byte differs in all.',
  ],
  ['unknown', null, '0x6001', null, 'The code on chain is not known.'],
])('%s', (_, onchain, compiled, filled, sentences) => {
  const side: ComparedCode = { match: null, onchain, compiled, filled, values: {} };
  expect(describeDifference(side)).toBe(sentences);
});
