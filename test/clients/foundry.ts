// `forge verify-contract`, which asks the mirror's `/api` as it asks Etherscan, and its `/v2` as it asks Sourcify.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { compilerNumber, copyContract, type Verified, verifyNew } from './contract-project.ts';
import { readContractExamples } from './example-contracts.ts';
import type { ClientCall, MirrorPlace, VerifyingClient } from './outside-client.ts';
import { runFoundry, writeCompiler } from './run-foundry.ts';

/** The configuration for the verifier "etherscan". */
const withKey = 'etherscan.toml';
const nobody = `0x${'ab'.repeat(20)}`;

export const foundry: VerifyingClient = {
  packageName: '@foundry-rs/forge',
  version: '1.7.1',
  beside: [`solc@${compilerNumber}`],
  verifies: true,
  pointedBy: '--verifier etherscan --verifier-url <address>/api',
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    writeProject(context);
    const contracts = await readContractExamples(mirrorUrl);
    const of = (name: 'coin' | 'counter' | 'reverter' | 'vault'): Verified => ({
      name: `${name[0]!.toUpperCase()}${name.slice(1)}`,
      address: contracts[name].evm_address,
    });
    const named = (name: string) => `src/${name}.sol:${name}`;
    const verifyNewBy = async (verifier: string, url: string, contract: Verified, says: RegExp): Promise<number> =>
      verifyNew(mirrorUrl, contract, () => verify(verifier, url, contract.address, named(contract.name)), says);
    /**
     * Two minutes after its last question it gives up, and a check may take longer on a busy machine: then it takes
     * part in the same one.
     */
    const verify = async (...args: [verifier: string, url: string, ...more: string[]]) => {
      for (;;) {
        const ended = await verifyOnce(...args);
        if (ended.code === 0 || !/Verification is still pending/.test(ended.output)) return ended;
      }
    };
    const runForge = (args: string[]) =>
      runFoundry('forge', folder, args, {
        FOUNDRY_CONFIG: join(folder, args.includes('etherscan') ? withKey : 'foundry.toml'),
      });
    const verifyOnce = (verifier: string, url: string, ...more: string[]) =>
      runForge([
        ...['verify-contract', '--verifier', verifier, '--verifier-url', url, '--chain', '298', '--watch'],
        // Without the commit it would look it up in the network.
        ...['--compiler-version', artifacts.compiler.replace('.Emscripten.clang', '')],
        ...['--retries', '2', '--delay', '1', ...more],
      ]);
    const { address } = of('counter');
    const counter = named('Counter');
    const api = `${mirrorUrl}/api`;
    return [
      {
        name: 'verify-contract --verifier etherscan',
        async run() {
          assert.ok((await verifyNewBy('etherscan', api, of('counter'), /Pass - Verified/)) > 0);
        },
      },
      {
        name: 'verify-contract --verifier custom',
        async run() {
          assert.ok((await verifyNewBy('custom', api, of('reverter'), /Pass - Verified/)) > 0);
        },
      },
      {
        name: 'verify-contract --verifier blockscout',
        async run() {
          assert.ok((await verifyNewBy('blockscout', api, of('coin'), /Pass - Verified/)) > 0);
        },
      },
      {
        name: 'verify-contract --verifier sourcify',
        async run() {
          await verifyNewBy('sourcify', mirrorUrl, of('vault'), /successfully verified/i);
        },
      },
      {
        name: 'verify-contract --verifier custom, again',
        async run() {
          const { code, output } = await verify('custom', api, address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /already verified/i);
        },
      },
      {
        name: 'verify-contract --verifier custom --flatten, of what is verified',
        async run() {
          const force = ['--skip-is-verified-check', '--flatten', '--force'];
          const { code, output } = await verify('custom', api, ...force, address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /verified/i);
        },
      },
      {
        name: 'verify-contract --verifier sourcify, of what is verified',
        async run() {
          const { code, output } = await verify('sourcify', mirrorUrl, '--skip-is-verified-check', address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /verified/i);
        },
      },
      {
        name: 'verify-contract --verifier custom, of an address without code',
        async run() {
          const { code, output } = await verify('custom', api, nobody, counter);
          assert.notEqual(code, 0);
          assert.match(output, /Unable to locate ContractCode at/);
        },
      },
    ];
  },
};

function writeProject({ folder, mirrorUrl }: MirrorPlace): void {
  for (const name of ['Coin', 'Counter', 'Reverter', 'Vault']) copyContract(folder, 'src', name);
  const solc = writeCompiler(folder);
  const { evmVersion, optimizer } = artifacts.settings;
  const project = `[profile.default]
src = 'src'
libs = []
solc = '${solc}'
evm_version = '${evmVersion}'
optimizer = ${optimizer.enabled}
optimizer_runs = ${optimizer.runs}
`;
  writeFileSync(join(folder, 'foundry.toml'), project);
  // For a chain that Foundry does not know, the verifier "etherscan" takes its key from here alone; with a key every
  // other verifier becomes "etherscan".
  const table = `[etherscan]\nmirror = { key = 'any', chain = 298, url = '${mirrorUrl}/api' }\n`;
  writeFileSync(join(folder, withKey), `${project}${table}`);
}
