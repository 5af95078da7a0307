import { expect, it } from 'vitest';
import { encodeCall } from '../../../packages/test-support/evm/signer-abi.ts';
import { selectorOf } from '../../abi/selector.ts';
import { systemContracts } from './system-contracts.ts';

it('has a table for every address', () => {
  expect([...systemContracts.keys()]).toEqual([0x167n, 0x168n, 0x169n, 0x16an, 0x16bn, 0x16cn, 0x16en]);
});

it('redirects with the selector that proxies of tokens have', () => {
  const call = encodeCall('redirectForToken(address,bytes)', [5n, Uint8Array.of(1)]);
  expect(Buffer.from(call).toString('hex', 0, 4)).toBe('618dc65e');
  expect(selectorOf('redirectForToken(address,bytes)')).toBe(0x618dc65e);
});
