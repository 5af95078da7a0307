// The compiled contracts of contracts/*.sol, and calls to them in ABI encoding (static arguments, strings and bytes).

import { parseParameters } from '../../abi/abi-type.ts';
import { encodeValues as encodeAbi } from '../../abi/encode-values.ts';
import artifacts from '../contracts/artifacts.json' with { type: 'json' };
import collections from '../contracts/collections.json' with { type: 'json' };
import probes from '../contracts/probes.json' with { type: 'json' };

export type ContractName = keyof typeof artifacts.contracts;
/** Those that do what contracts do seldom. */
export type ProbeName = keyof typeof probes.contracts;
/** Those that keep tokens of several kinds. */
export type CollectionName = keyof typeof collections.contracts;
/** Of a constructor or function: none of our contracts takes lists. */
export type ArgumentValue = bigint | boolean | string | Uint8Array;

const compiled = { ...artifacts.contracts, ...probes.contracts, ...collections.contracts };

export function initcodeOf(name: ContractName | ProbeName | CollectionName): Buffer {
  return Buffer.from(compiled[name].initcode, 'hex');
}

/** Call data for a method named with its signature, e.g. `transfer(address,uint256)`. */
export function encodeCall(
  name: ContractName | ProbeName | CollectionName,
  signature: string,
  values: readonly ArgumentValue[] = [],
): Buffer {
  const methods: Record<string, string> = compiled[name].methods;
  const selector = methods[signature];
  if (!selector) throw new Error(`${name} has no method ${signature}`);
  return Buffer.concat([Buffer.from(selector, 'hex'), encodeValues(values)]);
}

/** Each as what it looks like: 20 bytes are an address, 32 a word, others and text have a length. */
export function encodeValues(values: readonly ArgumentValue[]): Buffer {
  const types = values.map(typeOf);
  const encoded = values.map((value, index) => (types[index] === 'address' ? toInteger(value as Uint8Array) : value));
  return encodeAbi(parseParameters(`(${types.join(',')})`), encoded);
}

function typeOf(value: ArgumentValue): string {
  if (typeof value === 'bigint') return 'uint256';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return value.length === 20 ? 'address' : value.length === 32 ? 'bytes32' : 'bytes';
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
