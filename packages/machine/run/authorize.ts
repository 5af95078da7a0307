// Authorizations of an Ethereum transaction of type 4 (EIP-7702, HIP-1340): accounts that from now on run the code of
// others.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { delegationCode } from '../base/code.ts';
import { addressLength, readWord, writeWord } from '../base/word.ts';
import { noBytes } from '../frame/frame.ts';
import type { Machine } from '../frame/machine.ts';
import { limits, prices } from '../rules/gas-prices.ts';
import type { AccountState } from '../state/account-state.ts';

export type Authorization = {
  /** Who signed it; null: there is no signer. */
  authority: bigint | null;
  /** Whose code it runs; 0n ends the delegation. */
  code: bigint;
  /** 0n: any. */
  chainId: bigint;
  nonce: bigint;
};

/**
 * What is not valid is skipped. Returns the gas that is left: an authority that is not there is created, which costs
 * what a new account costs. Nothing of it is undone by a transaction that fails.
 */
export function authorize(machine: Machine, list: readonly Authorization[], gas: number): number {
  let left = gas;
  for (const one of list) left -= carryOut(machine, one, left);
  return left;
}

function carryOut(machine: Machine, { authority, code, chainId, nonce }: Authorization, gas: number): number {
  const { world, block } = machine;
  if (authority === null || nonce >= limits.nonce || (chainId !== 0n && chainId !== block.chainId)) return 0;
  const account = world.account(authority);
  world.warm(authority);
  if (!mayDelegate(account) || account.nonce !== nonce) return 0;
  let used = 0;
  if (account.exists) machine.refund += prices.authorizationRefund;
  else {
    used = machine.lazyCreationGas;
    if (used > gas) return 0;
    world.create(account);
  }
  machine.authorities.push(authority);
  world.setNonce(account, nonce + 1n);
  world.setCode(account, code === 0n ? noBytes : delegationCode(writeWord(code, addressLength)));
  return used;
}

function mayDelegate({ exists, facts, code, isCreated }: AccountState): boolean {
  if (!exists) return true;
  const isPlain = facts === null ? !isCreated : facts.kind === 'account';
  return isPlain && (code.bytes.length === 0 || code.delegate !== null);
}

export type AuthorizationSignature = { yParity: number; r: bigint; s: bigint };

const magic = 0x05;
const halfOrder = secp256k1.Point.Fn.ORDER >> 1n;

/** null: the numbers are no signature. */
export function recoverAuthority(
  { chainId, code, nonce }: Omit<Authorization, 'authority'>,
  { yParity, r, s }: AuthorizationSignature,
): bigint | null {
  if (yParity > 1 || s > halfOrder) return null;
  const address = [0x80 + addressLength, ...writeWord(code, addressLength)];
  const fields = [...encodeInteger(chainId), ...address, ...encodeInteger(nonce)];
  const message = keccak_256(Uint8Array.of(magic, 0xc0 + fields.length, ...fields));
  try {
    const key = new secp256k1.Signature(r, s).addRecoveryBit(yParity).recoverPublicKey(message).toBytes(false);
    return readWord(keccak_256(key.subarray(1)), 12, addressLength);
  } catch {
    return null; // Anybody may write numbers that are no signature.
  }
}

/** RLP, up to 9 bytes each: the list stays below 56. */
function encodeInteger(value: bigint): number[] {
  if (value < 0x80n) return [value === 0n ? 0x80 : Number(value)];
  const bytes = writeWord(value, Math.ceil(value.toString(16).length / 2));
  return [0x80 + bytes.length, ...bytes];
}
