// Ethereum transactions as wallets make them: RLP, signed with secp256k1. Types 0 (with and without replay
// protection), 1, 2 and 4. Prices and value in weibar.
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { type RecoveryIdType, recover, signRecoverable } from 'tiny-secp256k1';
import { type Authorization, recoverAuthority } from '../../machine/run/authorize.ts';

export type UnsignedEthereumTransaction = {
  type: 'legacyUnprotected' | 'legacy' | 'accessList' | 'dynamicFee' | 'setCode';
  chainId: number;
  nonce: bigint;
  /** Also the maximum fee of types 2 and 4. */
  gasPrice: bigint;
  maxPriorityFee: bigint;
  gasLimit: bigint;
  /** Empty = create. */
  to: Uint8Array;
  value: bigint;
  data: Uint8Array;
  accessList: { address: Uint8Array; slots: Uint8Array[] }[];
  /** Of type 4: code that accounts run as their own (EIP-7702). */
  authorizations: { chainId: bigint; address: Uint8Array; nonce: bigint; secret: Uint8Array }[];
};

export function signEthereumTransaction(transaction: UnsignedEthereumTransaction, secret: Uint8Array): Uint8Array {
  const { type, nonce, gasPrice, maxPriorityFee, gasLimit, to, value, data } = transaction;
  const chainId = BigInt(transaction.chainId);
  const call = [gasLimit, to, value, data];
  const accessList = transaction.accessList.map(({ address, slots }) => [address, slots]);

  if (type === 'legacy' || type === 'legacyUnprotected') {
    const fields = [nonce, gasPrice, ...call];
    const signed = type === 'legacy' ? [...fields, chainId, 0n, 0n] : fields;
    const { recovery, r, s } = sign(RLP.encode(signed), secret);
    const v = BigInt(recovery) + (type === 'legacy' ? 35n + 2n * chainId : 27n);
    return RLP.encode([...fields, v, r, s]);
  }
  const typed: { prefix: number; fields: Parameters<typeof RLP.encode>[0][] } =
    type === 'accessList'
      ? { prefix: 1, fields: [chainId, nonce, gasPrice, ...call, accessList] }
      : { prefix: 2, fields: [chainId, nonce, maxPriorityFee, gasPrice, ...call, accessList] };
  if (type === 'setCode') {
    typed.prefix = 4;
    typed.fields.push(transaction.authorizations.map(signAuthorization));
  }
  const { recovery, r, s } = sign(Buffer.concat([Buffer.of(typed.prefix), RLP.encode(typed.fields)]), secret);
  return Buffer.concat([Buffer.of(typed.prefix), RLP.encode([...typed.fields, BigInt(recovery), r, s])]);
}

/** EIP-7702: an authorization is signed with the prefix 0x05. */
function signAuthorization(wanted: UnsignedEthereumTransaction['authorizations'][number]) {
  const fields = [wanted.chainId, wanted.address, wanted.nonce];
  const { recovery, r, s } = sign(Buffer.concat([Buffer.of(5), RLP.encode(fields)]), wanted.secret);
  return [...fields, BigInt(recovery), r, s];
}

function sign(message: Uint8Array, secret: Uint8Array): { recovery: number; r: bigint; s: bigint } {
  const { recoveryId, signature } = signRecoverable(keccak_256(message), secret);
  return { recovery: recoveryId, r: toInteger(signature.subarray(0, 32)), s: toInteger(signature.subarray(32)) };
}

export type SignedEthereumTransaction = {
  /** Address recovered from the signature. */
  sender: Uint8Array;
  /** keccak of the whole transaction. */
  hash: Uint8Array;
  /** null if the signature is not bound to a chain. */
  chainId: bigint | null;
  nonce: bigint;
  gasPrice: bigint;
  gasLimit: bigint;
  to: Uint8Array;
  value: bigint;
  data: Uint8Array;
  accessList: { address: Uint8Array; slots: Uint8Array[] }[];
  authorizations: Authorization[];
};

/** The same transaction without its call data, which a file carries. */
export function withoutCallData(raw: Uint8Array): Uint8Array {
  return replaceCallData(raw, new Uint8Array());
}

/** Opens a signed transaction; `callData`: from the file, if one carries it. Throws on anything else. */
export function openEthereumTransaction(raw: Uint8Array, callData?: Uint8Array): SignedEthereumTransaction {
  const whole = callData ? replaceCallData(raw, callData) : raw;
  const { prefix, fields } = split(whole);
  const position = fieldPositions[prefix]!;
  const bytesAt = (name: FieldName) => fields[position[name]] as Uint8Array;
  const v = toInteger(fields.at(-3) as Uint8Array);
  const protectedLegacy = prefix === 0 && v > 34n;
  const chainId = prefix === 0 ? (protectedLegacy ? (v - 35n) >> 1n : null) : toInteger(fields[0] as Uint8Array);
  const recovery = prefix > 0 ? Number(v) : Number(protectedLegacy ? (v - 35n) & 1n : v - 27n);
  const unsigned = [...fields.slice(0, -3), ...(protectedLegacy ? [chainId!, 0n, 0n] : [])];
  const message = prefix === 0 ? RLP.encode(unsigned) : Buffer.concat([Buffer.of(prefix), RLP.encode(unsigned)]);
  const signature = Buffer.concat([toWord(fields.at(-2) as Uint8Array), toWord(fields.at(-1) as Uint8Array)]);
  const publicKey = recover(keccak_256(message), signature, recovery as RecoveryIdType, false);
  if (!publicKey) throw new RangeError('The signature of the Ethereum transaction is none');
  const list = prefix === 0 ? [] : (fields[position.data + 1] as [Uint8Array, Uint8Array[]][]);
  return {
    sender: keccak_256(publicKey.subarray(1)).subarray(12),
    hash: keccak_256(whole),
    chainId,
    nonce: toInteger(bytesAt('nonce')),
    gasPrice: toInteger(bytesAt('gasPrice')),
    gasLimit: toInteger(bytesAt('gasLimit')),
    to: bytesAt('to'),
    value: toInteger(bytesAt('value')),
    data: bytesAt('data'),
    accessList: list.map(([address, slots]) => ({ address, slots })),
    authorizations: prefix === 4 ? (fields[position.data + 2] as Uint8Array[][]).map(openAuthorization) : [],
  };
}

function openAuthorization(fields: Uint8Array[]): Authorization {
  const [chainId, code, nonce, yParity, r, s] = fields.map(toInteger) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const wanted = { chainId, code, nonce };
  return { ...wanted, authority: recoverAuthority(wanted, { yParity: Number(yParity), r, s }) };
}

/** Positions of the fields, by type. The gas price of types 2 and 4 is their maximum fee. */
const fieldPositions: Readonly<Record<number, Readonly<Record<FieldName, number>>>> = {
  0: { nonce: 0, gasPrice: 1, gasLimit: 2, to: 3, value: 4, data: 5 },
  1: { nonce: 1, gasPrice: 2, gasLimit: 3, to: 4, value: 5, data: 6 },
  2: { nonce: 1, gasPrice: 3, gasLimit: 4, to: 5, value: 6, data: 7 },
  4: { nonce: 1, gasPrice: 3, gasLimit: 4, to: 5, value: 6, data: 7 },
};
type FieldName = 'nonce' | 'gasPrice' | 'gasLimit' | 'to' | 'value' | 'data';

type RlpField = Uint8Array | RlpField[];

function split(raw: Uint8Array): { prefix: number; fields: RlpField[] } {
  const prefix = raw[0]! < 0x80 ? raw[0]! : 0;
  if (!fieldPositions[prefix]) throw new RangeError(`Unknown Ethereum transaction type ${prefix}`);
  return { prefix, fields: RLP.decode(prefix === 0 ? raw : raw.subarray(1)) as RlpField[] };
}

function replaceCallData(raw: Uint8Array, data: Uint8Array): Uint8Array {
  const { prefix, fields } = split(raw);
  fields[fieldPositions[prefix]!.data] = data;
  const encoded = RLP.encode(fields);
  return prefix === 0 ? encoded : Buffer.concat([Buffer.of(prefix), encoded]);
}

/** 32 bytes, of a number without leading zeros. */
function toWord(number: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(Math.max(0, 32 - number.length)), number]);
}

function toInteger(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
