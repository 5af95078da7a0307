// Builds of one project, in the forms in which Hardhat 2 and 3 and Foundry leave them, made from what a compiler really
// answered.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { type CompiledContract, compileSolidity } from '../support/contracts/compile-solidity.ts';
import { sourceOf } from '../support/contracts/sample-contracts.ts';

export const longVersion = artifacts.compiler.replace('.Emscripten.clang', '');
const number = longVersion.split('+')[0]!;

export type Compiled = {
  input: { language: string; sources: Record<string, { content: string }>; settings: Record<string, unknown> };
  contracts: Record<string, Record<string, CompiledContract & { metadata: string }>>;
};

const abstract =
  'pragma solidity >=0.8.0;\ninterface Named { function name() external view returns (string memory); }\n';

/** Coin, Vault and an interface, with paths that begin with `before`. */
export async function compileProject(before: string): Promise<Compiled> {
  const input = {
    language: 'Solidity',
    sources: {
      [`${before}Coin.sol`]: { content: sourceOf('Coin') },
      [`${before}Vault.sol`]: { content: sourceOf('Vault') },
      [`${before}Named.sol`]: { content: abstract },
    },
    settings: artifacts.settings,
  };
  const [output] = await compileSolidity(number, [input]);
  return { input, contracts: output!.contracts as Compiled['contracts'] };
}

export function runtimeCode({ contracts }: Compiled, name: string): Buffer {
  const contract = Object.values(contracts).find((named) => Object.hasOwn(named, name))![name]!;
  return Buffer.from(contract.evm.deployedBytecode.object, 'hex');
}

export function writeJson(file: string, content: unknown): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const versions = { solcVersion: number, solcLongVersion: longVersion };

export function writeHardhat2(folder: string, { input, contracts }: Compiled): string {
  const output = { sources: {}, contracts };
  const info = { id: 'b2', _format: 'hh-sol-build-info-1', ...versions, input, output };
  return writeJson(join(folder, 'artifacts/build-info/b2.json'), info);
}

export function writeHardhat3(folder: string, { input, contracts }: Compiled): string {
  const id = 'solc-0_8_37-b3';
  const place = join(folder, 'artifacts/build-info');
  const userSourceNameMap = Object.fromEntries(
    Object.keys(input.sources).map((path) => [path.replace(/^project\//, ''), path]),
  );
  writeJson(join(place, `${id}.output.json`), {
    ...{ _format: 'hh3-sol-build-info-output-1', id },
    output: { sources: {}, contracts },
  });
  return writeJson(join(place, `${id}.json`), {
    ...{ _format: 'hh3-sol-build-info-1', id, ...versions, compilerType: 'solc' },
    ...{ userSourceNameMap, input },
  });
}

/** As `forge build` does: artifacts with metadata, and a build-info without input. `full`: as with --build-info. */
export function writeFoundry(folder: string, { input, contracts }: Compiled, full = false): void {
  writeJson(join(folder, 'foundry.toml'), '[profile.default]\n');
  for (const [path, { content }] of Object.entries(input.sources)) writeJson(join(folder, path), content);
  const info = { id: 'f1', source_id_to_path: {}, language: 'Solidity' };
  writeJson(join(folder, 'out/build-info/f1.json'), {
    ...info,
    ...(full && {
      _format: 'ethers-rs-sol-build-info-1',
      input: { version: number, ...input },
      output: { contracts, sources: {} },
      // Foundry's long version has no commit.
      ...{ solcVersion: number, solcLongVersion: number },
    }),
  });
  for (const [path, named] of Object.entries(contracts)) {
    for (const [name, { abi, evm, metadata }] of Object.entries(named)) {
      const bytecode = { ...evm.bytecode, object: `0x${evm.bytecode.object}` };
      writeJson(join(folder, 'out', path.slice(path.lastIndexOf('/') + 1), `${name}.json`), {
        ...{ abi, bytecode, methodIdentifiers: evm.methodIdentifiers },
        ...{ rawMetadata: metadata, metadata: JSON.parse(metadata), id: 0 },
      });
    }
  }
}
