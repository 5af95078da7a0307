import { expect, it } from 'vitest';
import { findAddressSlot } from './storage-layout.ts';

const names = ['_implementation', 'implementation'];
const slot = (number: number) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');
const variable = (members: object) => ({
  label: '_implementation',
  offset: 0,
  slot: '1',
  type: 't_address',
  ...members,
});

it.each<[string, unknown, Buffer | null]>([
  ['an address', { storage: [variable({ label: '_owner', slot: '0' }), variable({})] }, slot(1)],
  ['a contract', { storage: [variable({ type: 't_contract(IBeacon)12', slot: '300' })] }, slot(300)],
  ['of another name', { storage: [variable({ label: 'owner' })] }, null],
  ['not alone in its slot', { storage: [variable({ offset: 12 })] }, null],
  ['no address', { storage: [variable({ type: 't_uint256' })] }, null],
  [
    'a slot that is none',
    { storage: [variable({ slot: '0x1' }), variable({ slot: 1 }), variable({ slot: '9'.repeat(80) })] },
    null,
  ],
  ['a slot beyond 256 bits', { storage: [variable({ slot: '9'.repeat(78) })] }, null],
  ['things that are no variables', { storage: [null, 7, 'x', []] }, null],
  ['no list', { storage: {} }, null],
  ['no layout', null, null],
])('%s', (_case, layout, expected) => {
  expect(findAddressSlot(layout, names)).toEqual(expected);
});
