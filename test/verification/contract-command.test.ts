// `ledger-mirror contract verify` as a program, against a mirror that really compiles: builds of every tool, what was
// deployed by Ignition and by a broadcast, and files that are not what they should be.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';
import {
  type Compiled,
  compileProject,
  longVersion,
  runtimeCode,
  writeFoundry,
  writeHardhat2,
  writeHardhat3,
  writeJson,
} from './write-builds.ts';

let folder: string;
let stack: VerificationStack;
let hardhat2: Compiled;
let hardhat3: Compiled;
let foundry: Compiled;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-command-'));
  // The second chain of the stack is of the ledger, too.
  stack = await startVerificationStack({ explorers: [] });
  [hardhat2, hardhat3, foundry] = (await Promise.all(
    ['contracts/', 'project/contracts/', 'src/'].map(compileProject),
  )) as [Compiled, Compiled, Compiled];
  writeHardhat2(at('hardhat2'), hardhat2);
  writeHardhat3(at('hardhat3'), hardhat3);
  writeFoundry(at('foundry'), foundry);
  writeFoundry(at('foundry-full'), foundry, true);
});
afterAll(async () => {
  await stack?.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(folder, ...names);
let number = 9000;
const deploy = (build: Compiled, name: 'Coin' | 'Vault') =>
  stack.addContract(++number, { runtime: runtimeCode(build, name) });

const run = (args: string[], cwd = folder) => runHere(['contract', ...args], { cwd });

/** The same as a process. */
async function runProgram(args: string[], cwd = folder) {
  const program = runMirror(['contract', ...args], { cwd });
  const code = await program.ended;
  return { code, output: program.output() };
}

const ofMirror = () => ['--mirror', stack.url, '--chain', '298'];
const verify = (args: string[], cwd?: string) => run(['verify', ...args, ...ofMirror()], cwd);

it.each<[string, () => Compiled, string[]]>([
  ['a project of Hardhat 2', () => hardhat2, ['hardhat2', '--contract', 'Vault']],
  [
    'a build-info of Hardhat 2',
    () => hardhat2,
    ['hardhat2/artifacts/build-info/b2.json', '--contract', 'contracts/Vault.sol:Vault'],
  ],
  ['the output of Hardhat 3', () => hardhat3, ['hardhat3/artifacts', '--contract', 'Vault']],
  [
    'a contract by the name that Hardhat 3 shows',
    () => hardhat3,
    ['hardhat3', '--contract', 'contracts/Vault.sol:Vault'],
  ],
  [
    'the file of outputs of Hardhat 3',
    () => hardhat3,
    ['hardhat3/artifacts/build-info/solc-0_8_37-b3.output.json', '--contract', 'Vault'],
  ],
  ['a project of Foundry', () => foundry, ['foundry', '--contract', 'Vault']],
  ['an artifact of Foundry', () => foundry, ['foundry/out/Vault.sol/Vault.json']],
  ['a whole build-info of Foundry', () => foundry, ['foundry-full/out', '--contract', 'src/Vault.sol:Vault']],
])('%s', async (_case, build, args) => {
  const address = await deploy(build(), 'Vault');
  const { code, output } = await verify([address, ...args]);
  expect(output).toMatch(/^ok {5}\S+Vault\.sol:Vault at 0x\w{40}: verified, exact match \(runtime code: exact match;/m);
  expect(output).toContain(`${stack.url}/repo-ui/298/${address}`);
  expect(code).toBe(0);
  expect((await stack.get(`/v2/contract/298/${address}`)).body).toMatchObject({ match: 'exact_match' });
});

it('standard JSON, an id of the ledger, and JSON as result', async () => {
  await deploy(foundry, 'Vault');
  const input = writeJson(at('input.json'), foundry.input);
  const args = [
    `0.0.${number}`,
    '--input',
    input,
    '--compiler',
    `v${longVersion}`,
    '--contract',
    'src/Vault.sol:Vault',
    '--json',
  ];
  const { code, output } = await runProgram(['verify', ...args, ...ofMirror()]);
  const document = JSON.parse(output.slice(output.indexOf('{')));
  expect(document).toEqual({
    verified: true,
    results: [
      {
        ...{ address: `0.0.${number}`, contract: 'src/Vault.sol:Vault', isVerified: true, status: 'verified' },
        ...{ match: 'exact_match', creationMatch: null, runtimeMatch: 'exact_match', message: '' },
        verificationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        page: `${stack.url}/repo-ui/298/0.0.${number}`,
      },
    ],
  });
  expect(code).toBe(0);
});

it('another contract than that of the address: what differs, and exit code 1', async () => {
  const address = await deploy(foundry, 'Coin');
  const words = ['verify', address, 'foundry', '--contract', 'Vault'];
  const { code, output } = await runProgram([...words, ...ofMirror()]);
  expect(output).toMatch(/^FAILED src\/Vault\.sol:Vault at 0x\w{40}: (no_match|bytecode_length_mismatch)$/m);
  expect(output).toMatch(/Runtime code/);
  expect(code).toBe(1);
});

it('an address without code, and a compiler that is not there', async () => {
  const nobody = `0x${'ab'.repeat(20)}`;
  const nothing = await verify([nobody, 'foundry', '--contract', 'Vault']);
  expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining('contract_not_deployed') });
  const address = await deploy(foundry, 'Vault');
  const old = await verify([address, 'foundry', '--contract', 'Vault', '--compiler', '0.7.1']);
  expect(old).toMatchObject({ code: 1, output: expect.stringContaining('compiler_not_available') });
});

it('what is verified already is said to be, with exit code 0', async () => {
  const build = foundry.contracts['src/Vault.sol']!.Vault!;
  const runtime = runtimeCode(foundry, 'Vault');
  const initcode = Buffer.from(build.evm.bytecode.object, 'hex');
  const address = await stack.addContract(++number, { runtime, initcode });
  expect(await verify([address, 'foundry', '--contract', 'Vault'])).toMatchObject({ code: 0 });
  const { code, output } = await verify([address, 'foundry', '--contract', 'Vault']);
  expect(output).toMatch(/already verified, exact match/);
  expect(code).toBe(0);
});

it('--all: what Ignition deployed, from the sources that it kept, and from the build', async () => {
  const place = at('hardhat3/ignition/deployments/chain-298');
  const [coin, vault] = [await deploy(hardhat2, 'Coin'), await deploy(hardhat3, 'Vault')];
  writeJson(join(place, 'deployed_addresses.json'), { 'Main#Money': coin, 'Main#Vault': vault });
  // Deployed from an older build than the one that is there now.
  const artifact = { contractName: 'Coin', sourceName: 'contracts/Coin.sol', buildInfoId: 'old' };
  writeJson(join(place, 'artifacts/Main#Money.json'), artifact);
  const { input } = hardhat2;
  writeJson(join(place, 'build-info/old.json'), {
    _format: 'hh3-sol-build-info-1',
    solcLongVersion: longVersion,
    input,
  });
  const { code, output } = await verify(['--all', 'hardhat3']);
  expect(output).toMatch(/^ok {5}contracts\/Coin\.sol:Coin at 0x\w{40}: verified, exact match/m);
  expect(output).toMatch(/^ok {5}project\/contracts\/Vault\.sol:Vault at 0x\w{40}: verified, exact match/m);
  expect(code).toBe(0);
});

it('--all: what a script of Foundry broadcast; one that is not in the build does not hide the others', async () => {
  const [coin, vault, other] = [
    await deploy(foundry, 'Coin'),
    await deploy(foundry, 'Vault'),
    await deploy(foundry, 'Coin'),
  ];
  const create = { transactionType: 'CREATE', hash: null, arguments: null };
  const broadcast = {
    transactions: [
      { ...create, contractName: 'Coin', contractAddress: coin },
      { transactionType: 'CALL', contractName: 'Coin', contractAddress: coin },
      { ...create, transactionType: 'CREATE2', contractName: 'src/Vault.sol:Vault', contractAddress: vault },
      { ...create, contractName: 'Gone', contractAddress: other },
    ],
    libraries: [],
    chain: 298,
  };
  const file = writeJson(at('foundry/broadcast/Deploy.s.sol/298/run-latest.json'), broadcast);
  const { code, output } = await runProgram(['verify', '--all', ...ofMirror()], at('foundry'));
  expect(output.match(/^ok /gm)).toHaveLength(2);
  expect(output).toMatch(/^FAILED Gone at 0x\w{40}: not in the build$/m);
  expect(code).toBe(1);
  const elsewhere = await run(
    ['verify', '--all', '--deployments', file, '--mirror', stack.url, '--chain', '296'],
    at('foundry'),
  );
  expect(elsewhere).toMatchObject({ code: 2, output: expect.stringMatching(/it is one to chain 298/) });
});

const address = `0x${'00'.repeat(18)}04d2`;

it.each<[string, () => string[], RegExp]>([
  ['no words', () => [], /"contract" is not a command/],
  ['another operation', () => ['prove'], /"contract prove" is not a command/],
  ['no address', () => ['verify'], /Usage: ledger-mirror contract verify <address>/],
  ['no address but a folder', () => ['verify', './foundry'], /\.\/foundry is no address of a contract/],
  ['a long address', () => ['verify', '0'.repeat(100_000)], /is no address of a contract/],
  [
    'a file that is not there',
    () => ['verify', address, 'gone.json'],
    /gone\.json: there is no such file or folder\. Expected was/,
  ],
  ['a folder without a build', () => ['verify', address, mkdir('empty')], /nothing that was built is in it/],
  [
    'a file that is not JSON',
    () => ['verify', address, writeJson(at('text.json'), 'hello')],
    /text\.json: it is not JSON/,
  ],
  ['a list', () => ['verify', address, writeJson(at('list.json'), [])], /list\.json: it is JSON, but not an object/],
  ['JSON of another form', () => ['verify', address, writeJson(at('other.json'), {})], /it is JSON of another form/],
  [
    'a build without names',
    () => ['verify', address, 'foundry'],
    /has several contracts: name one with --contract <path:Name>\. There are src\/Coin/,
  ],
  [
    'a name that no contract has',
    () => ['verify', address, 'hardhat2', '--contract', 'Con'],
    /has no contract Con\. There are/,
  ],
  [
    'an interface',
    () => ['verify', address, 'hardhat2', '--contract', 'Named'],
    /Named has no code: it is an interface or abstract/,
  ],
  [
    'a prototype as name',
    () => ['verify', address, 'hardhat2', '--contract', '__proto__'],
    /has no contract __proto__/,
  ],
  [
    'standard JSON without a compiler',
    () => ['verify', address, '--input', writeJson(at('i.json'), foundry.input)],
    /--input needs --compiler/,
  ],
  ['standard JSON without sources', () => withInput({ language: 'Solidity' }), /i\.json: there are no "sources"/],
  [
    'a source without text',
    () => withInput({ sources: { 'a.sol': { urls: [] } } }),
    /the source "a\.sol" has no "content"/,
  ],
  [
    'a path that is not in it',
    () => withInput(foundry.input, 'a.sol:A'),
    /--contract must be <path:Name> with a path of/,
  ],
  [
    'standard JSON that is too large',
    () => ['verify', address, '--input', largeFile(20_000_000)],
    /at most 10000000 are read/,
  ],
  ['a build that is too large', () => ['verify', address, largeFile(300_000_000)], /at most 250000000 are read/],
  ['a build-info that is cut', () => ['verify', address, cutBuildInfo()], /it is not JSON/],
  [
    'a build-info without sources',
    () => ['verify', address, writeJson(at('bi.json'), buildInfo({}))],
    /in "input" there are no "sources"/,
  ],
  [
    'an address of a mirror that is none',
    () => ['verify', address, 'foundry', '--contract', 'Vault', '--mirror', 'localhost'],
    /--mirror must be the address of a mirror/,
  ],
  [
    'a chain that is none',
    () => ['verify', address, 'foundry', '--contract', 'Vault', '--chain', 'main'],
    /--chain must be a decimal chain id/,
  ],
  [
    'deployments of nothing',
    () => ['verify', '--all', 'hardhat2', '--chain', '298'],
    /no deployments to chain 298 are in it/,
  ],
  [
    'deployments without addresses',
    () => ['verify', '--all', '--chain', '298', '--deployments', writeJson(at('d.json'), { a: 'b' })],
    /"a" has no address/,
  ],
  [
    '--all with a contract',
    () => ['verify', '--all', '--chain', '298', '--contract', 'A'],
    /--contract has no meaning with --all/,
  ],
  ['an unknown flag', () => ['verify', address, '--folder', 'x'], /Unknown option '--folder'/],
])('%s: exit code 2, and a sentence that names it', async (_case, args, sentence) => {
  const { code, output } = await run(args());
  expect(output).toMatch(sentence);
  expect(output.length).toBeLessThan(2000);
  expect(code).toBe(2);
});

it('a call that is refused ends the program with exit code 2', async () => {
  const { code, output } = await runProgram(['verify', address, 'gone.json']);
  expect([code, output]).toEqual([2, expect.stringMatching(/gone\.json: there is no such file or folder/)]);
});

it('a source that was changed after the build is named', async () => {
  writeFoundry(at('changed'), foundry);
  const source = at('changed/src/Vault.sol');
  writeFileSync(source, `${readFileSync(source, 'utf8')}\n// changed\n`);
  const { code, output } = await verify([address, 'changed/out/Vault.sol/Vault.json']);
  expect(output).toMatch(
    /Vault\.sol: it has been changed since, build again\. Expected was the text that .*Vault\.json/,
  );
  expect(code).toBe(2);
});

it('a mirror that is away, or that is none', async () => {
  const args = [address, 'foundry', '--contract', 'Vault', '--chain', '298'];
  const away = await run(['verify', ...args, '--mirror', 'http://127.0.0.1:1']);
  expect(away).toMatchObject({
    code: 1,
    output: expect.stringMatching(/The mirror http:\/\/127\.0\.0\.1:1 cannot be asked/),
  });
  const other = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => other.once('listening', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const none = await run(['verify', ...args, '--mirror', url]);
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining('does not answer as a mirror does') });
  } finally {
    other.close();
  }
});

const withInput = (input: unknown, contract = 'a.sol:A') => [
  ...['verify', address, '--input', writeJson(at('i.json'), input)],
  ...['--compiler', '0.8.24', '--contract', contract],
];

const buildInfo = (input: unknown) => ({ _format: 'hh-sol-build-info-1', solcLongVersion: longVersion, input });

function mkdir(name: string): string {
  mkdirSync(at(name), { recursive: true });
  return name;
}

/** Of zeros that take no place on the disk. */
function largeFile(bytes: number): string {
  const file = writeJson(at(`large-${bytes}.json`), '');
  truncateSync(file, bytes);
  return file;
}

function cutBuildInfo(): string {
  return writeJson(at('cut.json'), readFileSync(at('hardhat2/artifacts/build-info/b2.json'), 'utf8').slice(0, 5000));
}
