// GET network/supply: how much hbar there is, and how much of it is released.
import type { Supply } from '../../../ledger/network/network.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { writtenWithin } from '../../reading/page/written-within.ts';
import { type QueryParameter, queryParameter } from '../../reading/query/parameter.ts';
import { findWord } from '../../reading/value/find-word.ts';
import { integerText, timestamp, word } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';

type SupplyPart = 'totalcoins' | 'circulating';
type AskedSupply = { supply: Supply; part: SupplyPart | null };

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
  java: 'arguments',
  absent: 'Network supply not found',
  query: { q: part, timestamp: writtenWithin('By balances of this time; an exact time means the last ones up to it.') },
  check({ timestamp: { from, to } }) {
    if (from !== null && to !== null && from > to) throw refuse('invalidRange', { name: 'timestamp' });
  },
  several: () => true,
  async ask({ query }, { ledger }): Promise<AskedSupply | null> {
    const { from, to } = query.timestamp;
    const supply = await ledger.network.supply(from === null && to === null ? null : { from, to });
    return supply && { supply, part: query.q };
  },
  answer: members<AskedSupply>(
    {
      released_supply: value(integerText, ({ supply }) => supply.releasedTinybar, 'Tinybars.'),
      timestamp: value(timestamp, ({ supply }) => supply.timestamp, 'Of the newest balance that was counted.'),
      total_supply: value(integerText, ({ supply }) => supply.totalTinybar, 'Tinybars.'),
    },
    { name: 'Supply' },
  ),
  plainText: ({ supply, part: wanted }) =>
    wanted && formatHbar(wanted === 'totalcoins' ? supply.totalTinybar : supply.releasedTinybar),
  fresh: 60,
  example: { text: 'how much hbar there is' },
});

function formatHbar(tinybar: bigint): string {
  const digits = tinybar.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
