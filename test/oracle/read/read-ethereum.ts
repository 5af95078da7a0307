// Decodes an Ethereum transaction by position, as the Ethereum specifications list the members.
import { type NestedUint8Array, RLP } from '@ethereumjs/rlp';

export type ReadEthereum = {
  type: number;
  chainId: Buffer;
  nonce: bigint;
  gasPrice: Buffer | null;
  maxPriorityFee: Buffer | null;
  maxFee: Buffer | null;
  gasLimit: bigint;
  to: Buffer;
  value: bigint;
  data: Buffer;
  accessList: { address: string; storageKeys: string[] }[];
  v: bigint;
  r: Buffer;
  s: Buffer;
};

const members: Record<number, string[]> = {
  0: ['nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gasLimit', 'to', 'value', 'data', 'accessList', 'v', 'r', 's'],
  2: ['chainId', 'nonce', 'priority', 'maxFee', 'gasLimit', 'to', 'value', 'data', 'accessList', 'v', 'r', 's'],
  4: 'chainId nonce priority maxFee gasLimit to value data accessList authorizations v r s'.split(' '),
};

/** null if the bytes are not an Ethereum transaction. */
export function readEthereum(raw: Uint8Array): ReadEthereum | null {
  const type = raw[0]! > 0x7f ? 0 : raw[0]!;
  let list: NestedUint8Array;
  try {
    list = RLP.decode(type === 0 ? raw : raw.subarray(1)) as NestedUint8Array;
  } catch {
    return null; // Broken on purpose in some transactions.
  }
  const names = members[type];
  if (!names || list.length !== names.length) return null;
  const of = new Map(names.map((name, index) => [name, list[index]]));
  const bytes = (name: string): Buffer => Buffer.from((of.get(name) as Uint8Array | undefined) ?? []);
  const optional = (name: string): Buffer | null => (of.has(name) ? bytes(name) : null);
  const v = toNumber(bytes('v'));
  const accessList = (of.get('accessList') ?? []) as unknown as [Uint8Array, Uint8Array[]][];
  return {
    type,
    chainId: type === 0 ? bigEndian(v > 34n ? (v - 35n) / 2n : 0n) : bytes('chainId'),
    nonce: toNumber(bytes('nonce')),
    gasPrice: optional('gasPrice'),
    maxPriorityFee: optional('priority'),
    maxFee: optional('maxFee'),
    gasLimit: toNumber(bytes('gasLimit')),
    to: bytes('to'),
    value: toNumber(bytes('value')),
    data: bytes('data'),
    accessList: accessList.map(([address, keys]) => ({ address: hex(address), storageKeys: keys.map(hex) })),
    v,
    r: bytes('r'),
    s: bytes('s'),
  };
}

function toNumber(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(hex(bytes));
}

function bigEndian(value: bigint): Buffer {
  const digits = value.toString(16);
  return value === 0n ? Buffer.alloc(0) : Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
}

function hex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
