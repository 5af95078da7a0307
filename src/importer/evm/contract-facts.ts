// What contract results, logs and Ethereum transactions have in common: small pure rules over one item. Nothing here
// reads or writes rows.

import type { proto } from '../../protocol/hapi/hapi.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';

export const emptyBytes: Uint8Array = new Uint8Array(0);

/** What the EVM returned, of a creation or a call; null when the record holds neither. */
export function contractFunctionResult(record: proto.ITransactionRecord): proto.IContractFunctionResult | null {
  return record.contractCreateResult ?? record.contractCallResult ?? null;
}

export function isContractCallOrCreate(type: number): boolean {
  return type === typeNumber.contractCall || type === typeNumber.contractCreateInstance;
}

/** 256 zero bytes are kept as an empty value. */
export function compactBloom(bloom: Uint8Array | null | undefined): Uint8Array {
  if (!bloom || bloom.every((byte) => byte === 0)) return emptyBytes;
  return bloom;
}

/** A log topic without its leading zero bytes; a topic of zeros only keeps one. null stays null. */
export function trimTopic(topic: Uint8Array | undefined): Uint8Array | null {
  if (!topic) return null;
  let start = 0;
  while (start < topic.length - 1 && topic[start] === 0) start += 1;
  return topic.subarray(start);
}

/** A value without its leading zero bytes; one of zeros only is empty. */
export function trimWord(value: Uint8Array): Uint8Array {
  const start = value.findIndex((byte) => byte !== 0);
  return start < 0 ? emptyBytes : value.subarray(start);
}

/** Bytes of a file that holds code or call data as hex text, optionally behind `0x`. null when it is not hex. */
export function decodeHexFile(contents: Uint8Array): Uint8Array | null {
  const text = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength).toString('latin1').trim();
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return null;
  return Buffer.from(digits, 'hex');
}
