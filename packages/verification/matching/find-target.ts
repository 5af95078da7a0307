// Which of the compiled contracts is meant: that of the named file; where none is named, the only one with that name.
import type { ContractTarget } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { StandardOutput } from './create-standard-compiler.ts';

/** Throws a VerificationError that names the candidates. */
export function findTarget(output: StandardOutput, { path, name }: ContractTarget): ContractTarget {
  const contracts = Object.entries(output.contracts ?? {}).flatMap(([file, inFile]) =>
    Object.keys(inFile).map((contract) => ({ path: file, name: contract })),
  );
  if (contracts.length === 0) {
    throw new VerificationError('no_compiler_output', 'The compiler made no contract of these sources.');
  }
  const named = contracts.filter((contract) => contract.name === name);
  // Before 0.4.9 the output has no file names: lib-sourcify expects the claimed path there.
  const inFile = named.find((contract) => contract.path === path) ?? named.find((contract) => contract.path === '');
  if (inFile) return { path, name };
  const [only] = named;
  if (path === '' && only !== undefined && named.length === 1) return only;
  const sameName = named.filter((contract) => contract.path.split('/').at(-1) === `${name}.sol`);
  if (path === '' && sameName.length === 1) return sameName[0]!;
  const candidates = (named.length > 0 ? named : contracts).slice(0, 20).map((one) => `${one.path}:${one.name}`);
  throw new VerificationError(
    'contract_not_found_in_compiler_output',
    `Contract not found in compiler output. Wanted ${path === '' ? '' : `${path}:`}${name}, compiled: ${candidates.join(', ')}.`,
    { details: { candidates } },
  );
}
