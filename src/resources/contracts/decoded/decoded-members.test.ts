import { expect, test } from 'vitest';
import { text } from '../../../api/values/kinds.ts';
import { members } from '../../../api/values/members.ts';
import { decodedOfLog } from './decoded-members.ts';

test('a value that is not whole says how much was omitted', () => {
  const whole = { name: 'to', type: 'address', value: `0x${'0'.repeat(40)}` };
  const cut = { name: 'ids', type: 'uint256[]', value: [{ name: '', type: 'uint256', value: '7' }], omitted: 41 };
  const decoded = { name: 'Moved', signature: 'Moved(address,uint256[])', arguments: [whole, cut] };
  const answer = members({ address: text, ...decodedOfLog }).write({ address: '0x1', decoded });
  expect(JSON.parse(answer)).toEqual({ address: '0x1', decoded });
});
