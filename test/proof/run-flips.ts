// node scripts/run.mjs test/proof/run-flips.ts [--every <n>] [--blocks <n>] [<block> …]: flips every bit, or every
// n-th, of the proofs of real blocks, then bits of whole blocks, and prints what was verified all the same: nothing.
// Some minutes.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createProofVerifier } from '../../packages/proof/verify-block-proof.ts';
import { StreamFileError } from '../../packages/protocol/stream-file-error.ts';
import { createRandomIndex, flipBit, regionsOf } from './flips.ts';
import { firstSeen, readRealBlock, realBlocks, toBlockToProve } from './real-block.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, blocks: { type: 'string', default: '2000' } },
});
const step = Number(values.every);
const ofBlocks = Number(values.blocks);
const all = [
  'consensus-node-0.73/1',
  'consensus-node-0.77/1',
  'consensus-node-0.78/1',
  'consensus-node-0.78/5',
  'consensus-node-0.78-settled/391',
];

if (realBlocks.isAbsent) throw new Error(`there is no ${realBlocks.path}`);
let accepted = 0;
for (const path of positionals.length > 0 ? positionals : all) {
  flipProof(path);
  flipBlock(path);
}
process.exitCode = accepted === 0 ? 0 : 1;

function flipProof(path: string): void {
  const block = toBlockToProve(readRealBlock(path));
  const trust = firstSeen(path.split('/')[0]!);
  const verifier = createProofVerifier({ random: randomBytes });
  const [content] = block.proofs;
  const cpu = process.cpuUsage();
  const checks = new Map<string, number>();
  let flips = 0;
  for (const { name, start, end } of regionsOf(content!)) {
    for (let bit = start * 8; bit < end * 8; bit += step) {
      const { verdict } = verifier.verify({ ...block, proofs: [flipBit(content!, bit)] }, trust);
      flips += 1;
      const check = verdict.state === 'refused' ? verdict.check : verdict.state;
      checks.set(check, (checks.get(check) ?? 0) + 1);
      if (verdict.state === 'refused') continue;
      accepted += 1;
      console.log(`${path}: bit ${bit - start * 8} of ${name}: ${verdict.state}`);
    }
  }
  const { user, system } = process.cpuUsage(cpu);
  const counts = [...checks].map(([check, count]) => `${check} ${count}`).join(', ');
  console.log(`${path}: ${flips} proofs with a flipped bit: ${counts}; ${((user + system) / 1e6).toFixed(0)} s of CPU`);
}

function flipBlock(path: string): void {
  const bytes = readRealBlock(path);
  const trust = firstSeen(path.split('/')[0]!);
  const verifier = createProofVerifier({ random: randomBytes });
  const random = createRandomIndex(bytes.length);
  const states = new Map<string, number>();
  for (let count = 0; count < ofBlocks; count++) {
    const bit = random(bytes.length * 8);
    const state = stateOf(flipBit(bytes, bit));
    states.set(state, (states.get(state) ?? 0) + 1);
    if (state !== 'verified' && state !== 'unchecked') continue;
    accepted += 1;
    console.log(`${path}: bit ${bit} of the block: ${state}`);
  }
  console.log(
    `${path}: ${ofBlocks} blocks with a flipped bit: ${[...states].map((pair) => pair.join(' ')).join(', ')}`,
  );

  function stateOf(block: Buffer): string {
    try {
      return verifier.verify(toBlockToProve(block), trust).verdict.state;
    } catch (error) {
      if (error instanceof StreamFileError) return 'not a block';
      throw error;
    }
  }
}
