// Blocks of simulated and real networks, changed at random: what the test and the long program of mutated blocks have
// in common.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type BlockStreamItem, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { readOpeningState } from '../../packages/streams/block-stream/opening-state.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { type BlockReading, judgeReading, readForJudge } from '../../packages/test-support/streams/judge-block.ts';
import {
  keepsRoot,
  type Mutation,
  type MutationKind,
  mutated,
} from '../../packages/test-support/streams/mutate-block.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type WriteNetworkOptions, writeNetwork } from '../../packages/test-support/streams/write-network.ts';

export type NamedBlock = { name: string; items: BlockStreamItem[] };

export const mutationKinds = Object.keys(keepsRoot) as MutationKind[];

export async function simulateBlocks(options: Omit<WriteNetworkOptions, 'folder'>): Promise<NamedBlock[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mutated-'));
  try {
    await writeNetwork({ ...options, folder, format: 'blocks' });
    return readFolder(join(folder, 'blocks'), `${options.seed} ${options.stateForm ?? ''}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Empty where they are absent. */
export function realBlocks(): NamedBlock[] {
  const { path, isAbsent } = findRealData('blocks');
  if (isAbsent) return [];
  const networks = readdirSync(path).filter((name) => name.startsWith('consensus-node'));
  return networks.flatMap((name) => readFolder(join(path, name), name));
}

function readFolder(folder: string, network: string): NamedBlock[] {
  const names = readdirSync(folder).filter((name) => name.includes('.blk'));
  return names.map((name) => ({
    name: `${network} ${name}`,
    items: splitBlock(unpackBlockFile(readFileSync(join(folder, name)))),
  }));
}

export type MutationCounts = { variants: number; whole: number; shown: number; missing: number; doubts: number };

/** `findings`: what was said falsely, or thrown. Two or three of them are enough to look for the cause. */
export function judgeMutations(
  { name, items }: NamedBlock,
  kind: MutationKind,
  { numRuns, seed }: { numRuns: number; seed: number },
): { counts: MutationCounts; findings: string[] } {
  const truth = readForJudge(items);
  const counts: MutationCounts = { variants: 0, whole: 0, shown: 0, missing: 0, doubts: 0 };
  const findings = truth.doubts === 0 ? [] : [`${name}: ${truth.doubts} doubts of the block itself`];
  for (const [index, mutation] of fc.sample(mutated(items, kind), { numRuns, seed }).entries()) {
    const found = tryRead(mutation);
    counts.variants += 1;
    const place = `${kind}, ${name}, seed ${seed}, run ${index}`;
    if ('error' in found) findings.push(`${place}: ${found.error.stack}`);
    else {
      const verdict = judgeReading(found, truth);
      const said = kind === 'content' ? findFalsePairs(found, mutation, items) : verdict.false;
      for (const sentence of said) findings.push(`${place}: ${sentence}`);
      counts.whole += verdict.missing + verdict.partial === 0 ? 1 : 0;
      counts.shown += verdict.shown;
      counts.missing += verdict.missing;
      counts.doubts += found.doubts > 0 ? 1 : 0;
      const isSilent = keepsRoot[kind] && verdict.missing + verdict.partial > 0 && found.doubts === 0;
      if (isSilent) findings.push(`${place}: something is missing, and nothing is said`);
    }
  }
  return { counts, findings };
}

function tryRead({ items }: Mutation): BlockReading | { error: Error } {
  try {
    readOpeningState(items, []);
    return readForJudge(items);
  } catch (error) {
    return { error: error as Error };
  }
}

/** Of other content the truth is another one; which transaction of the other items has a result is the same. */
function findFalsePairs(
  found: BlockReading,
  { items, changed }: Mutation,
  whole: readonly BlockStreamItem[],
): string[] {
  const ofTruth = readForJudge(whole).pairs;
  const kept = new Set(items.filter((item) => !changed.has(item)).map(({ content }) => content.toString('hex')));
  // One that was changed may say what another one says.
  for (const { content } of changed) kept.delete(content.toString('hex'));
  return [...found.pairs].flatMap(([result, transaction]) => {
    const own = ofTruth.get(result);
    if (!own || own === transaction || !kept.has(result) || !kept.has(transaction)) return [];
    return [`the result ${result.slice(0, 40)} at another transaction`];
  });
}
