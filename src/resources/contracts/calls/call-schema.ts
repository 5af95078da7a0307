// The body of a call for the API document, with examples that every ledger answers.
import { type TSchema, Type } from '@sinclair/typebox';

const address = '^(0[xX])?[0-9a-fA-F]{40}$';
const digits = '^(0[xX])?[0-9a-fA-F]*$';
const quantity = '^(0[xX])?[0-9a-fA-F]{1,16}$';
const word = '^(0[xX])?[0-9a-fA-F]{64}$';

const text = (pattern: string, description: string) => Type.String({ pattern, description });
const count = (description: string) =>
  Type.Union([Type.Integer({ format: 'int64', minimum: 0 }), Type.String({ pattern: quantity })], { description });
const slots = Type.Array(Type.Object({ key: text(word, 'The slot.'), value: text(word, 'What it holds.') }), {
  maxItems: 100,
});

export const callSchema: TSchema = Type.Partial(
  Type.Object({
    to: text(address, 'What is called; without it, or empty, `data` is the code of a creation.'),
    data: text(digits, 'The call in ABI encoding, or init code.'),
    from: text(address, 'Who calls.'),
    value: Type.Integer({ minimum: 0, description: 'Tinybar that are sent; needs `from`.' }),
    gas: Type.Integer({ minimum: 21_000, description: 'The limit.' }),
    gasPrice: Type.Integer({ minimum: 0 }),
    block: Type.String({
      description:
        'After which block: a number, decimal or in hex, a hash, `earliest`, or `latest`, which is the default.',
    }),
    estimate: Type.Boolean({ description: 'Whether the answer is the gas limit that the call needs.' }),
    state_overrides: Type.Array(
      Type.Object({
        address: text(address, 'Whose state it is.'),
        balance: Type.Optional(count('Tinybar, as a number or in hex.')),
        nonce: Type.Optional(count('Decides addresses of contracts that it creates. A number, or hex.')),
        code: Type.Optional(text(digits, 'Runtime code.')),
        state: Type.Optional(slots),
        state_diff: Type.Optional(slots),
      }),
      { description: 'What the state is instead of what the ledger says; refused by the dialect `hiero`.' },
    ),
  }),
);

/** Init code that returns one byte, 0x00, as the code of the contract. */
const creation = '0x6001600c60003960016000f300';
/** tinycentsToTinybars(100000000): a dollar cent times 10^8, of the contract for the exchange rate. */
const rate = {
  to: '0x0000000000000000000000000000000000000168',
  data: '0x2e3cff6a0000000000000000000000000000000000000000000000000000000005f5e100',
};

export const callExamples = {
  'How many tinybar is a cent?': rate,
  'The same, after the first block': { ...rate, block: 'earliest' },
  'The gas for it': { ...rate, estimate: true },
  'A creation': { data: creation, from: '0x0000000000000000000000000000000000000002', gas: 100_000 },
};
