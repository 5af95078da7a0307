// POST network/fees: the price of a transaction, by the fee schedule of the system file 113.
import { Type } from '@sinclair/typebox';
import { findTransactionType } from '../../../packages/protocol/hapi/transaction-types.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { type BodyParameter, queryParameter } from '../../api/reading/query/parameter.ts';
import { readJavaInteger } from '../../api/reading/value/java-integer.ts';
import { oneOfWords } from '../../api/reading/value/one-of-words.ts';
import { int64, text } from '../../api/values/kinds.ts';
import { array, members, value } from '../../api/values/members.ts';
import type { PricedTransaction } from '../../ledger/network/estimate-fee.ts';
import { foundIn } from './missing-file.ts';
import { readTransaction } from './read-transaction.ts';

const transaction: BodyParameter<PricedTransaction> = {
  kind: 'transaction',
  description: 'A serialized HAPI Transaction, signed or not.',
  mediaTypes: ['application/protobuf', 'application/x-protobuf'],
  // The largest transactions of the ledger have 128 KiB.
  maxBytes: 256 * 1024,
  read: readTransaction,
};

const maxThrottle = 10_000;

const throttle = queryParameter({
  kind: 'throttle',
  repeatable: false,
  description:
    'Use of the high-volume lane in hundredths of a percent. A transaction that asks for this lane is not priced.',
  schema: () => Type.Integer({ minimum: 0, maximum: maxThrottle, default: 0 }),
  open: () => ({
    read({ operator, text }): number | undefined {
      const size = operator === 'eq' ? readJavaInteger(text, 32) : undefined;
      if (size === undefined) return undefined;
      if (size < 0n) throw refuse('throttleTooSmall');
      if (size > BigInt(maxThrottle)) throw refuse('throttleTooLarge');
      return Number(size);
    },
    collect: (values): number => values.at(-1) ?? 0,
  }),
});

const extra = members(
  {
    charged: value(int64, 'How many are charged.'),
    count: int64,
    fee_per_unit: int64,
    included: value(int64, 'How many cost nothing.'),
    name: text,
    subtotal: int64,
  },
  { name: 'ExtraFee' },
);
const part = members({ base: int64, extras: array(extra) }, { name: 'FeePart' });

export const postFeeEstimate = endpoint({
  path: '/api/v1/network/fees',
  id: 'estimateFee',
  tag: 'Network',
  summary: 'What a transaction costs',
  description:
    'In tinycents, by the fee schedule of the file 113 of the network. What depends on more than the transaction itself is not priced: 501.',
  peer: { java: 'arguments' },
  query: {
    mode: oneOfWords({
      kind: 'feeMode',
      description: 'Whether the state of the ledger counts. What is priced here costs the same either way.',
      words: { INTRINSIC: null, STATE: null },
      usual: 'INTRINSIC',
      // Our document had them in lower case until 0.2.
      anyCase: true,
      collect: () => null,
    }),
    high_volume_throttle: throttle,
  },
  body: transaction,
  async ask({ body }, { ledger }) {
    const estimate = foundIn(await ledger.network.estimateFee(body));
    if ('unpriced' in estimate) throw refuse('notPriced', { type: findTransactionType(body.type)!.name });
    return estimate;
  },
  answer: members(
    {
      // 1 = no high-volume price.
      high_volume_multiplier: value(int64, () => 1n),
      network: members({ multiplier: int64, subtotal: int64 }),
      node: part,
      service: part,
      total: int64,
    },
    { name: 'FeeEstimate' },
  ),
  missing: true,
  fresh: 1,
});
