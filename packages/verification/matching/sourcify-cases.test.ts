// Seven of Sourcify's own verification cases: code as it is on chain, sources, and what the check must find. They lie
// beside the repository; a case is skipped where its compiler is not at hand (LEDGER_MIRROR_VERIFY_COMPILERS: a
// folder).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { findRealData } from '../../../packages/test-support/streams/real-data.ts';
import { timeouts } from '../../../packages/test-support/timeouts.ts';
import { createVerifier } from '../create-verifier.ts';
import type { OnchainContract } from '../terms/onchain-contract.ts';
import type { CompilerInput } from '../terms/source-claim.ts';

const cases = findRealData('verification');
const files = cases.isAbsent ? [] : readdirSync(cases.path).filter((name) => name.endsWith('.json'));

const verifier = createVerifier({
  niceness: 0,
  compilers: { folder: process.env.LEDGER_MIRROR_VERIFY_COMPILERS ?? null, download: 'off', downloadUrl: '' },
  limits: { compileMs: 60_000, memoryBytes: 1_500_000_000, concurrent: 2, queue: 10, inputBytes: 1_000_000 },
  log: () => undefined,
});
const compilers = files.length > 0 ? await verifier.listCompilers() : [];
afterAll(() => verifier.close());

// Compilers have the lowest priority: on a busy machine a check takes many times its second.
vi.setConfig({ testTimeout: timeouts.test });

const words = { exact_match: 'perfect', match: 'partial' } as const;

type Case = {
  onchain: { creationBytecode: string; deployedBytecode: string };
  input: { compilerVersion: string; contractIdentifier: string; stdJsonInput: CompilerInput };
  verification: {
    creationMatch: keyof typeof words;
    creationValues: object;
    creationTransformations: object[];
    runtimeMatch: keyof typeof words;
    runtimeValues: object;
    runtimeTransformations: object[];
  };
  output: {
    compilationArtifacts: {
      abi: unknown;
      devdoc: unknown;
      userdoc: unknown;
      storageLayout: unknown;
      transientStorageLayout: unknown;
      sources: object;
    };
    creationCodeArtifacts: { cborAuxdata: object };
    runtimeCodeArtifacts: { cborAuxdata: object };
  };
};

describe.skipIf(cases.isAbsent)(`Sourcify's cases${cases.hint}`, () => {
  test.for(files)('%s', async (name, { skip }) => {
    const { onchain, input, verification, output } = JSON.parse(readFileSync(join(cases.path, name), 'utf8')) as Case;
    skip(!compilers.includes(input.compilerVersion), `needs the compiler ${input.compilerVersion}`);
    const separator = input.contractIdentifier.lastIndexOf(':');
    const outcome = await verifier.verify(toContract(onchain), {
      language: 'Solidity',
      compilerVersion: input.compilerVersion,
      input: input.stdJsonInput,
      target: {
        path: input.contractIdentifier.slice(0, separator),
        name: input.contractIdentifier.slice(separator + 1),
      },
    });
    expect(outcome.runtime).toMatchObject({
      match: words[verification.runtimeMatch],
      transformations: verification.runtimeTransformations,
    });
    expect(outcome.creation).toMatchObject({
      match: words[verification.creationMatch],
      transformations: verification.creationTransformations,
    });
    expect(outcome.runtime.transformationValues).toEqual(verification.runtimeValues);
    expect(outcome.creation.transformationValues).toEqual(verification.creationValues);
    expect(outcome.compilation?.runtimeArtifacts.cborAuxdata).toEqual(output.runtimeCodeArtifacts.cborAuxdata);
    expect(outcome.compilation?.creationArtifacts.cborAuxdata).toEqual(output.creationCodeArtifacts.cborAuxdata);
    const { abi, devdoc, userdoc, storageLayout, transientStorageLayout, sources } = output.compilationArtifacts;
    expect(outcome.compilation).toMatchObject({ abi, devdoc, userdoc, storageLayout, transientStorageLayout });
    expect(outcome.compilation?.sourceIds).toEqual(sources);
    const best = [outcome.runtime.match, outcome.creation.match].includes('perfect') ? 'perfect' : 'partial';
    expect(outcome.status).toBe(best);
  });
});

function toContract({ creationBytecode, deployedBytecode }: Case['onchain']): OnchainContract {
  return {
    chainId: '1',
    address: `0x${'12'.repeat(20)}`,
    otherAddresses: [],
    kind: 'contract',
    runtimeCode: Buffer.from(deployedBytecode.slice(2), 'hex'),
    creationCodes: [Buffer.from(creationBytecode.slice(2), 'hex')],
    deleted: false,
    creation: null,
    implementation: null,
  };
}
