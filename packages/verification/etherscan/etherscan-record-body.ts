// A verified contract as Etherscan's getsourcecode shows it. Sources and settings are standard JSON in doubled braces,
// which says everything; the other members repeat parts of it for readers of old forms.

import type { FoundContract } from '../contract-lookup.ts';
import type { VerificationDetails } from '../store/select-verification-details.ts';
import { toHex } from '../terms/hex.ts';
import type { CompilerSettings } from '../terms/source-claim.ts';
import type { TransformationValues } from '../terms/verification-outcome.ts';
import { notVerified } from './etherscan-envelope.ts';

type EtherscanRecord = ReturnType<typeof formatEtherscanRecord>;

/** `implementation`: 0x and 40 lower-case hex digits; null = it is no proxy, or that is not known. */
export function formatEtherscanRecord(
  { similarTo }: FoundContract,
  details: VerificationDetails,
  implementation: string | null,
) {
  const { name, fullyQualifiedName, language, compiler, version } = details;
  const settings = JSON.parse(details.compilerSettings) as CompilerSettings;
  const creation = JSON.parse(details.creationValues) as TransformationValues;
  const runtime = JSON.parse(details.runtimeValues) as TransformationValues;
  const sources = Object.fromEntries(
    details.sourcePaths.map((path, i) => [path, { content: details.sourceContents[i]!.toString('utf8') }]),
  );
  const path = fullyQualifiedName.slice(0, -name.length - 1);
  return {
    SourceCode: `{${JSON.stringify({ language, sources, settings })}}`,
    ABI: formatAbi(details),
    ContractName: name,
    CompilerVersion: compiler === 'vyper' ? `vyper:${version}` : `v${version}`,
    CompilerType: compiler,
    OptimizationUsed: settings.optimizer?.enabled === true ? '1' : '0',
    Runs: String(settings.optimizer?.runs ?? 200),
    // Of this contract's creation: a twin's arguments are its own.
    ConstructorArguments: similarTo ? '' : (creation.constructorArguments ?? '').replace(/^0x/, ''),
    EVMVersion: settings.evmVersion ?? 'Default',
    Library: formatLibraries(settings, { ...creation.libraries, ...runtime.libraries }),
    ContractFileName: path,
    LicenseType: findLicense(sources[path]?.content ?? ''),
    Proxy: implementation === null ? '0' : '1',
    Implementation: implementation ?? '',
    SwarmSource: '',
    SimilarMatch: similarTo ? toHex(similarTo.address) : '',
  };
}

/** Of an address without verified sources: readers look for empty sources, or for the sentence instead of the ABI. */
export function formatUnverifiedRecord(): EtherscanRecord {
  return {
    SourceCode: '',
    ABI: notVerified,
    ContractName: '',
    CompilerVersion: '',
    CompilerType: '',
    OptimizationUsed: '',
    Runs: '',
    ConstructorArguments: '',
    EVMVersion: 'Default',
    Library: '',
    ContractFileName: '',
    LicenseType: 'Unknown',
    Proxy: '0',
    Implementation: '',
    SwarmSource: '',
    SimilarMatch: '',
  };
}

/** JSON in a text, as Etherscan gives it. */
export function formatAbi({ compilationArtifacts }: VerificationDetails): string {
  const { abi } = JSON.parse(compilationArtifacts) as { abi: unknown[] | null };
  return JSON.stringify(abi ?? []);
}

/**
 * `Name:digits;…`, with the path where one name means two libraries. `filled`: by the compiler's placeholder or full
 * name.
 */
function formatLibraries({ libraries = {} }: CompilerSettings, filled: Record<string, string>): string {
  const linked = Object.entries(libraries).flatMap(([path, named]) =>
    Object.entries(named).map(([name, address]) => ({ path, name, address })),
  );
  for (const [fullName, address] of Object.entries(filled)) {
    const cut = fullName.lastIndexOf(':');
    if (cut > 0) linked.push({ path: fullName.slice(0, cut), name: fullName.slice(cut + 1), address });
  }
  const whole = new Map(linked.map((library) => [`${library.path}:${library.name}`, library]));
  const addressesOf = (name: string) =>
    new Set([...whole.values()].filter((other) => other.name === name).map(({ address }) => address.toLowerCase()));
  const parts = [...whole].map(([fullName, { name, address }]) => {
    const shown = addressesOf(name).size > 1 ? fullName : name;
    return `${shown}:${address.toLowerCase().replace(/^0x/, '')}`;
  });
  return [...new Set(parts)].join(';');
}

/** The identifier that the source itself gives. */
function findLicense(source: string): string {
  return /SPDX-License-Identifier:[ \t]*([\w.+()-]+(?: (?:AND|OR|WITH) [\w.+()-]+)*)/.exec(source)?.[1] ?? 'None';
}
