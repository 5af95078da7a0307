// GET network/exchangerate: what an hbar is worth, as the system file of exchange rates says it.
import { Type } from '@sinclair/typebox';
import type { ExchangeRate, Rate } from '../../../ledger/network/network.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { writtenWithin } from '../../reading/page/written-within.ts';
import { int32, int64, timestamp } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';
import { foundIn } from './missing-file.ts';

const rate = members<Rate>(
  {
    cent_equivalent: value(int32, ({ centEquivalent }) => centEquivalent, 'This many US cents'),
    expiration_time: value(
      { ...int64, schema: Type.Integer({ format: 'int64' }) },
      ({ expirationTime }) => expirationTime,
      'Seconds since 1970.',
    ),
    hbar_equivalent: value(int32, ({ hbarEquivalent }) => hbarEquivalent, 'are worth this many hbar.'),
  },
  { name: 'Rate' },
);

export const getExchangeRate = endpoint({
  path: '/api/v1/network/exchangerate',
  id: 'getExchangeRate',
  tag: 'Network',
  summary: 'The exchange rate of the network, now or at a time',
  java: 'arguments',
  query: { timestamp: writtenWithin('When the rates were written; an exact time means the last ones up to it.') },
  ask: async ({ query }, { ledger }) => foundIn(await ledger.network.exchangeRate(query.timestamp)),
  answer: members<ExchangeRate>(
    {
      current_rate: value(rate, ({ current }) => current),
      next_rate: value(rate, ({ next }) => next),
      timestamp: value(timestamp, (found) => found.timestamp, 'When they were written.'),
    },
    { name: 'ExchangeRate' },
  ),
  fresh: 60,
  settledBy: ({ query }) => query.timestamp.to,
  missing: true,
  example: { text: 'the exchange rate of the network' },
});
