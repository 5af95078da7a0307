// Whether contract verification works: a small contract is compiled and compared with the code that the first run
// compiled.
import { createRequire } from 'node:module';
import type { Verifier } from './create-verifier.ts';
import { fromHex } from './terms/hex.ts';
import { type OnchainContract, toOnchainContract } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError } from './terms/verification-error.ts';

/**
 * The check throws if it could not be made or found something else. Returns how long compiling and comparing took, ms:
 * without waiting for others, the start of the process, and halts. It is no other client's doing.
 */
export function createSelfTest(verifier: Pick<Verifier, 'verify'>): () => Promise<number> {
  let known: string | null = null;
  return async () => {
    const code = known ?? (await compile());
    const { status, message, compilation } = await verifier.verify(deployed(code), claim);
    if (status !== 'perfect') throw new VerificationError('internal_error', `The self-test did not match: ${message}`);
    known = code;
    return compilation?.durationMs ?? 0;
  };

  async function compile(): Promise<string> {
    // Compared with impossible code, the check still returns what was compiled.
    const { runtime, message } = await verifier.verify(deployed('0x00'), claim);
    if (runtime.compiledCode === null) {
      throw new VerificationError('no_compiler_output', `The self-test was not compiled: ${message}`);
    }
    return runtime.compiledCode;
  }
}

const source = `// SPDX-License-Identifier: Apache-2.0
pragma solidity >=0.4.11;
contract SelfTest {
  function double(uint256 value) public pure returns (uint256) { return value * 2; }
}
`;

const claim: SourceClaim = {
  language: 'Solidity',
  // The compiler that comes with this program.
  compilerVersion: (createRequire(import.meta.url)('solc/package.json') as { version: string }).version,
  input: { language: 'Solidity', sources: { 'SelfTest.sol': { content: source } }, settings: {} },
  target: { path: 'SelfTest.sol', name: 'SelfTest' },
};

function deployed(code: string): OnchainContract {
  const contract = toOnchainContract('0', '0x0000000000000000000000000000000000000001', 'contract');
  return { ...contract, runtimeCode: fromHex(code) };
}
