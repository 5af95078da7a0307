// Sourcify's v2 lookup as a record: sources, compiler and settings of a contract that was verified there. Its verdict is
// not taken over; the contract is checked again.
import { isJsonObject } from '../../kit/is-json-object.ts';
import type { CompilerSettings, SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { ExplorerAnswer } from './explorer-record.ts';

export const sourcifyFields = 'sources,compilation,deployment';

export function readSourcifyAnswer(content: unknown, name: string): ExplorerAnswer {
  const { sources, compilation, deployment } = (content ?? {}) as {
    sources?: unknown;
    compilation?: Record<string, unknown> | null;
    deployment?: { transactionHash?: unknown } | null;
  };
  const qualifiedName = compilation?.fullyQualifiedName;
  const version = compilation?.compilerVersion;
  const cut = typeof qualifiedName === 'string' ? qualifiedName.lastIndexOf(':') : -1;
  const language = languages.find((known) => known === compilation?.language);
  if (
    !isJsonObject(sources) ||
    typeof qualifiedName !== 'string' ||
    cut < 0 ||
    typeof version !== 'string' ||
    !language
  ) {
    throw new VerificationError(
      'malformed_etherscan_response',
      `The record of ${name} cannot be checked: sources, compilation.language, compilation.compilerVersion or compilation.fullyQualifiedName is missing.`,
    );
  }
  const hash = deployment?.transactionHash;
  const settings = compilation?.compilerSettings;
  return {
    claim: {
      language,
      compilerVersion: version,
      input: {
        language,
        sources: Object.fromEntries(
          Object.entries(sources).map(([path, file]) => [path, { content: contentOf(file, path, name) }]),
        ),
        settings: isJsonObject(settings) ? (settings as CompilerSettings) : {},
      },
      target: { path: qualifiedName.slice(0, cut), name: qualifiedName.slice(cut + 1) },
    },
    ...(typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? { creationTransactionHash: hash } : {}),
  };
}

const languages: readonly SourceClaim['language'][] = ['Solidity', 'Yul', 'Vyper'];

function contentOf(file: unknown, path: string, name: string): string {
  const content = isJsonObject(file) ? file.content : undefined;
  if (typeof content === 'string') return content;
  throw new VerificationError(
    'malformed_etherscan_response',
    `The record of ${name} cannot be checked: it gives no content for the source ${path.slice(0, 200)}.`,
  );
}
