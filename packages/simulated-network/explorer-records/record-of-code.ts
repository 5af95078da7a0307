// The records of the simulated network's block explorer, in Etherscan's form. As in real explorers not every record is
// right: Coin's source has a different comment from the deployed one, Reverter's is a different version.
import { readFileSync } from 'node:fs';
import artifacts from '../contracts/artifacts.json' with { type: 'json' };
import { type ContractName, initcodeOf } from '../evm/artifacts.ts';

/** JSON text; null for code of any other contract. */
export type RecordOfCode = (runtimeCode: Uint8Array) => string | null;

export function createRecordOfCode(): RecordOfCode {
  // Every deployment ends with the metadata of the contract, which contains the hash of its sources.
  const names = Object.keys(artifacts.contracts) as ContractName[];
  const known = new Map(names.map((name) => [tailOf(initcodeOf(name)), formatRecord(name, recordForms[name](name))]));
  const factory = initcodeOf('Factory');
  const child = formatRecord('Child', toStandardJson('Factory'));
  return (runtimeCode) => {
    const tail = tailOf(runtimeCode);
    return known.get(tail) ?? (isWithin(factory, tail) ? child : null);
  };
}

type RecordForm = { sourceCode: string; file: string };

const recordForms: Record<ContractName, (name: ContractName) => RecordForm> = {
  Counter: toStandardJson,
  Factory: toStandardJson,
  Vault: (name) => toSingleFile(name, (source) => source),
  Coin: (name) => toSingleFile(name, (source) => source.replace('/// A small token', '/// A little token')),
  Reverter: (name) =>
    toSingleFile(name, (source) => source.replace('Refused(msg.sender, code)', 'Refused(msg.sender, code + 1)')),
};

function toSingleFile(name: ContractName, change: (source: string) => string): RecordForm {
  return { sourceCode: change(readSource(name)), file: '' };
}

/** Etherscan doubles the outer braces of standard JSON. */
function toStandardJson(name: ContractName): RecordForm {
  const file = `${name}.sol`;
  const input = {
    language: 'Solidity',
    sources: { [file]: { content: readSource(name) } },
    settings: artifacts.settings,
  };
  return { sourceCode: `{${JSON.stringify(input)}}`, file };
}

function readSource(name: ContractName): string {
  return readFileSync(new URL(`../contracts/${name}.sol`, import.meta.url), 'utf8');
}

function formatRecord(name: string, { sourceCode, file }: RecordForm): string {
  const { optimizer, evmVersion } = artifacts.settings;
  const [, version] = /^(.*?\+commit\.[0-9a-f]{8})/.exec(artifacts.compiler)!;
  const record = {
    SourceCode: sourceCode,
    ContractName: name,
    ContractFileName: file,
    CompilerVersion: `v${version}`,
    OptimizationUsed: optimizer.enabled ? '1' : '0',
    Runs: String(optimizer.runs),
    EVMVersion: evmVersion,
    Library: '',
    LicenseType: 'Apache-2.0',
    Proxy: '0',
    Implementation: '',
  };
  return JSON.stringify({ status: '1', message: 'OK', result: [record] }, null, 1);
}

/** Length of solc's metadata: 51 bytes of CBOR and their length. */
const tailLength = 53;

function tailOf(code: Uint8Array): string {
  return Buffer.from(code.slice(-tailLength)).toString('hex');
}

function isWithin(code: Uint8Array, tail: string): boolean {
  return tail.length === tailLength * 2 && Buffer.from(code).includes(Buffer.from(tail, 'hex'));
}
