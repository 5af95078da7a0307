import { expect, test } from 'vitest';
import { operation, toPaths } from './operation.ts';

const examples = { chainId: '298', contractAddress: `0x${'0'.repeat(39)}1` };

test('routes are described in their order, by path and method; other names of a route are left out', () => {
  const paths = toPaths(
    [
      { method: 'GET', url: '/b/:chain/:address', describe: ({ chainId }) => ({ summary: chainId }) },
      { method: 'POST', url: '/a', describe: () => ({ summary: 'second' }) },
      { method: 'GET', url: '/old-name' },
      { method: 'POST', url: '/b/:chain/:address', describe: ({ contractAddress }) => ({ summary: contractAddress }) },
      { method: 'GET', url: '/files/:chain/*', describe: () => ({ summary: 'a file' }) },
    ],
    examples,
  );
  expect(Object.entries(paths)).toEqual([
    ['/b/{chain}/{address}', { get: { summary: examples.chainId }, post: { summary: examples.contractAddress } }],
    ['/a', { post: { summary: 'second' } }],
    ['/files/{chain}/{path}', { get: { summary: 'a file' } }],
  ]);
});

test('an operation has a 404 only where it says what that means', () => {
  const answered = operation('Tag', 'find', 'Finds', { missing: 'There is none.' }) as { responses: object };
  expect(Object.keys(answered.responses)).toEqual(['200', '404']);
  const started = operation('Tag', 'start', 'Starts', { status: '202' }) as { responses: object };
  expect(Object.keys(started.responses)).toEqual(['202']);
});
