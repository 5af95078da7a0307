// A record in Etherscan's form as a claim: standard JSON in doubled braces, several files as one JSON object, or one
// flat file with its settings in separate members. If no file is named, the contract's definition is searched for.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { parseModestJson } from '../terms/modest-json.ts';
import type {
  CompilerInput,
  CompilerSettings,
  ContractTarget,
  LinkedLibrary,
  SourceClaim,
} from '../terms/source-claim.ts';
import { type ExplorerRecord, malformed, readSources } from './explorer-record.ts';

type Members = Record<string, unknown>;

/** Throws a VerificationError (`malformed_etherscan_response`) if nothing can be compiled from the record. */
export function etherscanRecord(members: Members, sourceCode: string, explorerName: string): ExplorerRecord {
  const [, pathInName, name] = /^(?:(.*):)?([^:]*)$/s.exec(textOf(members, 'ContractName').trim())!;
  if (!name) throw malformed(explorerName, 'it names no contract (ContractName is empty)');
  const named = textOf(members, 'ContractFileName') || textOf(members, 'FileName') || pathInName || '';
  const version = textOf(members, 'CompilerVersion').trim();
  if (version === '') throw malformed(explorerName, 'it names no compiler (CompilerVersion is empty)');
  const vyper = /^vyper/i.test(version);
  const language = vyper ? 'Vyper' : 'Solidity';
  const input = toInput(members, sourceCode, { name, named, language, explorerName });
  const target = findTarget(input, { name, named, language, explorerName });
  return {
    claim: {
      language: input.language === 'Yul' ? 'Yul' : (language as SourceClaim['language']),
      compilerVersion: vyper ? version.replace(/^vyper:?/i, '') : version,
      input,
      target,
      libraries: parseLibraries(members),
    },
  };
}

type InputContext = { name: string; named: string; language: string; explorerName: string };

function toInput(members: Members, sourceCode: string, context: InputContext): CompilerInput {
  const { name, named, language, explorerName } = context;
  const text = sourceCode.trim();
  if (/^\{\s*\{/.test(text) && text.endsWith('}')) {
    return toStandardInput(parse(text.slice(1, -1), explorerName), language, explorerName);
  }
  const files = text.startsWith('{') ? tryParse(text) : undefined;
  if (isJsonObject(files) && isJsonObject(files.sources) && typeof files.language === 'string') {
    return toStandardInput(files, language, explorerName);
  }
  const settings = toSettings(members);
  if (isJsonObject(files) && Object.keys(files).length > 0) {
    return { language, sources: readSources(files, explorerName), settings };
  }
  const extension = language === 'Vyper' ? 'vy' : 'sol';
  const path = named.endsWith(`.${extension}`) ? named : `${name.replace(/\s/g, '')}.${extension}`;
  const content = language === 'Vyper' ? sourceCode.replaceAll('\r', '') : sourceCode;
  return { language, sources: { [path]: { content }, ...additionalSources(members) }, settings };
}

function toStandardInput(said: unknown, language: string, explorerName: string): CompilerInput {
  if (!isJsonObject(said) || !isJsonObject(said.sources)) {
    throw malformed(explorerName, 'it holds standard JSON without sources');
  }
  return {
    language: typeof said.language === 'string' ? said.language : language,
    sources: readSources(said.sources, explorerName),
    settings: isJsonObject(said.settings) ? (said.settings as CompilerSettings) : {},
  };
}

function toSettings(members: Members): CompilerSettings {
  const { CompilerSettings: whole } = members;
  if (isJsonObject(whole)) return whole as CompilerSettings;
  const evmVersion = textOf(members, 'EVMVersion').toLowerCase();
  const runs = Number.parseInt(textOf(members, 'Runs') || textOf(members, 'OptimizationRuns'), 10);
  return {
    optimizer: {
      enabled: /^(1|true)$/i.test(textOf(members, 'OptimizationUsed')),
      ...(Number.isSafeInteger(runs) && runs >= 0 ? { runs } : {}),
    },
    ...(evmVersion === '' || evmVersion === 'default' ? {} : { evmVersion }),
  };
}

/** Blockscout: the files beside the contract's own. */
function additionalSources({ AdditionalSources: files }: Members): CompilerInput['sources'] {
  const named = (Array.isArray(files) ? files : [])
    .filter(isJsonObject)
    .map((file) => [file.Filename ?? file.FileName, file.SourceCode] as const);
  return Object.fromEntries(
    named.flatMap(([path, content]) =>
      typeof path === 'string' && typeof content === 'string' ? [[path, { content }]] : [],
    ),
  );
}

/** With an empty path the compiler's output decides where the contract is. */
function findTarget({ sources }: CompilerInput, { name, named, language, explorerName }: InputContext): ContractTarget {
  const paths = Object.keys(sources);
  const definition = new RegExp(`\\b(?:contract|library|interface|object)\\s+"?${escapeRegExp(name)}\\b`);
  const texts = new Map(paths.map((path) => [path, sources[path]?.content ?? '']));
  const defining = paths.filter((path) => definition.test(withoutComments(texts.get(path)!)));
  // Whether it is defined as it should be is for the compiler to say. Contracts of Vyper have the name of their file.
  const mention = new RegExp(`(?<![\\w$])${escapeRegExp(name)}(?![\\w$])`);
  const isNamed = defining.length > 0 || [...texts.values()].some((text) => mention.test(withoutComments(text)));
  if (language !== 'Vyper' && !isNamed) {
    throw malformed(explorerName, `it names the contract ${name.slice(0, 200)}, which none of its sources has`);
  }
  if (paths.length === 1) return { path: paths[0]!, name };
  if (Object.hasOwn(sources, named)) return { path: named, name };
  const fitting = named === '' ? [] : defining.filter((path) => path.endsWith(`/${named}`));
  const found = fitting.length > 0 ? fitting : defining;
  return { path: found.length === 1 ? found[0]! : '', name };
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
}

/** Etherscan: `Name:address;Name:address`, also with the path before the name. Blockscout: a list of objects. */
export function parseLibraries({ Library: text, ExternalLibraries: list }: Members): LinkedLibrary[] {
  const fromText = typeof text === 'string' ? text.split(';').map((part) => part.split(':')) : [];
  const fromList = (Array.isArray(list) ? list : [])
    .filter(isJsonObject)
    .map((library) => [...String(library.name ?? '').split(':'), String(library.address_hash ?? '')]);
  return [...fromText, ...fromList].flatMap((parts) => {
    const address = parts.at(-1)?.trim() ?? '';
    const name = parts.at(-2)?.trim() ?? '';
    const path = parts.slice(0, -2).join(':').trim();
    if (name === '' || !/^(?:0x)?[0-9a-fA-F]{40}$/.test(address)) return [];
    return [{ name, address: `0x${address.replace(/^0x/, '').toLowerCase()}`, ...(path === '' ? {} : { path }) }];
  });
}

function textOf(members: Members, name: string): string {
  const value = members[name];
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function parse(text: string, explorerName: string): unknown {
  try {
    return parseModestJson(text);
  } catch (error) {
    throw malformed(
      explorerName,
      `it holds standard JSON that cannot be read: ${(error as Error).message.slice(0, 200)}`,
    );
  }
}

/** Source code may begin with a brace without being JSON. */
function tryParse(text: string): unknown {
  try {
    return parseModestJson(text);
  } catch {
    return undefined;
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
