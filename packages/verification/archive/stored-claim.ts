// The sources of a verified contract as a claim about another one, or as the files that would be handed in.

import { hashMetadata } from '../metadata/metadata-hash.ts';
import type { InputFile } from '../metadata/sort-files.ts';
import type { VerificationDetails } from '../store/select-verification-details.ts';
import { type CompilerSettings, languages, type SourceClaim } from '../terms/source-claim.ts';

/**
 * As it was compiled; and if libraries were linked by the compiler also without them, because another contract of the
 * same source may use others.
 */
export function toStoredClaims(details: VerificationDetails): SourceClaim[] {
  const language = languages.find((known) => known === details.language);
  if (language === undefined) return [];
  const { libraries, ...others } = JSON.parse(details.compilerSettings) as CompilerSettings;
  const sources = Object.fromEntries(
    details.sourcePaths.map((path, i) => [path, { content: details.sourceContents[i]!.toString('utf8') }]),
  );
  const target = {
    path: details.fullyQualifiedName.slice(0, -details.name.length - 1),
    name: details.name,
  };
  const isLinked = libraries !== undefined && Object.keys(libraries).length > 0;
  const variants: CompilerSettings[] = isLinked ? [{ ...others, libraries }, others] : [others];
  return variants.map((settings) => ({
    language,
    compilerVersion: details.version,
    input: { language, sources, settings },
    target,
  }));
}

/** Whether code with this hash in it was compiled with the contract's metadata. */
export function isNamed(details: VerificationDetails, hash: string): boolean {
  const metadata = formatMetadata(details);
  return metadata !== null && hashMetadata(metadata) === hash;
}

export function toFiles(details: VerificationDetails): InputFile[] {
  const metadata = formatMetadata(details);
  const sources = details.sourcePaths.map((path, i) => ({
    path,
    content: details.sourceContents[i]!.toString('utf8'),
  }));
  return metadata === null ? sources : [{ path: 'metadata.json', content: metadata }, ...sources];
}

/** null: the compiler wrote none. */
function formatMetadata({ compilationArtifacts }: VerificationDetails): string | null {
  const { metadata } = JSON.parse(compilationArtifacts) as { metadata: unknown };
  return metadata ? JSON.stringify(metadata) : null;
}
