// Refuses claims that no compiler should see: other languages, sources without their text, too many or too large ones.
import { isJsonObject } from '../kit/is-json-object.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError } from './terms/verification-error.ts';

export type ClaimLimits = {
  /** Of the compiler input as JSON. */
  inputBytes: number;
};

const maxSources = 5000;
const maxNameLength = 1024;

/**
 * The claim with the settings that affect the code, and its size. Throws `invalid_sources` or `unsupported_language`.
 */
export function assertClaim(claim: SourceClaim, limits: ClaimLimits): { claim: SourceClaim; sizeBytes: number } {
  const { input, target, language } = claim;
  if (!isJsonObject(input) || !isJsonObject(input.sources) || !isJsonObject(input.settings)) {
    throw invalid('The compiler input must have "sources" and "settings".');
  }
  if (language !== 'Solidity' && language !== 'Yul' && language !== 'Vyper') {
    throw new VerificationError(
      'unsupported_language',
      `Contracts in ${JSON.stringify(language)} cannot be checked: Solidity and Yul are supported.`,
    );
  }
  if (
    typeof target?.path !== 'string' ||
    typeof target.name !== 'string' ||
    target.name === '' ||
    target.name.length > maxNameLength
  ) {
    throw invalid('The name of the contract is missing.');
  }
  const paths = Object.keys(input.sources);
  if (paths.length === 0) throw invalid('There are no sources.');
  if (paths.length > maxSources) throw invalid(`There are ${paths.length} sources, at most ${maxSources} are taken.`);
  let size = sizeOfSettings(input.settings);
  for (const path of paths) size += sizeOfSource(path, input.sources[path]);
  if (size > limits.inputBytes) {
    throw invalid(`The sources have ${size} bytes, at most ${limits.inputBytes} are taken.`);
  }
  const { outputSelection: _, stopAfter: __, modelChecker: ___, ...settings } = input.settings;
  const sources = Object.fromEntries(paths.map((path) => [path, { content: input.sources[path]!.content }]));
  return { claim: { ...claim, input: { language, sources, settings } }, sizeBytes: size };
}

function sizeOfSettings(settings: object): number {
  try {
    return JSON.stringify(settings).length;
  } catch (error) {
    if (error instanceof RangeError) throw invalid('The settings are nested too deeply.');
    throw error;
  }
}

function sizeOfSource(path: string, source: unknown): number {
  if (path.length > maxNameLength || path === '__proto__' || !isStorable(path)) {
    throw invalid(`${JSON.stringify(path.slice(0, 80))} is no name for a source.`);
  }
  const content = isJsonObject(source) ? source.content : undefined;
  if (typeof content !== 'string') {
    const has =
      isJsonObject(source) && Array.isArray(source.urls) ? 'only "urls", which are not followed' : 'no "content"';
    throw invalid(`Source ${JSON.stringify(path)} has ${has}: give its text as "content".`);
  }
  return path.length + Buffer.byteLength(content);
}

/** Names may have any character that PostgreSQL's text can hold, including line feeds, quotes and colons. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_sources', message);
}
