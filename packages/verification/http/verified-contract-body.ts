// A verified contract in the shape of Sourcify's v2 lookup.

import { toChecksumAddress } from '../../abi/checksum-address.ts';
import type { VerificationDetails } from '../store/select-verification-details.ts';
import type { VerifiedContractRow } from '../store/select-verified-contracts.ts';
import { toHex } from '../terms/hex.ts';
import { listSignatures } from './abi-signatures.ts';
import type { ProxyResolution } from './proxy-body.ts';

type MatchWord = 'exact_match' | 'match' | null;

export type VerifiedContractSummary = {
  match: MatchWord;
  creationMatch: MatchWord;
  runtimeMatch: MatchWord;
  chainId: string;
  address: string;
  verifiedAt?: string;
  matchId?: string;
};

const words = { perfect: 'exact_match', partial: 'match' } as const;

export function toMatchWord(match: 'perfect' | 'partial' | null | undefined): MatchWord {
  return match ? words[match] : null;
}

export function betterMatch(creation: MatchWord, runtime: MatchWord): MatchWord {
  return [creation, runtime].includes('exact_match') ? 'exact_match' : (creation ?? runtime);
}

export function formatSummary(row: VerifiedContractRow): VerifiedContractSummary {
  const creationMatch = toMatchWord(row.creationMatch);
  const runtimeMatch = toMatchWord(row.runtimeMatch);
  return {
    match: betterMatch(creationMatch, runtimeMatch),
    creationMatch,
    runtimeMatch,
    chainId: row.chainId.toString(),
    address: toChecksumAddress(toHex(row.address)),
    verifiedAt: formatSeconds(row.verifiedAt),
    matchId: row.id.toString(),
  };
}

/** Of an address about which nothing is known. */
export function formatUnverified(chainId: string, address: string): VerifiedContractSummary {
  return { match: null, creationMatch: null, runtimeMatch: null, chainId, address: toChecksumAddress(address) };
}

/** Sourcify's times have whole seconds. */
export function formatSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A contract's data beyond its summary. */
type Source = {
  details: VerificationDetails;
  artifacts: Document;
  creation: Document;
  runtime: Document;
  settings: Document;
  sources: Record<string, { content: string }>;
  proxy: ProxyResolution;
};
type Part = (source: Source) => unknown;

const codeParts = (side: 'creation' | 'runtime'): Record<string, Part> => {
  // A side that did not match has none.
  const filling = (text: string, { details }: Source) => (details[`${side}Match`] === null ? null : parse(text));
  return {
    onchainBytecode: ({ details }) =>
      formatCode(details[side === 'creation' ? 'onchainCreationCode' : 'onchainRuntimeCode']),
    recompiledBytecode: ({ details }) =>
      formatCode(details[side === 'creation' ? 'compiledCreationCode' : 'compiledRuntimeCode']),
    sourceMap: (source) => source[side].sourceMap,
    linkReferences: (source) => source[side].linkReferences,
    cborAuxdata: (source) => source[side].cborAuxdata,
    ...(side === 'runtime' && { immutableReferences: ({ runtime }: Source) => runtime.immutableReferences }),
    transformations: (source) => filling(source.details[`${side}Transformations`], source),
    transformationValues: (source) => filling(source.details[`${side}Values`], source),
  };
};

/** Members beyond the summary, with their own members if a caller can select among those. */
export const detailParts: Readonly<Record<string, Part | Readonly<Record<string, Part>>>> = {
  creationBytecode: codeParts('creation'),
  runtimeBytecode: codeParts('runtime'),
  deployment: {
    transactionHash: ({ details }) => formatCode(details.transactionHash),
    blockNumber: ({ details }) => details.blockNumber?.toString() ?? null,
    transactionIndex: ({ details }) => details.transactionIndex?.toString() ?? null,
    deployer: ({ details }) => details.deployer && toChecksumAddress(toHex(details.deployer)),
  },
  sources: ({ sources }) => sources,
  compilation: {
    language: ({ details }) => details.language,
    compiler: ({ details }) => details.compiler,
    compilerVersion: ({ details }) => details.version,
    compilerSettings: ({ settings }) => settings,
    name: ({ details }) => details.name,
    fullyQualifiedName: ({ details }) => details.fullyQualifiedName,
  },
  abi: ({ artifacts }) => artifacts.abi,
  metadata: ({ artifacts }) => artifacts.metadata,
  storageLayout: ({ artifacts }) => artifacts.storageLayout,
  transientStorageLayout,
  userdoc: ({ artifacts }) => artifacts.userdoc,
  devdoc: ({ artifacts }) => artifacts.devdoc,
  sourceIds: ({ artifacts }) => artifacts.sources,
  signatures: {
    function: ({ artifacts }) => listSignatures(artifacts.abi, 'function'),
    event: ({ artifacts }) => listSignatures(artifacts.abi, 'event'),
    error: ({ artifacts }) => listSignatures(artifacts.abi, 'error'),
  },
  stdJsonInput: {
    language: ({ details }) => details.language,
    sources: ({ sources }) => sources,
    settings: ({ settings }) => settings,
  },
  stdJsonOutput: {
    contracts: formatOutput,
    sources: ({ artifacts }) => artifacts.sources,
  },
  proxyResolution: {
    isProxy: ({ proxy }) => proxy.isProxy,
    proxyType: ({ proxy }) => proxy.proxyType,
    implementations: ({ proxy }) => proxy.implementations,
    proxyResolutionError: ({ proxy }) => proxy.proxyResolutionError,
  },
};

/** `proxy`: left out where it was not asked for. */
export function formatDetails(details: VerificationDetails, proxy: ProxyResolution = {}): Record<string, unknown> {
  const source: Source = {
    details,
    artifacts: parse(details.compilationArtifacts),
    creation: parse(details.creationCodeArtifacts),
    runtime: parse(details.runtimeCodeArtifacts),
    settings: parse(details.compilerSettings),
    sources: Object.fromEntries(
      details.sourcePaths.map((path, i) => [path, { content: details.sourceContents[i]!.toString('utf8') }]),
    ),
    proxy,
  };
  const read = (part: Part): unknown => part(source);
  return mapValues(detailParts, (part) => (typeof part === 'function' ? read(part) : mapValues(part, read)));
}

/** Contracts stored by earlier versions have none. */
function transientStorageLayout({ artifacts }: Source): unknown {
  return artifacts.transientStorageLayout ?? null;
}

function formatOutput(source: Source): unknown {
  const { details, artifacts, creation, runtime } = source;
  const { abi, metadata, userdoc, devdoc, storageLayout } = artifacts;
  const output = {
    abi,
    metadata: metadata ? JSON.stringify(metadata) : '',
    userdoc,
    devdoc,
    storageLayout,
    transientStorageLayout: transientStorageLayout(source),
    evm: {
      bytecode: formatOutputCode(details.compiledCreationCode, creation),
      deployedBytecode: {
        ...formatOutputCode(details.compiledRuntimeCode, runtime),
        immutableReferences: runtime.immutableReferences,
      },
    },
  };
  const path = details.fullyQualifiedName.slice(0, -details.name.length - 1);
  return { [path]: { [details.name]: output } };
}

function formatOutputCode(code: Buffer | null, { sourceMap, linkReferences }: Document) {
  return { object: code?.toString('hex') ?? '', sourceMap, linkReferences };
}

function formatCode(code: Buffer | null): string | null {
  return code && toHex(code);
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

// biome-ignore lint/suspicious/noExplicitAny: documents that are passed on as stored
type Document = Record<string, any>;

function parse(text: string): Document {
  return JSON.parse(text) as Document;
}
