// 0x169: a number that cannot be foreseen. The ledger takes it from a running hash that a mirror does not have at every
// place of a block; here it is one for the block.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { readSelector, selectorOf } from '../../abi/selector.ts';
import { halts } from '../base/halt.ts';
import { writeWord } from '../base/word.ts';
import type { SystemContract } from '../frame/system-contract.ts';
import { operationGas, viewGas } from './gas/prices.ts';

const signature = 'getPseudorandomSeed()';
const getPseudorandomSeed = selectorOf(signature);

export const prng: SystemContract = {
  signatures: [signature],
  takesValue: () => false,
  run({ data, isStatic }, { world, block }) {
    if (data.length < 4 || readSelector(data) !== getPseudorandomSeed) return { kind: 'halt', halt: halts.precompile };
    const fees = world.fact({ kind: 'fees' });
    // Nothing is dispatched in a static frame.
    const gas = isStatic ? viewGas(fees) : Math.max(viewGas(fees), operationGas(fees, 'prng'));
    return { kind: 'success', output: keccak_256(writeWord(block.prevRandao)), gas };
  },
};
