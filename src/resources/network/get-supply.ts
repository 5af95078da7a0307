// GET network/supply: how much hbar there is, and how much of it is released.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { writtenWithin } from '../../api/reading/page/written-within.ts';
import { oneWord } from '../../api/reading/value/one-word.ts';
import { integerText, timestamp } from '../../api/values/kinds.ts';
import { from, members, value } from '../../api/values/members.ts';

const part = oneWord({
  kind: 'supply',
  description: 'Only this figure, as text: in hbar, with eight decimals.',
  words: ['totalcoins', 'circulating'],
});

export const getSupply = endpoint({
  path: '/api/v1/network/supply',
  id: 'getSupply',
  tag: 'Network',
  summary: 'How much hbar there is, and how much of it is released',
  peer: { java: 'arguments', absent: 'Network supply not found' },
  query: { q: part, timestamp: writtenWithin('By balances of this time; an exact time means the last ones up to it.') },
  check({ timestamp: { from, to } }) {
    if (from !== null && to !== null && from > to) throw refuse('invalidRange', { name: 'timestamp' });
  },
  several: () => true,
  async ask({ query: { q, timestamp } }, { ledger }) {
    const isNow = timestamp.from === null && timestamp.to === null;
    const supply = await ledger.network.supply(isNow ? null : timestamp);
    return supply && { ...supply, part: q };
  },
  answer: members(
    {
      released_supply: from('releasedTinybar', value(integerText, 'Tinybars.')),
      timestamp: value(timestamp, 'Of the newest balance that was counted.'),
      total_supply: from('totalTinybar', value(integerText, 'Tinybars.')),
    },
    { name: 'Supply' },
  ),
  plainText: ({ part: wanted, totalTinybar, releasedTinybar }) =>
    wanted && formatHbar(wanted === 'totalcoins' ? totalTinybar : releasedTinybar),
  fresh: 60,
  example: { text: 'how much hbar there is' },
});

function formatHbar(tinybar: bigint): string {
  const digits = tinybar.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
