// 0x168: tinycents and tinybars, by the rate of the file 0.0.112.

import { readSelector, selectorOf } from '../../abi/selector.ts';
import { halts } from '../base/halt.ts';
import { readWord, writeWord } from '../base/word.ts';
import type { SystemContract } from '../frame/system-contract.ts';

const signatures = ['tinycentsToTinybars(uint256)', 'tinybarsToTinycents(uint256)'];
const [toTinybars, toTinycents] = signatures.map(selectorOf);
const inputLength = 36;
const gas = 100;
/** The result is written with its sign. */
const limit = 1n << 255n;

export const exchangeRate: SystemContract = {
  signatures,
  takesValue: () => false,
  run({ data }, { world }) {
    if (data.length !== inputLength) return { kind: 'halt', halt: halts.precompile };
    const selector = readSelector(data);
    if (selector !== toTinybars && selector !== toTinycents) return { kind: 'halt', halt: halts.precompile };
    const { hbar, cent } = world.fact({ kind: 'exchangeRate' });
    const amount = readWord(data, 4, 32);
    const result = selector === toTinybars ? (amount * hbar) / cent : (amount * cent) / hbar;
    if (result >= limit) return { kind: 'halt', halt: halts.precompile };
    return { kind: 'success', output: writeWord(result), gas };
  },
};
