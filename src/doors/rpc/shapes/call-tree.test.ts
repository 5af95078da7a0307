// The tree of calls, and its list of paths: whatever calls there are, none is lost and each stands below its maker.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CallFrame, toCallTree, toPathTraces } from './call-tree.ts';

const place = { blockHash: '0x01', blockNumber: 1, transactionHash: '0x02', transactionPosition: 3 };

function frame(name: string, more: Partial<CallFrame> = {}): CallFrame {
  return {
    type: 'CALL',
    from: '0xa',
    to: name,
    gas: '0x1',
    gasUsed: '0x1',
    input: '0x',
    output: '0x',
    value: '0x0',
    ...more,
  };
}

/** Depths as a machine makes them: never more than one deeper than the call before. */
const depths = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 60 }).map((steps) => {
  let depth = 0;
  return steps.map((step) => {
    depth = Math.min(depth + 1, 1 + Math.floor(step * (depth + 1)));
    return depth;
  });
});

it('keeps every call, in order, at its depth', () => {
  fc.assert(
    fc.property(depths, (given) => {
      const calls = given.map((_, at) => frame(`0x${at}`));
      const root = frame('root', { calls: toCallTree(calls, given) });
      const [, ...inner] = toPathTraces(root, place);
      expect(inner.map(({ action }) => action.to)).toEqual(given.map((_, at) => `0x${at}`));
      expect(inner.map(({ traceAddress }) => traceAddress.length)).toEqual(given);
      for (const { traceAddress, subtraces } of [...inner]) {
        const below = inner.filter(
          (one) =>
            one.traceAddress.length === traceAddress.length + 1 &&
            one.traceAddress.slice(0, -1).join() === traceAddress.join(),
        );
        expect(below).toHaveLength(subtraces);
      }
    }),
  );
});

it.each([
  ['a revert', { error: 'execution reverted' }, { error: 'Reverted', result: null }],
  ['a lack of gas', { error: 'INSUFFICIENT_GAS' }, { error: 'Out of gas', result: null }],
  ['another halt', { error: 'INVALID_OPERATION' }, { error: 'INVALID_OPERATION', result: null }],
  ['an end', { output: '0x07' }, { result: { gasUsed: '0x1', output: '0x07' } }],
])('of %s says how it ended', (_name, more, expected) => {
  const [trace] = toPathTraces(frame('0xb', more), place);
  expect(trace).toMatchObject(expected);
  expect('error' in trace!).toBe('error' in more);
});

it('names what a creation made, with its code', () => {
  const [trace] = toPathTraces(frame('0xc', { type: 'CREATE2', input: '0x60', output: '0x00' }), place);
  expect(trace).toEqual({
    ...{ type: 'create', ...place, subtraces: 0, traceAddress: [] },
    action: { creationMethod: 'create2', from: '0xa', gas: '0x1', init: '0x60', value: '0x0' },
    result: { address: '0xc', code: '0x00', gasUsed: '0x1' },
  });
});
