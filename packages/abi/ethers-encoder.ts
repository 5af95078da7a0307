// The only use of the ABI coder of ethers, which encodes what a person typed. It is big, so this file is imported when first needed.
import { AbiCoder } from 'ethers/abi';
import type { EthersValue } from './parse-argument.ts';

/** `types`: as in signatures. The values are of these types. */
export function encodeValues(types: readonly string[], values: readonly EthersValue[]): Buffer {
  return Buffer.from(
    AbiCoder.defaultAbiCoder()
      .encode(types.map(toEthersType), [...values])
      .slice(2),
    'hex',
  );
}

/** It wants a word before the parentheses of tuples, and does not know the type `function`. */
function toEthersType(type: string): string {
  return type.replaceAll('(', 'tuple(').replaceAll('function', 'bytes24');
}
