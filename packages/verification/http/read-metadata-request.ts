// The body of a check of metadata: the compiler's document, and the sources by path.

import { readSolidityMetadata } from '../metadata/solidity-metadata.ts';
import { isTransactionHash } from '../terms/hex.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { MetadataRequest } from '../verification-jobs.ts';
import { type BodyMembers, optionalText, requireObject, requireText } from './read-body.ts';

type Read = Pick<MetadataRequest, 'metadata' | 'files' | 'creationTransactionHash'>;

export function readMetadataRequest(members: BodyMembers): Read {
  const sources = requireObject(members, 'sources');
  const metadata = readSolidityMetadata(requireObject(members, 'metadata'));
  return {
    metadata,
    files: Object.keys(sources).map((path) => ({ path, content: requireText(sources, path, '/body/sources') })),
    creationTransactionHash: readCreationHash(members),
  };
}

export function readCreationHash(members: BodyMembers): string | undefined {
  const hash = optionalText(members, 'creationTransactionHash');
  if (hash === undefined || isTransactionHash(hash)) return hash;
  throw new VerificationError('invalid_parameter', 'creationTransactionHash must be 0x and 64 hex digits');
}
