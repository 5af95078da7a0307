// Whether sources are those of deployed code, in one call: the compiler is fetched where it is missing, runs in a
// process of its own with a limit of time and memory, and its code is compared as Sourcify compares it.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DownloadOptions } from './compilers/create-download.ts';
import { createVerifier, type Verifier } from './create-verifier.ts';
import { toOnchainContract } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import type { VerificationOutcome } from './terms/verification-outcome.ts';

export { createVerifier, type Verifier, type VerifierOptions } from './create-verifier.ts';
export { createRpcChain } from './onchain/rpc-chain.ts';
export type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';
export type { SourceClaim } from './terms/source-claim.ts';
export { VerificationError } from './terms/verification-error.ts';
export type { VerificationOutcome } from './terms/verification-outcome.ts';

export type ContractCode = {
  /** 0x and 40 hex digits. */
  address: string;
  runtimeCode: Uint8Array;
  /** With constructor arguments; default: unknown. */
  creationCode?: Uint8Array;
};

export type CheckOptions = {
  /** Where compilers are kept; default: a folder of the system's temporary one. */
  folder?: string;
  /** How missing compilers are fetched; default: npm, as packages. */
  download?: DownloadOptions['download'];
  /** For what an operator should know; default: nothing is written. */
  log?(line: string): void;
};

/** Makes one check, and ends what it started. Rejects with a VerificationError if no check could be made. */
export async function checkContract(
  code: ContractCode,
  claim: SourceClaim,
  options: CheckOptions = {},
): Promise<VerificationOutcome> {
  const verifier = openVerifier(options);
  try {
    return await verifier.verify(toOnchain(code), claim);
  } finally {
    await verifier.close();
  }
}

/** For several checks: close it at the end. */
export function openVerifier(options: CheckOptions = {}): Verifier {
  const { folder = join(tmpdir(), 'solidity-compilers'), download = 'npm', log = () => {} } = options;
  return createVerifier({
    compilers: { folder, download, downloadUrl: 'https://binaries.soliditylang.org/bin' },
    limits: { compileMs: 120_000, memoryBytes: 1_024_000_000, concurrent: 1, queue: 20, inputBytes: 10_000_000 },
    log,
  });
}

function toOnchain({ address, runtimeCode, creationCode }: ContractCode) {
  return {
    ...toOnchainContract('0', address.toLowerCase(), 'contract'),
    runtimeCode: Buffer.from(runtimeCode),
    creationCodes: creationCode ? [Buffer.from(creationCode)] : [],
  };
}
