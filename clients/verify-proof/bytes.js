// What the document and its parts are read with, strictly: one value has one form.
import { bytesToNumberBE, bytesToNumberLE, concatBytes, hexToBytes, numberToBytesBE } from '@noble/curves/utils.js';
import { sha384 } from '@noble/hashes/sha2.js';

/** The proof does not show what it says; the message says which part, and why. */
export class ProofRefused extends Error {}

export function check(condition, reason) {
  if (!condition) throw new ProofRefused(reason);
}

export const same = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]);
export const hash = (...parts) => sha384(concatBytes(...parts));
export const int = (value, length) => numberToBytesBE(value, length);

/** Kinds of values in the document, from here on: each reads a value, or refuses it. */
export const hex = (length) => (value, name) => {
  check(typeof value === 'string' && /^([0-9a-f]{2})*$/.test(value), `${name} is not lowercase hex`);
  check(length === undefined || value.length === 2 * length, `${name} has not ${length} bytes`);
  return hexToBytes(value);
};

export function number(value, name) {
  check(typeof value === 'string' && /^(0|[1-9][0-9]{0,18})$/.test(value), `${name} is not a whole number as text`);
  return BigInt(value);
}

export const oneOf = (known) => (value, name) => {
  check(known.includes(value), `${name} is none of ${known.join(', ')}`);
  return value;
};

export const list = (kind) => (value, name) => {
  check(Array.isArray(value) && value.length <= 100_000, `${name} is not a list`);
  return value.map((one) => kind(one, name));
};

/** Of exactly these members. */
export const object = (shape) => (value, name) => {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${name} is not an object`);
  for (const key of Object.keys(value)) check(Object.hasOwn(shape, key), `${name} has a member ${key}`);
  return Object.fromEntries(Object.entries(shape).map(([key, kind]) => [key, kind(value[key], key)]));
};

/** The first kind whose name is a member of the value. */
export const either = (kinds) => (value, name) => {
  const key = Object.keys(kinds).find((one) => Object.hasOwn(Object(value), one));
  check(key, `${name} has none of ${Object.keys(kinds).join(', ')}`);
  return kinds[key](value, name);
};

/** Parts of bytes one after the other. */
export function reader(source, name) {
  let at = 0;
  const take = (length) => {
    check(length <= source.length - at, `${name} is cut off`);
    at += length;
    return source.subarray(at - length, at);
  };
  const varint = (shift = 0n) => {
    const [byte] = take(1);
    check(shift < 64n, `${name} has a varint that does not end`);
    return (BigInt(byte & 127) << shift) + (byte < 128 ? 0n : varint(shift + 7n));
  };
  const scalar = (order) => {
    const value = bytesToNumberLE(take(32));
    check(value < order, `${name} has a number that is not below its modulus`);
    return value;
  };
  const word = () => bytesToNumberLE(take(8));
  return {
    take,
    varint,
    scalar,
    word,
    int32: () => Number(bytesToNumberBE(take(4))),
    isAtEnd: () => at === source.length,
  };
}

/** Protobuf: [field number, bytes or varint] of each field. */
export function fields(message, name) {
  const [from, found] = [reader(message, name), []];
  while (!from.isAtEnd()) {
    const tag = from.varint();
    check([0n, 2n].includes(tag & 7n), `${name} has a field of wire type ${tag & 7n}`);
    found.push([Number(tag >> 3n), tag & 7n ? from.take(Number(from.varint())) : from.varint()]);
  }
  return found;
}
