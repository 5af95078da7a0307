// The shapes of Otterscan: a value counts as moved only where nothing above it failed.
import { expect, it } from 'vitest';
import type { CallFrame } from './call-tree.ts';
import { toDepthList, toOperations } from './otterscan.ts';

function call(type: string, to: string | null, more: Partial<CallFrame> = {}): CallFrame {
  return { type, from: '0xa', to, gas: '0x1', gasUsed: '0x1', input: '0x01', output: '0x02', value: '0x5', ...more };
}

const failed = { error: 'execution reverted' };
const tree = call('CALL', '0x0', {
  calls: [
    call('CALL', '0x1', { calls: [call('CREATE2', '0x2'), call('STATICCALL', '0x3')] }),
    call('CALL', '0x4', { ...failed, calls: [call('CALL', '0x5')] }),
    call('DELEGATECALL', '0x6', { calls: [call('CALL', '0x7', { value: '0x0' }), call('CREATE', '0x8')] }),
    call('CREATE', null, failed),
  ],
});

it('lists what moved, not what was undone', () => {
  expect(toOperations(tree)).toEqual([
    { type: 0, from: '0xa', to: '0x1', value: '0x5' },
    { type: 3, from: '0xa', to: '0x2', value: '0x5' },
    { type: 2, from: '0xa', to: '0x8', value: '0x5' },
  ]);
  expect(toOperations({ ...tree, ...failed })).toEqual([]);
});

it('lists every call with its depth', () => {
  expect(toDepthList(tree).map(({ to, depth, value }) => [to, depth, value])).toEqual([
    ['0x0', 0, '0x5'],
    ['0x1', 1, '0x5'],
    ['0x2', 2, '0x5'],
    ['0x3', 2, null],
    ['0x4', 1, '0x5'],
    ['0x5', 2, '0x5'],
    ['0x6', 1, null],
    ['0x7', 2, '0x0'],
    ['0x8', 2, '0x5'],
    [`0x${'0'.repeat(40)}`, 1, '0x5'],
  ]);
});
