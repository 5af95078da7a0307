// Sourcify's v2 lookup as a record: sources, compiler and settings of a contract that was verified there. The contract
// is checked again.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { isTransactionHash } from '../terms/hex.ts';
import { type CompilerSettings, languages } from '../terms/source-claim.ts';
import { type ExplorerAnswer, malformed, readSources } from './explorer-record.ts';

export function readSourcifyAnswer(content: unknown, name: string): ExplorerAnswer {
  const { sources, compilation, deployment } = (content ?? {}) as {
    sources?: unknown;
    compilation?: Record<string, unknown> | null;
    deployment?: { transactionHash?: unknown } | null;
  };
  const qualifiedName = compilation?.fullyQualifiedName;
  const version = compilation?.compilerVersion;
  const [, path, target] = /^(.*):([^:]*)$/s.exec(typeof qualifiedName === 'string' ? qualifiedName : '') ?? [];
  const language = languages.find((known) => known === compilation?.language);
  if (!isJsonObject(sources) || path === undefined || typeof version !== 'string' || !language) {
    const members = 'sources, compilation.language, compilation.compilerVersion or compilation.fullyQualifiedName';
    throw malformed(name, `${members} is missing`);
  }
  const hash = deployment?.transactionHash;
  const settings = compilation?.compilerSettings;
  return {
    claim: {
      language,
      compilerVersion: version,
      input: {
        language,
        sources: readSources(sources, name),
        settings: isJsonObject(settings) ? (settings as CompilerSettings) : {},
      },
      target: { path, name: target! },
    },
    ...(isTransactionHash(hash) && { creationTransactionHash: hash }),
  };
}
