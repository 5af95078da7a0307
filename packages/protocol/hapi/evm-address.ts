// EVM addresses: the long-zero form of an entity (12 zero bytes, then its number; shard and realm are not in it) and
// the address of an account alias.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak256 } from '../keccak256.ts';
import { decodeEntityId, type EntityId, maxNum } from './entity-id.ts';
import { proto } from './hapi.ts';

export const evmAddressLength = 20;
const zeroPrefixLength = 12;
const compressedKeyLength = 33;

export function toLongZeroAddress(id: EntityId): Buffer {
  const address = Buffer.alloc(evmAddressLength);
  address.writeBigUInt64BE(decodeEntityId(id).num, zeroPrefixLength);
  return address;
}

/** Whether the address is 20 bytes long and begins with 12 zero bytes; the zero address does too. */
export function isLongZeroAddress(address: Uint8Array): boolean {
  if (address.length !== evmAddressLength) return false;
  for (let index = 0; index < zeroPrefixLength; index++) if (address[index] !== 0) return false;
  return true;
}

/** The entity of a long-zero address; 0n if its number is beyond what an entity can have. */
export function fromLongZeroAddress(address: Uint8Array): EntityId {
  const num = Buffer.from(address.buffer, address.byteOffset, address.length).readBigUInt64BE(zeroPrefixLength);
  return num > maxNum ? 0n : num;
}

/**
 * The EVM address of an alias: the alias itself if it is 20 bytes long, the address of the key if it is a serialized
 * ECDSA secp256k1 Key. null for other aliases.
 */
export function aliasToEvmAddress(alias: Uint8Array): Buffer | null {
  if (alias.length === evmAddressLength) return Buffer.from(alias);
  let publicKey: Uint8Array | null | undefined;
  try {
    publicKey = proto.Key.decode(alias).ECDSASecp256k1;
  } catch {
    return null; // Aliases are any bytes; one that is no key has no address.
  }
  return publicKey?.length === compressedKeyLength ? keyToEvmAddress(publicKey) : null;
}

/** The address of a compressed secp256k1 public key (33 bytes); null if the bytes are no point of the curve. */
export function keyToEvmAddress(publicKey: Uint8Array): Buffer | null {
  let point: Uint8Array;
  try {
    point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  } catch {
    return null;
  }
  return keccak256(point.subarray(1)).subarray(zeroPrefixLength);
}
