// GET network/supply: how much hbar there is, and how much of it is released.
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { writtenWithin } from '../../reading/page/written-within.ts';
import { type QueryParameter, queryParameter } from '../../reading/query/parameter.ts';
import { findWord } from '../../reading/value/find-word.ts';
import { integerText, timestamp, word } from '../../values/kinds.ts';
import { from, members, value } from '../../values/members.ts';

type SupplyPart = 'totalcoins' | 'circulating';

const parts: readonly SupplyPart[] = ['totalcoins', 'circulating'];

const part: QueryParameter<SupplyPart | null> = queryParameter({
  kind: 'supply',
  repeatable: false,
  description: 'Only this figure, as text: in hbar, with eight decimals.',
  schema: () => word(parts).schema,
  open: ({ dialect }) => ({
    read: ({ operator, text }) => (operator === 'eq' ? findWord(parts, text, dialect) : undefined),
    collect: (values) => values.at(-1) ?? null,
  }),
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
