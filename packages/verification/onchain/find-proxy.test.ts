// What code, storage and answers say of a proxy, whatever they are: contracts of other chains are anybody's.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OnchainContract, toOnchainContract } from '../terms/onchain-contract.ts';
import { findProxy } from './find-proxy.ts';
import { readProxySigns } from './proxy-signs.ts';

const address = `0x${'a1'.repeat(20)}`;
const behind = `0x${'b2'.repeat(20)}`;
const word = (text: string): Buffer => Buffer.from(text.replace('0x', '').padStart(64, '0'), 'hex');
const contract = (code: string): OnchainContract => ({
  ...toOnchainContract('1', address, 'contract'),
  runtimeCode: Buffer.from(code, 'hex'),
});
/** A chain whose contracts store and answer this. */
const chain = (slots: Record<string, Buffer>, answers: Record<string, Buffer> = {}) => {
  const asked: string[] = [];
  return {
    asked,
    slots: async (_contract: OnchainContract, wanted: readonly Buffer[]) =>
      wanted.map((slot) => slots[slot.toString('hex')] ?? null),
    call: async (to: string, data: Buffer) => {
      asked.push(`${to} ${data.toString('hex')}`);
      return answers[`${to} ${data.toString('hex')}`] ?? null;
    },
  };
};
const zero = '00'.repeat(32);
const [erc1967, beacon] = [
  '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  'a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
] as const;
const delegates = '5af4';
/** As long as contracts that do more than forward. */
const long = '5b'.repeat(2_100);

describe('signs', () => {
  it.each<[string, string, Partial<ReturnType<typeof readProxySigns>>]>([
    [
      'a wallet of Sequence',
      '363d3d373d3d3d363d30545af43d82803e903d91601857fd5bf3',
      { delegates: true, isSequence: true },
    ],
    ['a Safe', `73${'ff'.repeat(20)}7fa619486e${'00'.repeat(28)}${delegates}`, { isSafe: true, isSmall: true }],
    [
      'a diamond',
      `7fc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c${delegates}${long}`,
      { isDiamond: true },
    ],
    [
      'a member of its table',
      `7fc8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131d${delegates}`,
      { isDiamond: true },
    ],
    ['one that answers itself', `6352ef6b2c${delegates}${long}`, { isDiamond: true, isSmall: false }],
    ['an opcode that is data', '61f4f4', { delegates: false }],
    ['an opcode in the hash at the end', `00a164736f6c6343f41c00000a`, { delegates: false }],
    ['nothing', '', { delegates: false, isSmall: false }],
  ])('%s', (_what, code, expected) => {
    expect(readProxySigns(Buffer.from(code, 'hex'))).toMatchObject(expected);
  });
});

describe('what is behind', () => {
  it.each<[string, string, Parameters<typeof chain>, object | null, number]>([
    ['a slot', delegates, [{ [erc1967]: word(behind) }], { kind: 'eip1967', implementations: [behind] }, 0],
    [
      'a slot without leading zeros',
      delegates + long,
      [{ [erc1967]: Buffer.of(0x12) }],
      { kind: 'eip1967', implementations: [`0x${'12'.padStart(40, '0')}`] },
      0,
    ],
    ['a slot with more than an address', delegates + long, [{ [erc1967]: Buffer.alloc(32, 1) }], null, 0],
    ['a slot of what forwards nothing', '6001', [{ [erc1967]: word(behind) }], null, 0],
    [
      'an old beacon',
      delegates,
      [{ [beacon]: word(`0x${'cc'.repeat(20)}`) }, { [`0x${'cc'.repeat(20)} da525716`]: word(behind) }],
      { kind: 'eip1967-beacon', implementations: [behind] },
      2,
    ],
    ['a beacon that says nothing', delegates + long, [{ [beacon]: word(`0x${'cc'.repeat(20)}`) }], null, 4],
    [
      'a first slot that the contract does not call so',
      delegates,
      [{ [zero]: word(behind) }, { [`${address} a619486e`]: word(address) }],
      null,
      3,
    ],
    [
      'a Safe',
      delegates,
      [{ [zero]: word(behind) }, { [`${address} a619486e`]: word(behind) }],
      { kind: 'safe', implementations: [behind] },
      1,
    ],
    [
      'the first slot of a large contract',
      delegates + long,
      [{ [zero]: word(behind) }, { [`${address} a619486e`]: word(behind) }],
      null,
      0,
    ],
  ])('%s', async (_what, code, told, expected, questions) => {
    const asked = chain(...told);
    expect(await findProxy(contract(code), asked)).toEqual(expected);
    expect(asked.asked).toHaveLength(questions);
  });

  it('facets: each once, a hundred at most', async () => {
    const facets = Array.from({ length: 150 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, '0')}`);
    const list = Buffer.concat([
      word('0x20'),
      word('0x12d'),
      ...facets.map(word),
      ...facets.map(word),
      word(facets[0]!),
    ]);
    const found = await findProxy(contract(delegates), chain({}, { [`${address} 52ef6b2c`]: list }));
    expect(found).toEqual({ kind: 'diamond', implementations: facets.slice(0, 100) });
  });
});

it('whatever a contract answers, what is found are addresses', async () => {
  const bytes = fc.uint8Array({ maxLength: 200 }).map((given) => Buffer.from(given));
  const answer = fc.option(
    fc.oneof(
      bytes,
      fc
        .array(fc.constantFrom(word('0x20'), word('0x2'), word(behind), word('0x40'), Buffer.alloc(32, 255)), {
          maxLength: 8,
        })
        .map((words) => Buffer.concat(words)),
    ),
  );
  await fc.assert(
    fc.asyncProperty(bytes, answer, answer, async (code, value, answered) => {
      const found = await findProxy(
        { ...contract(''), runtimeCode: Buffer.concat([code, Buffer.of(0xf4)]) },
        { slots: async (_contract, slots) => slots.map(() => value), call: async () => answered },
      );
      for (const one of found?.implementations ?? []) expect(one).toMatch(/^0x(?!0{40})[0-9a-f]{40}$/);
    }),
    { numRuns: 500 },
  );
});
