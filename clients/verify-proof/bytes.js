// What a document and the bytes in it are read with, strictly: one value has one form.
import { bytesToNumberBE, concatBytes, hexToBytes } from '@noble/curves/utils.js';
import { sha384 } from '@noble/hashes/sha2.js';

/** The document does not show what it says; the message says which part, and why. */
export class ProofRefused extends Error {}
export function check(condition, reason) {
  if (!condition) throw new ProofRefused(reason);
}
export const hash = (...parts) => sha384(concatBytes(...parts));

// Kinds of values in the document: each reads a value, or refuses it.
const text = (form, what, make) => (value, name) => {
  check(typeof value === 'string' && form.test(value), `${name} is not ${what}`);
  return make(value);
};
export const hex = (length = '0,') =>
  text(
    new RegExp(`^([0-9a-f]{2}){${length}}$`),
    length > 0 ? `lowercase hex of ${length} bytes` : 'lowercase hex',
    hexToBytes,
  );
/** Of a ledger. */
export const ledgerIdHex = text(/^([0-9a-f]{64}){1,2}$/, 'lowercase hex of 32 or 64 bytes', hexToBytes);
export const number = text(/^(0|[1-9][0-9]{0,18})$/, 'a whole number as text', BigInt);
export const oneOf = (known) => (value, name) => {
  check(known.includes(value), `${name} is none of ${known.join(', ')}`);
  return value;
};
/** The first shape whose name is a member of the value. */
export const either = (shapes) => (value, name) => {
  const key = Object.keys(shapes).find((one) => Object.hasOwn(Object(value), one));
  check(key, `${name} has none of ${Object.keys(shapes).join(', ')}`);
  return read(shapes[key], value, name);
};
/** A value of a kind, a list of [kind], or an object of exactly the members of a shape. */
export function read(shape, value, name) {
  if (typeof shape === 'function') return shape(value, name);
  if (Array.isArray(shape)) {
    check(Array.isArray(value) && value.length <= 100_000, `${name} is not a list`);
    return value.map((one) => read(shape[0], one, name));
  }
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${name} is not an object`);
  for (const key of Object.keys(value)) check(Object.hasOwn(shape, key), `${name} has a member ${key}`);
  return Object.fromEntries(Object.entries(shape).map(([key, kind]) => [key, read(kind, value[key], key)]));
}

/** Parts of bytes one after the other. */
export function reader(source, name) {
  let at = 0;
  const take = (length) => {
    check(length <= source.length - at, `${name} is cut off`);
    at += length;
    return source.subarray(at - length, at);
  };
  return { take, int32: () => Number(bytesToNumberBE(take(4))), isAtEnd: () => at === source.length };
}

/** Protobuf: [field number, bytes or varint] of each field. */
export function fields(message, name) {
  const { take, isAtEnd } = reader(message, name);
  const varint = (shift = 0n) => {
    const [byte] = take(1);
    check(shift < 64n, `${name} has a varint that does not end`);
    return (BigInt(byte & 127) << shift) + (byte < 128 ? 0n : varint(shift + 7n));
  };
  const found = [];
  while (!isAtEnd()) {
    const tag = varint();
    check([0n, 2n].includes(tag & 7n), `${name} has a field of wire type ${tag & 7n}`);
    found.push([Number(tag >> 3n), tag & 7n ? take(Number(varint())) : varint()]);
  }
  return found;
}
