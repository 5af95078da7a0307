import { expect, test } from 'vitest';
import { readMinimalProxy } from './minimal-proxy.ts';

const target = 'bebebebebebebebebebebebebebebebebebebebe';

test.each([
  // The example of EIP-1167.
  ['EIP-1167', `363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`, target],
  ['with arguments behind', `363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3${'00'.repeat(64)}`, target],
  // The vanity example of EIP-1167: an address with four leading zero bytes and a jump to 0x27.
  [
    'short address',
    `363d3d373d3d3d363d6f${'be'.repeat(16)}5af43d82803e903d91602757fd5bf3`,
    `${'00'.repeat(4)}${'be'.repeat(16)}`,
  ],
  ['a byte shorter', `3d3d3d3d363d3d37363d73${target}5af43d3d93803e602a57fd5bf3`, target],
  ['EIP-7511', `365f5f375f5f365f73${target}5af43d5f5f3e5f3d91602a57fd5bf3`, target],
])('%s', (_, code, address) => {
  expect(readMinimalProxy(Buffer.from(code, 'hex'))).toBe(`0x${address}`);
});

test.each([
  ['nothing', ''],
  ['other code', '6080604052348015600f57600080fd5b50'],
  ['a jump to elsewhere', `363d3d373d3d3d363d73${target}5af43d82803e903d91602c57fd5bf3`],
  ['cut off', `363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd`],
])('%s is none', (_, code) => {
  expect(readMinimalProxy(Buffer.from(code, 'hex'))).toBeNull();
});
