// A process with the one compiler that its argument names. Checks are answered as in the process that the program starts for each;
// claims are judged by lib-sourcify's Verification, on a chain with one contract: the reference for ours.
import * as sourcify from '@ethereum-sourcify/lib-sourcify';
import type { CheckRequest } from '../../../packages/verification/compilers/check-protocol.ts';
import { loadCompiler } from '../../../packages/verification/compilers/load-compiler.ts';
import { answerCheck } from '../../../packages/verification/matching/answer-check.ts';
import { createStandardCompiler } from '../../../packages/verification/matching/create-standard-compiler.ts';
import type { ReferenceQuestion, ReferenceVerdict } from './open-compiler-process.ts';

sourcify.setLibSourcifyLogger({ logLevel: -1, setLevel: () => undefined, log: () => undefined });

const path = process.argv[2]!;
const loaded = await loadCompiler(path, async () => undefined);
const compiler = createStandardCompiler(loaded) as unknown as sourcify.ISolidityCompiler;
let last: Promise<unknown> = Promise.resolve();

process.on('message', (question: { check: CheckRequest } | { judge: ReferenceQuestion }) => {
  last = last.then(async () => process.send!(await answer(question)));
});

function answer(question: { check: CheckRequest } | { judge: ReferenceQuestion }): Promise<unknown> {
  if ('judge' in question) return judge(question.judge);
  if (!('compilerPath' in question.check) || question.check.compilerPath !== path)
    throw new Error('This process has another compiler');
  return answerCheck(
    question.check,
    async () => undefined,
    async () => loaded,
  );
}

async function judge({ claim, runtimeCode, creationCode }: ReferenceQuestion): Promise<ReferenceVerdict> {
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
