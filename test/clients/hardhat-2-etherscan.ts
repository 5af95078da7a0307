// hardhat-verify for Hardhat 2, with the mirror's `/api` as a custom chain, or the mirror as Sourcify. An API key that is one text would send it
// to api.etherscan.io whatever the configuration says: the key must be given by network.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { compilerNumber, copyContract, openPrinted, verifyNew } from './contract-project.ts';
import { readContractExamples } from './example-contracts.ts';
import type { ClientCall, MirrorPlace, VerifyingClient } from './outside-client.ts';
import { patienceMs } from './patience.ts';
import { runHardhat } from './run-hardhat.ts';

const sourcifyConfig = 'hardhat.sourcify.cjs';
const nobody = `0x${'ab'.repeat(20)}`;

export const hardhat2Etherscan: VerifyingClient = {
  packageName: '@nomicfoundation/hardhat-verify',
  version: '2.1.3',
  beside: ['hardhat@2.29.1', `solc@${compilerNumber}`],
  verifies: true,
  pointedBy: "etherscan: { customChains: [{ urls: { apiURL: '<address>/api' } }] }",
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    writeProject(context);
    const { evm_address: address } = (await readContractExamples(mirrorUrl)).reverter;
    const run = (...args: string[]) => runHardhat(folder, args, 'node_modules/hardhat/internal/cli/cli.js');
    const verify = (...more: string[]) => run('verify', '--network', 'mirror', ...more);
    // Its request waits for the verdict. Where the check takes too long for that, the mirror tells it to ask again.
    const bySourcify = async (address: string) => {
      let told = '';
      for (const until = Date.now() + patienceMs; ; ) {
        const { code, output } = await run('--config', sourcifyConfig, 'verify', '--network', 'mirror', address);
        told += output;
        if (!/send the same request again/.test(output) || Date.now() > until) return { code, output: told };
      }
    };
    return [
      {
        name: 'verify',
        async run() {
          const built = await run('compile');
          assert.equal(built.code, 0, built.output);
          const says = /Successfully verified contract/i;
          const contract = { name: 'Reverter', address };
          assert.ok((await verifyNew(mirrorUrl, contract, () => verify(address, 'false'), says)) > 0);
        },
      },
      {
        name: 'verify, by its verifier for Sourcify',
        async run() {
          const { evm_address: vault } = (await readContractExamples(mirrorUrl)).vault;
          const says = /Successfully verified contract|send the same request again.*already been verified/is;
          const contract = { name: 'Vault', address: vault };
          assert.ok((await verifyNew(mirrorUrl, contract, () => bySourcify(vault), says)) > 0);
        },
      },
      {
        name: 'verify, by its verifier for Sourcify, again',
        async run() {
          const { evm_address: vault } = (await readContractExamples(mirrorUrl)).vault;
          const { code, output } = await bySourcify(vault);
          assert.equal(code, 0, output);
          assert.match(output, /already been verified/i);
          assert.ok((await openPrinted(output, mirrorUrl, 'Vault')) > 0, output);
        },
      },
      {
        name: 'verify, again',
        async run() {
          const { code, output } = await verify(address, 'false');
          assert.equal(code, 0, output);
          assert.match(output, /already been verified/i);
        },
      },
      {
        name: 'verify, of an address without code',
        async run() {
          const { code, output } = await verify(nobody, 'false');
          assert.notEqual(code, 0);
          assert.match(output, /no bytecode|deployed/i);
        },
      },
    ];
  },
};

function writeProject({ folder, mirrorUrl }: MirrorPlace): void {
  for (const name of ['Reverter', 'Vault']) copyContract(folder, 'contracts', name);
  const network = 'mirror';
  const urls = { apiURL: `${mirrorUrl}/api`, browserURL: mirrorUrl };
  const config = {
    solidity: { version: compilerNumber, settings: artifacts.settings },
    networks: { [network]: { url: `${mirrorUrl}/rpc` } },
  };
  const etherscan = { apiKey: { [network]: 'any' }, customChains: [{ network, chainId: 298, urls }] };
  const sourcify = { enabled: true, apiUrl: mirrorUrl, browserUrl: mirrorUrl };
  writeConfig(folder, 'hardhat.config.cjs', { ...config, etherscan, sourcify: { enabled: false } });
  writeConfig(folder, sourcifyConfig, { ...config, etherscan: { enabled: false }, sourcify });
}

function writeConfig(folder: string, name: string, config: object): void {
  writeFileSync(
    join(folder, name),
    `const { subtask } = require('hardhat/config');
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names');
require('@nomicfoundation/hardhat-verify');
// The compiler that is installed, instead of one that would be downloaded.
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath: ${JSON.stringify(join(folder, 'node_modules/solc/soljson.js'))},
  isSolcJs: true,
  version: solcVersion,
  longVersion: ${JSON.stringify(artifacts.compiler.replace('.Emscripten.clang', ''))},
}));
module.exports = ${JSON.stringify(config)};
`,
  );
}
