// Why a contract gave up: the error that it returned, as the ABI and Solidity say it.

import type { Abi } from '../../../packages/abi/abi.ts';
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { readRevert } from '../../calls/names/usual-names.ts';
import { decodedCall } from './decoded-call.ts';
import { foreignText } from './foreign-text.ts';

const maxText = 200;

/** null = the data is no error that is known. */
export function revertWords(abi: Abi | null, data: Buffer): Markup | null {
  const error = readRevert(abi, data);
  if (error === null) return null;
  const [first] = error.arguments;
  const value = typeof first?.value === 'string' ? first.value : '';
  if (error.signature === 'Error(string)')
    return html`It said: ${foreignText(value, { max: maxText, none: 'nothing' })}`;
  if (error.signature === 'Panic(uint256)') {
    return html`Panic ${value}: ${panics[value] ?? 'a check of the compiler failed'}`;
  }
  return decodedCall(error, 'Arguments of the error');
}

/** https://docs.soliditylang.org/en/v0.8.28/control-structures.html#panic-via-assert-and-error-via-require */
const panics: Readonly<Record<string, string>> = {
  1: 'an assertion failed',
  17: 'an arithmetic operation overflowed',
  18: 'a division by zero',
  33: 'a value that its enumeration does not have',
  34: 'a byte array in storage with a wrong encoding',
  49: 'an item was taken from an empty array',
  50: 'an index outside of an array',
  65: 'more memory than there is',
  81: 'a call of a function that was never set',
};
