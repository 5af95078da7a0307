// Contract transactions of a simulated network, run again from the store at their place: everything that the ledger
// says of them is so again. More of them, and every format: run-reruns.ts.

import { expect, it } from 'vitest';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { rerunNetwork } from './rerun-network.ts';

const networks = [
  ['record files, all gas comes back', 'reruns', { maxGasBack: 100 }],
  ['a block stream, a fifth comes back', 'reruns in blocks', { format: 'blocks' }],
] as const;

it.each(isLong ? networks.slice(0, 1) : networks.slice(1))(
  'do again what they did: %s',
  { timeout: 240_000 },
  async (_, seed, network) => {
    const reruns = await rerunNetwork({ seed, blocks: 11, transactionsPerBlock: 50, mix: 'contracts', network });
    expect(reruns.different).toEqual([]);
    expect(reruns.equal).toBeGreaterThan(300);
    const { kinds } = reruns;
    for (const type of [0, 1, 2, 4]) expect(kinds[`Ethereum type ${type}`]).toBeGreaterThan(10);
    for (const kind of [
      'HAPI',
      'creation',
      'CREATE2',
      'nested call',
      'inner failure',
      'value inside',
      'account made',
      'access list',
    ]) {
      expect([kind, (kinds[kind] ?? 0) > 3]).toEqual([kind, true]);
    }
    for (const kind of [
      'precompile',
      'system contract',
      'delegation set',
      'delegated account called',
      'CONTRACT_REVERT_EXECUTED',
    ]) {
      expect([kind, (kinds[kind] ?? 0) > 3]).toEqual([kind, true]);
    }
    expect(reruns.refused.WRONG_NONCE).toBeGreaterThan(0);
  },
);
