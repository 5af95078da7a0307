// Which contract a request of Sourcify's first API means, and further members that several of them have.
import { isTransactionHash } from '../../terms/hex.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import { type BodyMembers, optionalText, requireChainId, requireText } from '../read-body.ts';

export type NamedContract = { address: string; chainId: string; creationTransactionHash: string | undefined };

/** JSON names the chain `chain`, like forms; `chainId` is taken too. */
export function readContract(members: BodyMembers): NamedContract {
  const address = requireText(members, 'address');
  const chainId = requireChainId(members, true);
  // Clients send null and empty texts for a transaction that they do not know.
  const { creatorTxHash: hash } = members;
  const creationTransactionHash = hash === null || hash === '' ? undefined : optionalText(members, 'creatorTxHash');
  if (creationTransactionHash !== undefined && !isTransactionHash(creationTransactionHash)) {
    throw new VerificationError('invalid_parameter', 'creatorTxHash must be 0x and 64 hex digits');
  }
  return { address, chainId, creationTransactionHash };
}
