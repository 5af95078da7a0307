import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAuxdata } from './auxdata.ts';

const ipfs = `1220${'ab'.repeat(32)}`;

test.each([
  [
    'ipfs hash and release',
    `a264697066735822${ipfs}64736f6c63430008130033`,
    { hash: { kind: 'ipfs', hex: ipfs }, compiler: '0.8.19' },
  ],
  [
    'swarm hash, no compiler',
    `a165627a7a72305820${'cd'.repeat(32)}0029`,
    { hash: { kind: 'bzzr0', hex: 'cd'.repeat(32) }, compiler: null },
  ],
  ['compiler only', 'a164736f6c6343000813000a', { hash: null, compiler: '0.8.19' }],
  ['experimental', 'a26c6578706572696d656e74616cf564736f6c6343000813' + '0018', { hash: null, compiler: '0.8.19' }],
])('%s', (_, auxdata, expected) => {
  const read = readAuxdata(`0x6001fe${auxdata}`);
  expect(read).toEqual({ hex: `0x${auxdata}`, offset: 3, ...expected });
});

test.each([
  ['nothing', '0x'],
  ['code without a map', '0x6080604052600080fd'],
  ['length beyond the code', '0x6001ffff'],
  ['length zero', '0x60010000'],
  ['a map with rest', '0x60a164736f6c634300081300000b'],
  ['a map cut off', '0x60a264736f6c63430008130009'],
])('%s is none', (_, code) => {
  expect(readAuxdata(code)).toBeNull();
});

test('no bytes make it fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, fit) => {
      const end = fit ? Buffer.from([0, bytes.length]) : Buffer.alloc(0);
      readAuxdata(`0x${Buffer.concat([bytes, end]).toString('hex')}`);
    }),
  );
});
