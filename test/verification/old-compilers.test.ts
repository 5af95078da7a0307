// Compilers before 0.4: their version text has another form, they know neither files nor standard JSON, and what they
// put out is translated. A small program takes the place of one here: it says and puts out what they do.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createVerifier } from '../../packages/verification/create-verifier.ts';

const compilers = [
  {
    number: '0.3.6',
    says: '0.3.6-3fc68da5/Release-Emscripten/clang',
    long: '0.3.6+commit.3fc68da5',
    sourceIds: { 'a.sol': { id: 0 }, 'b.sol': { id: 1 } },
  },
  {
    number: '0.3.5',
    says: '0.3.5-0/Release-Emscripten/clang/Interpreter',
    // It does not say its commit; the list of all compilers does.
    long: '0.3.5+commit.5f97274a',
    sourceIds: null,
  },
  {
    number: '0.1.6',
    says: '0.1.6-d41f8b7c/Release-Emscripten/clang/int linked to libethereum-0.9.92-d41f8b7c/Release-Emscripten/clang/int',
    long: '0.1.6+commit.d41f8b7c',
    sourceIds: null,
  },
];

const contract = {
  interface: JSON.stringify([{ inputs: [{ name: 'v', type: 'uint256' }], type: 'constructor' }]),
  bytecode: '6001600255',
  runtimeBytecode: '6003600455',
  functionHashes: {},
  gasEstimates: {},
  opcodes: '',
  assembly: {},
};

function programOf(says: string, sourceList: string[] | undefined): string {
  const output = {
    contracts: { Old: contract },
    sourceList,
    sources: { 'a.sol': {}, 'b.sol': {} },
  };
  return `const functions = {
    version: () => ${JSON.stringify(says)},
    compileJSONMulti: () => ${JSON.stringify(JSON.stringify(output))},
  };
  module.exports = { _version: 1, _compileJSONMulti: 1, cwrap: (name) => functions[name] };`;
}

test.each(compilers)('$number is known by its commit, and compiles', async ({ number, says, long, sourceIds }) => {
  const folder = mkdtempSync(join(tmpdir(), 'old-compilers-'));
  writeFileSync(
    join(folder, `soljson-v${number}.js`),
    programOf(says, sourceIds === null ? undefined : Object.keys(sourceIds)),
  );
  const verifier = createVerifier({
    niceness: 0,
    compilers: { folder, download: 'off', downloadUrl: '' },
    limits: { compileMs: 60_000, memoryBytes: 1_000_000_000, concurrent: 1, queue: 10, inputBytes: 1_000_000 },
    log: () => undefined,
  });
  const source = { content: 'contract Old { function Old(uint v) {} }' };
  const outcome = await verifier.verify(
    {
      chainId: '1',
      address: `0x${'12'.repeat(20)}`,
      otherAddresses: [],
      kind: 'contract',
      runtimeCode: Buffer.from(contract.runtimeBytecode, 'hex'),
      creationCodes: [Buffer.from(`${contract.bytecode}${'07'.padStart(64, '0')}`, 'hex')],
      deleted: false,
      creation: null,
      implementation: null,
    },
    {
      language: 'Solidity',
      compilerVersion: `v${long}`,
      input: { language: 'Solidity', sources: { 'a.sol': source, 'b.sol': { content: '' } }, settings: {} },
      target: { path: 'a.sol', name: 'Old' },
    },
  );
  await verifier.close();
  rmSync(folder, { recursive: true });
  expect(outcome).toMatchObject({
    status: 'partial',
    runtime: { match: 'partial' },
    creation: { match: 'partial', transformationValues: { constructorArguments: `0x${'07'.padStart(64, '0')}` } },
    compilation: {
      compilerVersion: long,
      target: { path: 'a.sol', name: 'Old' },
      sourceIds,
      runtimeArtifacts: { linkReferences: {}, immutableReferences: {} },
      creationArtifacts: { linkReferences: {} },
    },
  });
});
