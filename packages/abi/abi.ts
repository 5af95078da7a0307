// A contract's interface, as it is used: what can be called, what is logged, what calls fail with.
import type { AbiParameter } from './abi-type.ts';

export type AbiFunction = {
  name: string;
  /** e.g. `transfer(address,uint256)` */
  signature: string;
  /** First 4 bytes of the signature's Keccak-256, as 8 lower-case hex digits. */
  selector: string;
  inputs: AbiParameter[];
  outputs: AbiParameter[];
  mutability: 'pure' | 'view' | 'nonpayable' | 'payable';
};

export type AbiEvent = {
  name: string;
  signature: string;
  /** Keccak-256 of the signature, as 64 lower-case hex digits. */
  topic: string;
  /** Its logs do not begin with `topic`. */
  isAnonymous: boolean;
  inputs: (AbiParameter & { isIndexed: boolean })[];
};

export type AbiError = Pick<AbiFunction, 'name' | 'signature' | 'selector' | 'inputs'>;

export type Abi = {
  functions: AbiFunction[];
  events: AbiEvent[];
  errors: AbiError[];
  /** Of the constructor; empty without one. */
  creation: AbiParameter[];
  /** Whether calls without data have a function of their own. */
  hasReceive: boolean;
};

/**
 * The interface of a proxy and of what it forwards to, the proxy's own first: it answers what it knows itself. Created
 * with the proxy's constructor.
 */
export function joinAbis(own: Abi, behind: Abi): Abi {
  const selectors = new Set(own.functions.map(({ selector }) => selector));
  return {
    functions: [...own.functions, ...behind.functions.filter(({ selector }) => !selectors.has(selector))],
    events: [...own.events, ...behind.events],
    errors: [...own.errors, ...behind.errors],
    creation: own.creation,
    hasReceive: own.hasReceive || behind.hasReceive,
  };
}

export const emptyAbi: Abi = { functions: [], events: [], errors: [], creation: [], hasReceive: false };
