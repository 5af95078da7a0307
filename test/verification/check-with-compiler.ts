// A small contract is checked with one compiler, as the program checks it: compared with what the same compiler makes
// of it. What the compiler's process took at its peak is read from the kernel meanwhile.
import { readdirSync, readFileSync } from 'node:fs';
import type { Verifier } from '../../packages/verification/create-verifier.ts';
import type { OnchainContract } from '../../packages/verification/terms/onchain-contract.ts';
import type { SourceClaim } from '../../packages/verification/terms/source-claim.ts';

export type CompilerCheck = { compilerVersion: string; status: string; peakBytes: number };

/** Of all Solidity from 0.4.11 on. */
const source = 'contract Sample { uint256 public total; function add(uint256 value) public { total += value; } }';

/**
 * @param number `0.8.7`; throws the VerificationError of a check that cannot be made. Linux only: elsewhere there is no
 * peak.
 */
export async function checkWithCompiler(verifier: Verifier, number: string): Promise<CompilerCheck> {
  const claim: SourceClaim = {
    language: 'Solidity',
    compilerVersion: number,
    input: { language: 'Solidity', sources: { 'Sample.sol': { content: source } }, settings: {} },
    target: { path: 'Sample.sol', name: 'Sample' },
  };
  const watch = watchPeakOfChildren();
  try {
    const { runtime, message } = await verifier.verify(deployed('0x00'), claim);
    if (runtime.compiledCode === null) throw new Error(message);
    const { status, compilation } = await verifier.verify(deployed(runtime.compiledCode), claim);
    return { compilerVersion: compilation?.compilerVersion ?? '', status, peakBytes: watch.peakBytes() };
  } finally {
    watch.end();
  }
}

function deployed(code: string): OnchainContract {
  return {
    chainId: '298',
    address: `0x${'77'.repeat(20)}`,
    otherAddresses: [],
    kind: 'contract',
    runtimeCode: Buffer.from(code.slice(2), 'hex'),
    creationCodes: [],
    deleted: false,
    creation: null,
    implementation: null,
  };
}

/** The largest peak of resident memory among this process's children. */
function watchPeakOfChildren(): { peakBytes(): number; end(): void } {
  let peak = 0;
  const timer = setInterval(() => {
    for (const pid of childrenOfThisProcess()) peak = Math.max(peak, peakOf(pid));
  }, 10);
  return { peakBytes: () => peak, end: () => clearInterval(timer) };
}

function childrenOfThisProcess(): string[] {
  return readdirSync('/proc/self/task').flatMap((thread) =>
    read(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean),
  );
}

function peakOf(pid: string): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
}

/** Nothing of a process or thread that has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
