// What a call says of the type of its transaction: the lists of types 1 to 4 (EIP-2930, EIP-1559, EIP-4844, EIP-7702), in
// the form of ethereum/execution-apis.
import type { AccessListItem, SignedAuthorization } from '../../../calls/thread/job.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { type Kind, listOf, objectOf } from './kind.ts';
import { address, hexNumber, hexText } from './kinds.ts';

const noBlobsText = 'The network has no transactions with blobs (EIP-4844)';

/** Only refused: what a call is follows from its other members. */
export const transactionType: Kind<bigint> = {
  error: 'Expected 0x prefixed hexadecimal transaction type: 0x0, 0x1, 0x2 or 0x4',
  read(value) {
    const type = hexNumber.read(value);
    if (type === 3n) throw rpcError.invalidParameter(`'type' for TransactionObject`, noBlobsText);
    return type !== undefined && type <= 4n ? type : undefined;
  },
};

/** Of a blob. */
export const noBlobs: Kind<never[]> = {
  error: noBlobsText,
  read: (value) => (Array.isArray(value) && value.length === 0 ? [] : undefined),
};

export const word: Kind<bigint> = {
  error: 'Expected 0x prefixed string of 32 bytes',
  read: (value) => (hexText.read(value)?.length === wordLength ? hexNumber.read(value) : undefined),
};
const wordLength = 66;

export const addressNumber: Kind<bigint> = {
  error: address.error,
  read: (value) => mapped(address.read(value), toNumber),
};

export function upTo(max: bigint): Kind<bigint> {
  const read = (value: unknown): bigint | undefined => {
    const number = hexNumber.read(value);
    return number !== undefined && number <= max ? number : undefined;
  };
  return { error: `${hexNumber.error} up to 0x${max.toString(16)}`, read };
}

const ofEntry = objectOf(
  'AccessListEntry',
  { address: addressNumber, storageKeys: listOf(word, 'Expected an array of 0x prefixed strings of 32 bytes') },
  { error: 'Expected AccessListEntry', isClosed: true },
);

/** As long as its gas is paid for; see the gas of a call. */
export const accessList: Kind<AccessListItem[]> = listOf(
  {
    error: ofEntry.error,
    read(value) {
      const given = mapped(ofEntry.read(value), (read) => whole('AccessListEntry', read, ['address', 'storageKeys']));
      return given && { address: given.address, slots: given.storageKeys };
    },
  },
  'Expected an array of { address, storageKeys }',
);

/** A signature takes about a millisecond to be read. */
const maxAuthorizations = 100;
const parts = ['chainId', 'address', 'nonce', 'yParity', 'r', 's'] as const;

const ofAuthorization = objectOf(
  'Authorization',
  {
    chainId: hexNumber,
    address: addressNumber,
    nonce: upTo(2n ** 64n - 1n),
    yParity: upTo(0xffn),
    r: hexNumber,
    s: hexNumber,
  },
  { error: 'Expected Authorization' },
);

export const authorizationList: Kind<SignedAuthorization[]> = listOf(
  {
    error: ofAuthorization.error,
    read(value) {
      const given = mapped(ofAuthorization.read(value), (read) => whole('Authorization', read, parts));
      if (!given) return undefined;
      const { chainId, address: code, nonce, yParity, r, s } = given;
      return { chainId, code, nonce, signature: { yParity: Number(yParity), r, s } };
    },
  },
  `Expected an array of up to ${maxAuthorizations} { ${parts.join(', ')} }`,
  maxAuthorizations,
);

/** Throws RpcError that names the member that is missing. */
function whole<T extends object>(name: string, read: T, members: readonly (keyof T & string)[]): Required<T> {
  const missing = members.find((member) => read[member] === undefined);
  if (missing) throw rpcError.missingParameter(`'${missing}' for ${name}`);
  return read as Required<T>;
}

function mapped<T, U>(value: T | undefined, to: (value: T) => U): U | undefined {
  return value === undefined ? undefined : to(value);
}

/** Of an address. */
export function toNumber(bytes20: Buffer): bigint {
  return BigInt(`0x${bytes20.toString('hex')}`);
}
