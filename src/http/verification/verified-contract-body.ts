// A verified contract in the shape of Sourcify's v2 lookup.
import { keccak256 } from '../../protocol/keccak256.ts';
import type { VerificationDetails } from '../../store/verification/select-verification-details.ts';
import type { VerifiedContractRow } from '../../store/verification/select-verified-contracts.ts';
import { toChecksumAddress } from '../../verification/terms/contract-address.ts';
import { formatSignatures } from './abi-signatures.ts';

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
  const creationMatch = toMatchWord(row.creation_match);
  const runtimeMatch = toMatchWord(row.runtime_match);
  return {
    match: betterMatch(creationMatch, runtimeMatch),
    creationMatch,
    runtimeMatch,
    chainId: row.chain_id.toString(),
    address: toChecksumAddress(`0x${row.address.toString('hex')}`),
    verifiedAt: formatSeconds(row.verified_at),
    matchId: row.id.toString(),
  };
}

/** Of an address that nothing is known about. */
export function formatUnverified(chainId: string, address: string): VerifiedContractSummary {
  return { match: null, creationMatch: null, runtimeMatch: null, chainId, address: toChecksumAddress(address) };
}

/** Sourcify's times have whole seconds. */
export function formatSeconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z');
}

export function formatDetails(details: VerificationDetails): Record<string, unknown> {
  const artifacts = parse(details.compilation_artifacts);
  const creation = parse(details.creation_code_artifacts);
  const runtime = parse(details.runtime_code_artifacts);
  const settings = parse(details.compiler_settings);
  const sources = Object.fromEntries(
    details.source_paths.map((path, i) => [path, { content: details.source_contents[i]!.toString('utf8') }]),
  );
  const { abi, metadata, devdoc, userdoc, storageLayout } = artifacts;
  // Contracts that were kept before it was known have none.
  const transientStorageLayout = artifacts.transientStorageLayout ?? null;
  const path = details.fully_qualified_name.slice(0, -details.name.length - 1);
  const proxy = parse(details.proxy) as { kind?: string; implementation?: string } | null;
  return {
    creationBytecode: {
      onchainBytecode: formatCode(details.onchain_creation_code),
      recompiledBytecode: formatCode(details.compiled_creation_code),
      sourceMap: creation.sourceMap,
      linkReferences: creation.linkReferences,
      cborAuxdata: creation.cborAuxdata,
      ...formatFilling(details.creation_match, details.creation_transformations, details.creation_values),
    },
    runtimeBytecode: {
      onchainBytecode: formatCode(details.onchain_runtime_code),
      recompiledBytecode: formatCode(details.compiled_runtime_code),
      sourceMap: runtime.sourceMap,
      linkReferences: runtime.linkReferences,
      cborAuxdata: runtime.cborAuxdata,
      immutableReferences: runtime.immutableReferences,
      ...formatFilling(details.runtime_match, details.runtime_transformations, details.runtime_values),
    },
    deployment: {
      transactionHash: formatCode(details.transaction_hash),
      blockNumber: details.block_number?.toString() ?? null,
      transactionIndex: details.transaction_index?.toString() ?? null,
      deployer: details.deployer && toChecksumAddress(`0x${details.deployer.toString('hex')}`),
    },
    sources,
    compilation: {
      language: details.language,
      compiler: details.compiler,
      compilerVersion: details.version,
      compilerSettings: settings,
      name: details.name,
      fullyQualifiedName: details.fully_qualified_name,
    },
    abi,
    metadata,
    storageLayout,
    transientStorageLayout,
    userdoc,
    devdoc,
    sourceIds: artifacts.sources,
    signatures: formatSignatures(Array.isArray(abi) ? abi : [], keccak256),
    stdJsonInput: { language: details.language, sources, settings },
    stdJsonOutput: {
      contracts: {
        [path]: {
          [details.name]: {
            abi,
            metadata: metadata ? JSON.stringify(metadata) : '',
            userdoc,
            devdoc,
            storageLayout,
            transientStorageLayout,
            evm: {
              bytecode: formatOutputCode(details.compiled_creation_code, creation),
              deployedBytecode: {
                ...formatOutputCode(details.compiled_runtime_code, runtime),
                immutableReferences: runtime.immutableReferences,
              },
            },
          },
        },
      },
      sources: artifacts.sources,
    },
    proxyResolution: {
      isProxy: proxy !== null,
      proxyType: proxy && 'EIP1167Proxy',
      implementations: proxy ? [{ address: toChecksumAddress(proxy.implementation!) }] : [],
    },
  };
}

/** Of a side that did not match nothing is said. */
function formatFilling(match: string | null, transformations: string, values: string) {
  return {
    transformations: match === null ? null : parse(transformations),
    transformationValues: match === null ? null : parse(values),
  };
}

function formatOutputCode(code: Buffer | null, { sourceMap, linkReferences }: Record<string, unknown>) {
  return { object: code?.toString('hex') ?? '', sourceMap, linkReferences };
}

function formatCode(code: Buffer | null): string | null {
  return code && `0x${code.toString('hex')}`;
}

// biome-ignore lint/suspicious/noExplicitAny: documents that are passed on as they were kept
function parse(text: string): any {
  return JSON.parse(text);
}
