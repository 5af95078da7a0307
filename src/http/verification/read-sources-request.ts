// The body of a check from handed-in sources: the compiler's standard JSON, its version, and which contract is meant.
import type { SourcesRequest } from '../../verification/jobs/verification-jobs.ts';
import type { CompilerInput, SourceClaim } from '../../verification/source-claim.ts';
import { VerificationError } from '../../verification/verification-error.ts';
import { type BodyMembers, optionalText, requireObject, requireText } from './read-body.ts';

export function readSourcesRequest(members: BodyMembers): Pick<SourcesRequest, 'claim' | 'creationTransactionHash'> {
  const input = requireObject(members, 'stdJsonInput');
  const compilerVersion = requireText(members, 'compilerVersion');
  const identifier = requireText(members, 'contractIdentifier');
  const creationTransactionHash = optionalText(members, 'creationTransactionHash');
  if (creationTransactionHash !== undefined && !/^0x[0-9a-f]{64}$/i.test(creationTransactionHash)) {
    throw new VerificationError('invalid_parameter', 'creationTransactionHash must be 0x and 64 hex digits');
  }
  const cut = identifier.lastIndexOf(':');
  if (cut < 1 || cut === identifier.length - 1) {
    throw new VerificationError(
      'invalid_parameter',
      'contractIdentifier must be <path of the source>:<name of the contract>',
    );
  }
  const named = requireText(input, 'language');
  const language = languages.find((known) => known === named);
  if (!language) {
    throw new VerificationError(
      'unsupported_language',
      `stdJsonInput.language must be one of ${languages.join(', ')}, not ${named.slice(0, 50)}`,
    );
  }
  return {
    claim: {
      language,
      compilerVersion,
      input: {
        language,
        sources: requireObject(input, 'sources') as CompilerInput['sources'],
        settings: input.settings === undefined ? {} : requireObject(input, 'settings'),
      },
      target: { path: identifier.slice(0, cut), name: identifier.slice(cut + 1) },
    },
    creationTransactionHash,
  };
}

const languages: readonly SourceClaim['language'][] = ['Solidity', 'Yul', 'Vyper'];
