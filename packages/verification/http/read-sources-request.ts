// The body of a check of submitted sources: the compiler's standard JSON, its version, and which contract is meant.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { type CompilerInput, languages, type SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { SourcesRequest } from '../verification-jobs.ts';
import { type BodyMembers, requireObject, requireText, wrongType } from './read-body.ts';
import { readCreationHash } from './read-metadata-request.ts';

export function readSourcesRequest(members: BodyMembers): Pick<SourcesRequest, 'claim' | 'creationTransactionHash'> {
  const input = requireObject(members, 'stdJsonInput');
  const compilerVersion = requireText(members, 'compilerVersion');
  const identifier = requireText(members, 'contractIdentifier');
  const creationTransactionHash = readCreationHash(members);
  const cut = identifier.lastIndexOf(':');
  if (cut < 1 || cut === identifier.length - 1) {
    const message = 'contractIdentifier must be <path of the source>:<name of the contract>';
    throw new VerificationError('invalid_parameter', message);
  }
  const { language, sources, settings } = readStandardInput(input, '/body/stdJsonInput');
  return {
    claim: {
      language,
      compilerVersion,
      input: { language, sources, settings },
      target: { path: identifier.slice(0, cut), name: identifier.slice(cut + 1) },
    },
    creationTransactionHash,
  };
}

/** `place`: where it stands, for messages. */
export function readStandardInput(
  input: BodyMembers,
  place = '/body/files',
): Omit<CompilerInput, 'language'> & Language {
  const named = requireText(input, 'language');
  const language = languages.find((known) => known === named);
  if (!language) {
    const message = `stdJsonInput.language must be one of ${languages.join(', ')}, not ${named.slice(0, 50)}`;
    throw new VerificationError('unsupported_language', message);
  }
  const sources = requireSources(requireObject(input, 'sources'), place);
  return { language, sources, settings: input.settings === undefined ? {} : requireObject(input, 'settings') };
}

type Language = Pick<SourceClaim, 'language'>;

/** A source given only by URL is not fetched: its text must be included. */
function requireSources(sources: BodyMembers, place: string): CompilerInput['sources'] {
  for (const path of Object.keys(sources)) {
    const source = sources[path];
    const at = `${place}/sources/${path.slice(0, 200)}`;
    if (!isJsonObject(source)) throw wrongType(at, 'object');
    requireText(source, 'content', at);
  }
  return sources as CompilerInput['sources'];
}
