// A receipt as Ethereum's nodes hash it (EIP-2718, EIP-658).
import { RLP } from '@ethereumjs/rlp';
import type { toReceipt, toSyntheticReceipt } from './receipt.ts';

export type Receipt = ReturnType<typeof toReceipt> | ReturnType<typeof toSyntheticReceipt>;

export function encodeReceipt({ status, cumulativeGasUsed, logsBloom, logs, type }: Receipt): Uint8Array {
  const encoded = RLP.encode([
    toInteger(status),
    toInteger(cumulativeGasUsed),
    toBytes(logsBloom),
    logs.map(({ address, topics, data }) => [toBytes(address), topics.map(toBytes), toBytes(data)]),
  ]);
  const number = toInteger(type);
  return number.length === 0 ? encoded : Buffer.concat([number, encoded]);
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), 'hex');
}

/** Of a quantity: zero is no byte. */
function toInteger(text: string): Uint8Array {
  return text === '0x0' ? new Uint8Array() : toBytes(text.length % 2 === 0 ? text : `0x0${text.slice(2)}`);
}
