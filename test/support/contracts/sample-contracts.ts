// Contracts for tests: the simulated network's own, with the code that their creation leaves behind.
import { readFileSync } from 'node:fs';
import artifacts from '../../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };

type Name = 'Coin' | 'Reverter' | 'Vault';

export const compilerVersion = 'v0.8.37+commit.f401782d';

export function sourceOf(name: Name): string {
  return sourceFile(`${name}.sol`);
}

/** A source of the simulated network. */
export function sourceFile(path: string): string {
  return readFileSync(new URL(`../../../packages/simulated-network/contracts/${path}`, import.meta.url), 'utf8');
}

export function initcodeOf(name: Name): Buffer {
  return Buffer.from(artifacts.contracts[name].initcode, 'hex');
}

/** None of these has immutables: what is deployed stands in the creation code behind the first RETURN and INVALID. */
export function runtimeCodeOf(name: Name): Buffer {
  const initcode = initcodeOf(name);
  return initcode.subarray(initcode.indexOf('f3fe', 0, 'hex') + 2);
}

/** Etherscan's record of one flat file; `change` makes it another one. */
export function flatRecord(name: Name, change: (source: string) => string = (source) => source) {
  const { optimizer, evmVersion } = artifacts.settings;
  return {
    SourceCode: change(sourceOf(name)),
    ContractName: name,
    CompilerVersion: compilerVersion,
    OptimizationUsed: '1',
    Runs: String(optimizer.runs),
    EVMVersion: evmVersion,
    Library: '',
  };
}

export function standardInput(name: Name, change: (source: string) => string = (source) => source) {
  const sources = { [`${name}.sol`]: { content: change(sourceOf(name)) } };
  return { language: 'Solidity', sources, settings: artifacts.settings };
}
