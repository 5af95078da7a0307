// The compiler's metadata of the simulated network's contracts, as tools hand it in.
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import { standardInput } from '../support/contracts/sample-contracts.ts';

type Compiled = { metadata: string };

/** Metadata by name, and Hardhat's build output with all of them. */
export async function compileMetadata(names: readonly ('Coin' | 'Vault')[]) {
  const inputs = names.map((name) => standardInput(name));
  const outputs = await compileSolidity('0.8.37', inputs);
  const metadata = Object.fromEntries(
    names.map((name, i) => {
      const { metadata: text } = outputs[i]!.contracts[`${name}.sol`]![name] as unknown as Compiled;
      return [name, text];
    }),
  ) as Record<(typeof names)[number], string>;
  const buildInfo = JSON.stringify({
    _format: 'hh-sol-build-info-1',
    solcVersion: '0.8.37',
    input: { language: 'Solidity', sources: Object.assign({}, ...inputs.map(({ sources }) => sources)) },
    output: { contracts: Object.assign({}, ...outputs.map(({ contracts }) => contracts)) },
  });
  return { metadata, buildInfo };
}
