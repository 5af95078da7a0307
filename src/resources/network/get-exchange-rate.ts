// GET network/exchangerate: the value of an hbar, from the system file of exchange rates.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { writtenWithin } from '../../api/reading/page/written-within.ts';
import { int32, int64, timestamp } from '../../api/values/kinds.ts';
import { members, value } from '../../api/values/members.ts';
import { foundIn } from './missing-file.ts';

const rate = members(
  {
    cent_equivalent: value(int32, 'This many US cents'),
    expiration_time: value(int64, 'Seconds since 1970.'),
    hbar_equivalent: value(int32, 'are worth this many hbar.'),
  },
  { name: 'Rate' },
);

export const getExchangeRate = endpoint({
  path: '/api/v1/network/exchangerate',
  id: 'getExchangeRate',
  tag: 'Network',
  summary: 'The exchange rate of the network, now or at a time',
  peer: { java: 'arguments' },
  query: { timestamp: writtenWithin('When the rates were written; an exact time means the last ones up to it.') },
  ask: async ({ query }, { ledger }) => foundIn(await ledger.network.exchangeRate(query.timestamp)),
  answer: members(
    { current_rate: rate, next_rate: rate, timestamp: value(timestamp, 'When they were written.') },
    { name: 'ExchangeRate' },
  ),
  fresh: 60,
  settledBy: ({ query }) => query.timestamp.to,
  missing: true,
  example: { text: 'the exchange rate of the network' },
});
