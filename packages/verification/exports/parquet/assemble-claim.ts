// A claim from the parts that an export has of one compilation, or the sentence that says which part is missing or
// unusable.
import { isJsonObject } from '../../../kit/is-json-object.ts';
import { parseModestJson } from '../../terms/modest-json.ts';
import { type CompilerSettings, languages, type SourceClaim } from '../../terms/source-claim.ts';
import type { Spool } from './create-spool.ts';

export type Compilation = {
  /** Without a leading `v`: `0.8.19+commit.7dd6d404`. */
  version: string;
  /** In lower case: `solidity`. */
  language: string;
  /** `<path>:<name>`. */
  fully_qualified_name: string;
  /** Of the settings, in the spool. */
  settingsName: string;
};

export type ClaimParts = {
  key: string;
  compilation: Compilation | undefined;
  /** Path → name of its text in the spool. */
  sources: ReadonlyMap<string, string>;
  spool: Spool;
  inputBytes: number;
};

export async function assembleClaim({
  key,
  compilation,
  sources,
  spool,
  inputBytes,
}: ClaimParts): Promise<{ claim: SourceClaim } | { problem: string }> {
  if (compilation === undefined) return problem(key, 'has no readable row in compiled_contracts');
  const language = languages.find((one) => one.toLowerCase() === compilation.language.toLowerCase());
  if (language === undefined) return problem(key, `is in the language ${JSON.stringify(compilation.language)}`);
  const [, path, name] = /^(.*):([^:]*)$/s.exec(compilation.fully_qualified_name) ?? [];
  if (path === undefined || !name) return problem(key, 'has a fully_qualified_name without path and name');
  if (sources.size === 0) return problem(key, 'has no readable row in compiled_contracts_sources');
  const settings = readSettings(await spool.get(compilation.settingsName));
  if (settings === null) return problem(key, 'has compiler_settings that are no JSON object');
  const missing = [...sources].find(([, hash]) => !spool.has(hash));
  if (missing) return problem(key, `needs ${JSON.stringify(missing[0])}, which no readable row of sources has`);
  const bytes = [...sources.values()].reduce((sum, hash) => sum + spool.sizeOf(hash)!, 0);
  if (bytes > inputBytes) return problem(key, `has ${bytes} bytes of sources, at most ${inputBytes} are taken`);
  const contents: [string, { content: string }][] = [];
  for (const [of, hash] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    contents.push([of, { content: (await spool.get(hash))!.toString('utf8') }]);
  }
  const input = { language, sources: Object.fromEntries(contents), settings };
  return { claim: { language, compilerVersion: compilation.version, input, target: { path, name } } };
}

function readSettings(text: Buffer | null): CompilerSettings | null {
  try {
    const settings = text && parseModestJson(text.toString('utf8'));
    return isJsonObject(settings) ? (settings as CompilerSettings) : null;
  } catch {
    // Its caller says that it is no JSON.
    return null;
  }
}

function problem(key: string, what: string): { problem: string } {
  return { problem: `The compilation ${key} ${what}.` };
}
