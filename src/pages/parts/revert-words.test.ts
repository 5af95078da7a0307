// Why a contract gave up.
import { expect, it } from 'vitest';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import { revertWords } from './revert-words.ts';

const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');
const show = (digits: string, abi = null as Parameters<typeof revertWords>[0]): string | undefined =>
  revertWords(abi, hex(digits))?.markup;
const text = (sentence: string): string => {
  const bytes = Buffer.from(sentence);
  return `08c379a0${word(32n)}${word(BigInt(bytes.length))}${bytes.toString('hex').padEnd(Math.ceil(bytes.length / 32) * 64, '0')}`;
};

it('a sentence, a panic, an error of the ABI', () => {
  expect(show(text('not today'))).toContain('<bdi>not today</bdi>');
  expect(show(text('<script>'))).not.toContain('<script>');
  expect(show(`4e487b71${word(17n)}`)).toContain('Panic 17: an arithmetic operation overflowed');
  expect(show(`4e487b71${word(999n)}`)).toContain('Panic 999: a check');
  const inputs = [{ name: 'need', type: 'uint256' }];
  const abi = readAbi([{ type: 'error', name: 'TooPoor', inputs }]);
  expect(show(`${abi.errors[0]!.selector}${word(1234n)}`, abi)).toMatch(/TooPoor\(uint256\).*need.*1,234/s);
});

it.each(['', '08c379a0', 'deadbeef', `08c379a0${word(2n ** 255n)}`])('%s is no error that is known', (digits) => {
  expect(show(digits)).toBeUndefined();
});
