// Which block a call or a question about state means: a tag, a number, a hash, or an object that names one (EIP-1898).
import { rpcError } from '../terms/rpc-error.ts';
import { either, type Kind, objectOf, usually } from './kind.ts';
import { type BlockReference, blockHash, blockNumber, boolean, ofHash } from './kinds.ts';

const error = `Expected ${ofHash} in object, 0x prefixed hexadecimal block number, or the string "latest", "earliest" or "pending"`;
/** `requireCanonical` makes no difference: no block is taken back. */
const byHash = objectOf('BlockHashObject', { blockHash, requireCanonical: boolean }, { error, isClosed: true });
const byNumber = objectOf('BlockNumberObject', { blockNumber }, { error, isClosed: true });

const byName: Kind<BlockReference> = {
  error,
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const block = 'blockHash' in value ? byHash.read(value)?.blockHash : byNumber.read(value)?.blockNumber;
    if (!block) throw rpcError.noBlockNamed();
    return block;
  },
};

const newest: BlockReference = { kind: 'newest' };

export const blockOfCall: Kind<BlockReference> = usually(
  { error, read: (value) => blockNumber.read(value) ?? blockHash.read(value) ?? byName.read(value) },
  newest,
);

const named = either(blockNumber, blockHash);
/** Libraries of clients send the object wherever a hash may be. */
export const blockOfContents: Kind<BlockReference> = {
  ...named,
  read: (value) => named.read(value) ?? (isNaming(value) ? byName.read(value) : undefined),
};
export const blockOfState: Kind<BlockReference> = usually(blockOfContents, newest);

function isNaming(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('blockHash' in value || 'blockNumber' in value);
}
