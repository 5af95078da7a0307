// 0x169: a number that nobody foresees. The ledger takes it from a running hash that a mirror does not have at every place of a
// block; here it is one for the block.
import { keccak_256 } from '@noble/hashes/sha3.js';
import { writeWord } from '../base/word.ts';
import { systemFunction } from './functions/function.ts';
import { succeed } from './functions/reply.ts';
import { systemContractOf } from './functions/system-contract-of.ts';
import { operationGas } from './gas/prices.ts';

export const prng = systemContractOf({
  functions: [
    systemFunction('getPseudorandomSeed()', false, (_, { world, block }) =>
      succeed(keccak_256(writeWord(block.prevRandao)), operationGas(world.fact({ kind: 'fees' }), 'prng')),
    ),
  ],
});
