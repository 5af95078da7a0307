// A process in which lib-sourcify's Verification judges claims, on a chain with one contract: the reference for ours.
// Requests come as JSON on standard input, answers go to standard output.
import { text } from 'node:stream/consumers';
import * as sourcify from '@ethereum-sourcify/lib-sourcify';
import { loadCompiler } from '../../../src/verification/compilers/load-compiler.ts';
import { createStandardCompiler } from '../../../src/verification/matching/create-standard-compiler.ts';
import type { ReferenceQuestion, ReferenceVerdict } from './ask-sourcify.ts';

sourcify.setLibSourcifyLogger({ logLevel: -1, setLevel: () => undefined, log: () => undefined });

const loaded = await loadCompiler(process.argv[2]!, async () => undefined);
const compiler = createStandardCompiler(loaded) as unknown as sourcify.ISolidityCompiler;
const questions = JSON.parse(await text(process.stdin)) as ReferenceQuestion[];
const verdicts: ReferenceVerdict[] = [];
for (const question of questions) verdicts.push(await judge(question));
process.stdout.write(JSON.stringify(verdicts), () => process.exit());

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
