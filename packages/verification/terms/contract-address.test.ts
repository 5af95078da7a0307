import { expect, it } from 'vitest';
import { toChecksumAddress } from '../../abi/checksum-address.ts';
import { parseContractAddress } from './contract-address.ts';

// The examples of EIP-55.
const checksummed = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

it.each(checksummed)('%s in every form that is right', (address) => {
  const small = address.toLowerCase();
  expect(toChecksumAddress(small)).toBe(address);
  for (const form of [address, address.slice(2), small, `0x${address.slice(2).toUpperCase()}`]) {
    expect(parseContractAddress(form)).toBe(small);
  }
});

it.each([
  ['a wrong letter', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['too short', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
  ['too long', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0'],
  ['0X', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['white space', ' 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['a newline after it', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n'],
  ['an entity id where none is meant', '0.0.1234'],
  ['nothing', ''],
])('%s is no address', (_case, text) => {
  expect(parseContractAddress(text)).toBeNull();
});

it('entity ids stand for long-zero addresses', () => {
  const system = { shard: 0n, realm: 0n };
  expect(parseContractAddress('0.0.1015', system)).toBe('0x00000000000000000000000000000000000003f7');
  expect(parseContractAddress('0.0.', system)).toBeNull();
});

it('entity ids of another shard or realm stand for nothing here, as the address would not tell them apart', () => {
  const system = { shard: 1n, realm: 2n };
  expect(parseContractAddress('1.2.1015', system)).toBe('0x00000000000000000000000000000000000003f7');
  for (const id of ['0.0.1015', '1.0.1015', '0.2.1015']) expect(parseContractAddress(id, system)).toBeNull();
});
