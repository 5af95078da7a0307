// What the document and its parts are read with. Everything is read strictly: one value has one form.
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

/** Lowercase hex, of this many bytes. */
export function bytes(text, name, length) {
  check(typeof text === 'string' && /^([0-9a-f]{2})*$/.test(text), `${name} is not lowercase hex`);
  const value = hexToBytes(text);
  check(length === undefined || value.length === length, `${name} has ${value.length} bytes, not ${length}`);
  return value;
}

export function number(text, name) {
  check(typeof text === 'string' && /^(0|[1-9][0-9]{0,18})$/.test(text), `${name} is not a whole number as text`);
  return BigInt(text);
}

/** An object of exactly these members, a list behind `?` of those that it may have. */
export function members(value, name, required, optional = []) {
  check(typeof value === 'object' && value !== null && !Array.isArray(value), `${name} is not an object`);
  for (const key of required) check(Object.hasOwn(value, key), `${name} has no ${key}`);
  for (const key of Object.keys(value)) check([...required, ...optional].includes(key), `${name} has a member ${key}`);
  return value;
}

export function list(value, name) {
  check(Array.isArray(value) && value.length <= 100_000, `${name} is not a list`);
  return value;
}

/** Parts of bytes one after the other; `end` refuses what is left. */
export function reader(source, name) {
  let at = 0;
  const take = (length) => {
    check(length <= source.length - at, `${name} is cut off`);
    at += length;
    return source.subarray(at - length, at);
  };
  const varint = () => {
    for (let value = 0n, shift = 0n; shift < 64n; shift += 7n) {
      const [byte] = take(1);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    return check(false, `${name} has a varint that does not end`);
  };
  return {
    take,
    varint,
    isAtEnd: () => at === source.length,
    int32: () => Number(bytesToNumberBE(take(4))),
    word: () => bytesToNumberLE(take(8)),
    scalar: (order) => {
      const value = bytesToNumberLE(take(32));
      check(value < order, `${name} has a number that is not below its modulus`);
      return value;
    },
    end: () => check(at === source.length, `${name} has bytes behind its end`),
  };
}

/** Protobuf: [field number, bytes or varint] of each field. */
export function fields(message, name) {
  const from = reader(message, name);
  const found = [];
  while (!from.isAtEnd()) {
    const tag = from.varint();
    check([0n, 2n].includes(tag & 7n), `${name} has a field of wire type ${tag & 7n}`);
    found.push([Number(tag >> 3n), tag & 7n ? from.take(Number(from.varint())) : from.varint()]);
  }
  return found;
}
