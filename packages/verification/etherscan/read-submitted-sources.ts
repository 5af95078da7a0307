// What verifysourcecode submits, as a claim. Its members are those of a record, under the names that forms have: the
// same reader takes them.
import { etherscanRecord } from '../explorers/etherscan-record.ts';
import type { SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { CallMembers } from './read-call.ts';

const formats = ['solidity-single-file', 'solidity-standard-json-input'] as const;
const maxLibraries = 10;

/** Throws a VerificationError that names the member. */
export function readSubmittedSources(members: CallMembers): SourceClaim {
  const format = readFormat(members);
  const sourceCode = requireMember(members, 'sourceCode');
  const name = requireMember(members, 'contractname');
  const compilerVersion = requireMember(members, 'compilerversion');
  assertArguments(members);
  const isFlat = format === 'solidity-single-file';
  const record = {
    ContractName: name,
    CompilerVersion: compilerVersion,
    ...(isFlat && {
      OptimizationUsed: members.get('optimizationUsed') ?? members.get('OptimizationUsed') ?? '0',
      Runs: members.get('runs') ?? '200',
      EVMVersion: members.get('evmversion') ?? members.get('EVMVersion') ?? '',
    }),
    Library: readLibraries(members),
  };
  const { claim } = etherscanRecord(record, isFlat ? sourceCode : asStandardJson(sourceCode), 'this request');
  if (isFlat && /^(1|true)$/i.test(members.get('viaIR') ?? '')) claim.input.settings.viaIR = true;
  return claim;
}

function readFormat(members: CallMembers): (typeof formats)[number] {
  const said = members.get('codeformat') || 'solidity-single-file';
  const format = formats.find((known) => known === said.toLowerCase());
  if (format) return format;
  if (/^vyper/i.test(said)) {
    throw new VerificationError(
      'unsupported_language',
      'Vyper is not supported: only Solidity and Yul can be compiled',
    );
  }
  throw invalid(`Error! codeformat must be one of ${formats.join(', ')}, not ${said.slice(0, 50)}`);
}

/** In doubled braces, so that nothing else is taken for it. */
function asStandardJson(sourceCode: string): string {
  const text = sourceCode.trim();
  if (!text.startsWith('{') || !text.endsWith('}')) {
    throw invalid('Error! sourceCode must be standard JSON: an object with language, sources and settings');
  }
  return /^\{\s*\{/.test(text) ? text : `{${text}}`;
}

/** Both spellings are in use. The code on the chain says which arguments a contract was created with. */
function assertArguments(members: CallMembers): void {
  for (const name of ['constructorArguements', 'constructorArguments']) {
    const value = (members.get(name) ?? '').trim();
    if (!/^(?:0x)?(?:[0-9a-f]{2})*$/i.test(value)) {
      throw invalid(`Error! Invalid constructor arguments: ${name} must be whole bytes in hex`);
    }
  }
}

/** `libraryname1` and `libraryaddress1` to 10, as the form of a single file has them. */
function readLibraries(members: CallMembers): string {
  const libraries: string[] = [];
  for (let number = 1; number <= maxLibraries; number++) {
    const name = (members.get(`libraryname${number}`) ?? '').trim();
    const address = (members.get(`libraryaddress${number}`) ?? '').trim();
    if (name === '' && address === '') continue;
    if (name === '' || /;/.test(name) || !/^(?:0x)?[0-9a-f]{40}$/i.test(address)) {
      throw invalid(`Error! libraryname${number} and libraryaddress${number} must be a name and an address`);
    }
    libraries.push(`${name}:${address}`);
  }
  return libraries.join(';');
}

function requireMember(members: CallMembers, name: string): string {
  const value = members.get(name) ?? '';
  if (value.trim() !== '') return value;
  throw invalid(`Error! Missing ${name}`);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
