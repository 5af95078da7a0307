// hardhat-verify, which verifies a contract of the simulated network: chain and code by JSON-RPC of a relay, sources
// and verdict by the mirror's own `/v2`.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { installClient } from '../support/program/install-client.ts';
import { compilerNumber, copyContract, findMatch, openPrinted } from './contract-project.ts';
import type { ContractExamples } from './example-contracts.ts';
import type { ClientCall } from './outside-client.ts';
import { runHardhat } from './run-hardhat.ts';

const project = {
  packageName: '@nomicfoundation/hardhat-verify',
  version: '3.1.1',
  beside: ['hardhat@3.18.0', `solc@${compilerNumber}`],
};

export type HardhatContext = { folder: string; relayUrl: string; mirrorUrl: string; contracts: ContractExamples };

export async function listHardhatCalls(context: HardhatContext): Promise<ClientCall[] | { skipped: string }> {
  const { folder, relayUrl, mirrorUrl, contracts } = context;
  const installed = await installClient(project, folder);
  if ('skipped' in installed) return installed;
  writeProject(context);
  // What a Coin of the simulated network is made with.
  const supply = '1000000000';
  const { evm_address: address } = contracts.coin;
  const verify = (...more: string[]) =>
    runHardhat(folder, ['verify', 'sourcify', '--network', 'mirror', ...more, address, supply]);
  return [
    {
      name: 'verify sourcify',
      async run() {
        const built = await runHardhat(folder, ['build']);
        assert.equal(built.code, 0, built.output);
        assert.equal(await findMatch(mirrorUrl, address), null);
        const { code, output } = await verify();
        assert.equal(code, 0, output);
        assert.match(output, /verified successfully/i);
        assert.match(String(await findMatch(mirrorUrl, address)), /^(exact_)?match$/);
        assert.ok((await openPrinted(output, mirrorUrl, 'Coin')) > 0, output);
      },
    },
    {
      name: 'verify sourcify, again',
      async run() {
        const { code, output } = await verify();
        assert.equal(code, 0, output);
        assert.match(output, /already been verified/i);
      },
    },
    {
      name: 'verify sourcify, of an address without code',
      async run() {
        const nobody = `0x${'ab'.repeat(20)}`;
        const { code, output } = await runHardhat(folder, [
          'verify',
          'sourcify',
          '--network',
          'mirror',
          nobody,
          supply,
        ]);
        assert.notEqual(code, 0);
        assert.match(output, /no bytecode|deployed/i, `${relayUrl} says that there is none`);
      },
    },
  ];
}

function writeProject({ folder, relayUrl, mirrorUrl }: HardhatContext): void {
  copyContract(folder, 'contracts', 'Coin');
  const path = join(folder, 'node_modules/solc/soljson.js');
  const build = { version: compilerNumber, path, settings: artifacts.settings };
  const config = {
    solidity: { profiles: { default: build, production: build } },
    networks: { mirror: { type: 'http', url: relayUrl, chainType: 'l1' } },
    verify: { sourcify: { enabled: true, apiUrl: mirrorUrl } },
  };
  writeFileSync(
    join(folder, 'hardhat.config.js'),
    `import verify from '@nomicfoundation/hardhat-verify';\nexport default { plugins: [verify], ...${JSON.stringify(config)} };\n`,
  );
}
