// hardhat-verify for Hardhat 3, as for a chain that Etherscan itself does not know: the mirror's `/api` is named as the
// explorer of Etherscan's and of Blockscout's kind, and the mirror itself as Sourcify.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { compilerNumber, copyContract, verifyNew } from './contract-project.ts';
import { readContractExamples } from './example-contracts.ts';
import type { ClientCall, MirrorPlace, VerifyingClient } from './outside-client.ts';
import { runHardhat } from './run-hardhat.ts';

const nobody = `0x${'ab'.repeat(20)}`;

export const hardhatEtherscan: VerifyingClient = {
  packageName: '@nomicfoundation/hardhat-verify',
  version: '3.1.1',
  beside: ['hardhat@3.18.0', `solc@${compilerNumber}`],
  verifies: true,
  pointedBy: "chainDescriptors: { 298: { blockExplorers: { etherscan: { apiUrl: '<address>/api' } } } }",
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    writeProject(context);
    // One that is there now: contracts of the network come and go, and all coins have the same code.
    const findCoin = async () => (await readContractExamples(mirrorUrl)).coin.evm_address;
    const verify = (...more: string[]) => verifyBy('etherscan', ...more);
    const verifyBy = (provider: string, ...more: string[]) =>
      runHardhat(folder, ['verify', provider, '--network', 'mirror', ...more]);
    return [
      {
        name: 'verify etherscan',
        async run() {
          const built = await runHardhat(folder, ['build']);
          assert.equal(built.code, 0, built.output);
          const coin = { name: 'Coin', address: await findCoin() };
          const run = () => verify(coin.address, '1000000000');
          assert.ok((await verifyNew(mirrorUrl, coin, run, /verified successfully/i)) > 0);
        },
      },
      {
        name: 'verify blockscout',
        async run() {
          const { evm_address: address } = (await readContractExamples(mirrorUrl)).reverter;
          const run = () => verifyBy('blockscout', address, 'false');
          const pages = await verifyNew(mirrorUrl, { name: 'Reverter', address }, run, /verified successfully/i);
          assert.ok(pages > 0);
        },
      },
      {
        name: 'verify sourcify',
        async run() {
          const { evm_address: address } = (await readContractExamples(mirrorUrl)).vault;
          const run = () => verifyBy('sourcify', address);
          assert.ok((await verifyNew(mirrorUrl, { name: 'Vault', address }, run, /verified successfully/i)) > 0);
        },
      },
      {
        name: 'verify etherscan, again',
        async run() {
          const { code, output } = await verify(await findCoin(), '1000000000');
          assert.equal(code, 0, output);
          assert.match(output, /already been verified/i);
        },
      },
      {
        name: 'verify etherscan --force',
        async run() {
          const { code, output } = await verify('--force', await findCoin(), '1000000000');
          assert.equal(code, 0, output);
          assert.match(output, /verified successfully/i);
        },
      },
      {
        name: 'verify etherscan, of an address without code',
        async run() {
          const { code, output } = await verify(nobody, '1');
          assert.notEqual(code, 0);
          assert.match(output, /no bytecode|deployed/i);
        },
      },
    ];
  },
};

function writeProject({ folder, mirrorUrl }: MirrorPlace): void {
  for (const name of ['Coin', 'Reverter', 'Vault']) copyContract(folder, 'contracts', name);
  const path = join(folder, 'node_modules/solc/soljson.js');
  const build = { version: compilerNumber, path, settings: artifacts.settings };
  const explorer = { name: 'Ledger Mirror', url: mirrorUrl, apiUrl: `${mirrorUrl}/api` };
  const blockExplorers = { etherscan: explorer, blockscout: explorer };
  const config = {
    solidity: { profiles: { default: build, production: build } },
    networks: { mirror: { type: 'http', url: `${mirrorUrl}/rpc`, chainId: 298, chainType: 'generic' } },
    chainDescriptors: { 298: { name: 'Mirror', chainType: 'generic', blockExplorers } },
    verify: { etherscan: { apiKey: 'any' }, sourcify: { enabled: true, apiUrl: mirrorUrl } },
  };
  writeFileSync(
    join(folder, 'hardhat.config.js'),
    `import verify from '@nomicfoundation/hardhat-verify';\nexport default { plugins: [verify], ...${JSON.stringify(config)} };\n`,
  );
}
