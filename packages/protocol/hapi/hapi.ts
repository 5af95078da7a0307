// The HAPI protobuf messages, from their official package. int64 fields arrive as `Long`; only `toBigInt` converts
// them, so that no id, amount or timestamp ever passes through `number`.
import { proto } from '@hashgraph/proto';
import Long from 'long';

export { proto };

/**
 * An int64/uint64 protobuf field as exact bigint; absent is 0n, as in protobuf. Always signed, as in the tables and the
 * other mirror: a uint64 of 2^63 or more, which is no amount but may be in a transaction, becomes negative.
 */
export function toBigInt(value: Long | number | null | undefined): bigint {
  if (value === null || value === undefined) return 0n;
  if (typeof value === 'number') return BigInt(value);
  const low = value.low >>> 0;
  return value.high === 0 ? BigInt(low) : (BigInt(value.high | 0) << 32n) | BigInt(low);
}

/** The exact value of a 64-bit field, as decoders give it. */
export function toLong(value: bigint): Long {
  return new Long(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
}
