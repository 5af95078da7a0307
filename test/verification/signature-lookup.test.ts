// Hashes of functions, errors and events back to names, in the shape that tools of openchain.xyz and Sourcify read.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toSignatures } from '../../packages/abi/to-signatures.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
const uint = [{ name: 'x', type: 'uint256' }];
const address = { name: 'a', type: 'address' };
const signatures = toSignatures([
  { type: 'function', name: 'transfer', inputs: [address, ...uint], outputs: [] },
  // Both have the selector 0x42966c68.
  { type: 'function', name: 'burn', inputs: uint, outputs: [] },
  { type: 'function', name: 'collate_propagate_storage', inputs: [{ name: 'x', type: 'bytes16' }], outputs: [] },
  { type: 'error', name: 'Broke', inputs: uint },
  { type: 'event', name: 'Transfer', inputs: [address, address, ...uint] },
]);
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [] });
  for (const { kind, signature, hash } of signatures) {
    await stack.query(`insert into verification_signature values ('\\x${hash}', '${kind}', '${signature}')`);
  }
});
afterAll(() => stack.close());

const lookUp = (query: string) => stack.get(`/signature-database/v1/lookup?${query}`);
const named = (name: string) => ({ name, filtered: false, hasVerifiedContract: true });

it('answers functions, errors and events', async () => {
  const error = `0x${signatures.find(({ kind }) => kind === 'error')!.hash.slice(0, 8)}`;
  const { status, body } = await lookUp(`function=0xa9059cbb,${error}&event=${transferTopic}&filter=true`);
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    result: {
      function: { '0xa9059cbb': [named('transfer(address,uint256)')], [error]: [named('Broke(uint256)')] },
      event: { [transferTopic]: [named('Transfer(address,address,uint256)')] },
    },
  });
});

it('answers every name that has the hash', async () => {
  const { body } = await lookUp('function=0x42966c68');
  expect(body.result.function['0x42966c68']).toEqual([
    named('burn(uint256)'),
    named('collate_propagate_storage(bytes16)'),
  ]);
});

it('what nothing has is null among functions, and an empty list among events', async () => {
  const event = `0x${'12'.repeat(32)}`;
  expect((await lookUp(`function=0x12345678,${transferTopic}&event=${event},0xa9059cbb`)).body).toEqual({
    ok: true,
    result: { function: { '0x12345678': null, [transferTopic]: null }, event: { [event]: [], '0xa9059cbb': [] } },
  });
  expect((await lookUp('')).body).toEqual({ ok: true, result: { function: {}, event: {} } });
});

it.each(['0x123', 'a9059cbb', '0xa9059cbg', "0xa9059cb'", '__proto__', '0x'.padEnd(200, '1')])(
  'refuses %j',
  async (hash) => {
    const { status, body } = await lookUp(`function=${hash}`);
    expect(status).toBe(400);
    expect(body).toEqual({ ok: false, error: expect.stringContaining(`Invalid hash '${hash.slice(0, 100)}'`) });
  },
);

it('refuses more hashes than a transaction has', async () => {
  const many = Array.from({ length: 101 }, (_, place) => `0x${place.toString(16).padStart(8, '0')}`);
  expect((await lookUp(`function=${many}`)).status).toBe(400);
});
