// `forge verify-contract`, which asks the mirror's `/api` as it asks Etherscan, and its `/v2` as it asks Sourcify.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { compilerNumber, copyContract, findMatch } from './contract-project.ts';
import { readContractExamples } from './example-contracts.ts';
import type { ClientCall, ClientContext, OutsideClient } from './outside-client.ts';

/** The configuration for the verifier "etherscan". */
const withKey = 'etherscan.toml';
const nobody = `0x${'ab'.repeat(20)}`;

export const foundry: OutsideClient = {
  packageName: '@foundry-rs/forge',
  version: '1.7.1',
  beside: [`solc@${compilerNumber}`],
  pointedBy: '--verifier etherscan --verifier-url <address>/api',
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    writeProject(context);
    const { evm_address: address } = (await readContractExamples(mirrorUrl)).counter;
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
    const verifyOnce = (verifier: string, url: string, ...more: string[]) =>
      runForge(folder, [
        ...['verify-contract', '--verifier', verifier, '--verifier-url', url, '--chain', '298', '--watch'],
        // Without the commit it would look it up in the network.
        ...['--compiler-version', artifacts.compiler.replace('.Emscripten.clang', '')],
        ...['--retries', '2', '--delay', '1', ...more],
      ]);
    const counter = 'src/Counter.sol:Counter';
    return [
      {
        name: 'verify-contract --verifier etherscan',
        async run() {
          const { code, output } = await verify('etherscan', `${mirrorUrl}/api`, address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /Pass - Verified/);
          assert.match(String(await findMatch(mirrorUrl, address)), /^(exact_)?match$/);
        },
      },
      {
        name: 'verify-contract --verifier custom, again',
        async run() {
          const { code, output } = await verify('custom', `${mirrorUrl}/api`, address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /already verified/i);
        },
      },
      {
        name: 'verify-contract --verifier custom --flatten, of what is verified',
        async run() {
          const force = ['--skip-is-verified-check', '--flatten', '--force'];
          const { code, output } = await verify('custom', `${mirrorUrl}/api`, ...force, address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /verified/i);
        },
      },
      {
        name: 'verify-contract --verifier sourcify',
        async run() {
          const { code, output } = await verify('sourcify', mirrorUrl, '--skip-is-verified-check', address, counter);
          assert.equal(code, 0, output);
          assert.match(output, /verified/i);
        },
      },
      {
        name: 'verify-contract --verifier custom, of an address without code',
        async run() {
          const { code, output } = await verify('custom', `${mirrorUrl}/api`, nobody, counter);
          assert.notEqual(code, 0);
          assert.match(output, /Unable to locate ContractCode at/);
        },
      },
    ];
  },
};

async function runForge(folder: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const program = join(folder, `node_modules/@foundry-rs/forge-${platform()}/bin/forge`);
  const forge = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ ...process.env, NO_COLOR: '1', FOUNDRY_OFFLINE: 'true', HOME: join(folder, 'home') },
      FOUNDRY_CONFIG: join(folder, args.includes('etherscan') ? withKey : 'foundry.toml'),
    },
  });
  let output = '';
  for (const stream of [forge.stdout, forge.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(forge, 'close')) as [number | null];
  return { code, output };
}

/** As the package names its programs. */
function platform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}

/**
 * Foundry starts a compiler as a program, and looks for it where it installs compilers: this one runs the package's.
 */
function writeProject({ folder, mirrorUrl }: ClientContext): void {
  copyContract(folder, 'src', 'Counter');
  const script = join(folder, 'solc.cjs');
  writeFileSync(
    script,
    `const solc = require('solc');
if (process.argv.includes('--version')) console.log('solc, the solidity compiler\\nVersion: ' + solc.version());
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')));
`,
  );
  const place = join(folder, 'home/.svm', compilerNumber);
  mkdirSync(place, { recursive: true });
  const solc = join(place, `solc-${compilerNumber}`);
  writeFileSync(solc, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(solc, 0o755);
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
