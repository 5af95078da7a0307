// Verdicts of lib-sourcify's Verification, on a chain with one contract: the reference for ours.
import * as sourcify from '@ethereum-sourcify/lib-sourcify';
import { openKeptCompiler, soljsonOf } from '../../../packages/test-support/verification/kept-compilers.ts';
import { createStandardCompiler } from '../../../packages/verification/matching/create-standard-compiler.ts';
import type { SourceClaim } from '../../../packages/verification/terms/source-claim.ts';
import type { SideOutcome } from '../../../packages/verification/terms/verification-outcome.ts';

export type ReferenceQuestion = {
  claim: SourceClaim;
  /** 0x hex. */
  runtimeCode: string;
  creationCode: string | null;
};

type Side = Pick<SideOutcome, 'match' | 'transformations'> & { values: SideOutcome['transformationValues'] };

export type ReferenceVerdict = { code: string; runtime: Side; creation: Side };

sourcify.setLibSourcifyLogger({ logLevel: -1, setLevel: () => undefined, log: () => undefined });

/** @param number of the claim's compiler, `0.8.19` */
export async function judge(
  number: string,
  { claim, runtimeCode, creationCode }: ReferenceQuestion,
): Promise<ReferenceVerdict> {
  const loaded = await openKeptCompiler(soljsonOf(number));
  const compiler = createStandardCompiler(loaded) as unknown as sourcify.ISolidityCompiler;
  const make = claim.language === 'Yul' ? sourcify.YulCompilation : sourcify.SolidityCompilation;
  const input = structuredClone(claim.input) as unknown as sourcify.SolidityJsonInput;
  const chain = new sourcify.SourcifyChain({ name: 'one contract', chainId: 1, rpcs: [], supported: false });
  Object.assign(chain, {
    getBytecode: async () => runtimeCode,
    getTx: async () => ({ blockNumber: 1, from: '0x' }),
    getContractCreationBytecodeAndReceipt: async () => ({ creationBytecode: creationCode, txReceipt: { index: 0 } }),
  });
  const compilation = new make(compiler, claim.compilerVersion.replace(/^v/, ''), input, claim.target);
  const verification = new sourcify.Verification(
    compilation,
    chain,
    `0x${'11'.repeat(20)}`,
    creationCode ? '0x01' : undefined,
  );
  let code = 'match';
  try {
    await verification.verify();
  } catch (error) {
    code = (error as { code?: string }).code ?? String(error);
  }
  const { runtime, creation } = verification.transformations;
  return {
    code,
    runtime: { match: verification.status.runtimeMatch, transformations: runtime.list, values: runtime.values },
    creation: { match: verification.status.creationMatch, transformations: creation.list, values: creation.values },
  } as ReferenceVerdict;
}
