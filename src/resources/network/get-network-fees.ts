// GET network/fees: the price of gas, by the valid fee schedule and exchange rate.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { writtenWithin } from '../../api/reading/page/written-within.ts';
import { int64, timestamp, word } from '../../api/values/kinds.ts';
import { array, members, value } from '../../api/values/members.ts';
import { foundIn } from './missing-file.ts';

const fee = members(
  {
    gas: value(int64, 'Tinybars.'),
    transaction_type: word(['ContractCall', 'ContractCreate', 'EthereumTransaction']),
  },
  { name: 'GasFee' },
);

export const getNetworkFees = endpoint({
  path: '/api/v1/network/fees',
  id: 'getNetworkFees',
  tag: 'Network',
  summary: 'The price of gas, now or at a time',
  peer: { java: 'arguments' },
  query: {
    order: page({ order: 'asc', by: 'transaction type' }).order,
    timestamp: writtenWithin('When the prices were written; an exact time means the last ones up to it.'),
  },
  several: () => true,
  async ask({ query }, { ledger }) {
    const found = foundIn(await ledger.network.gasFees(query.timestamp));
    return query.order === 'asc' ? found : { ...found, fees: found.fees.toReversed() };
  },
  answer: members(
    { fees: array(fee), timestamp: value(timestamp, 'When the prices were written.') },
    { name: 'NetworkFees' },
  ),
  fresh: 60,
  settledBy: ({ query }) => query.timestamp.to,
  missing: true,
  example: { text: 'the price of gas' },
});
