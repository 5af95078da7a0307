// Events of a token of a contract as rows: what went from whom to whom. Events of other kinds are there by their name.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { readLog } from '../../calls/names/usual-names.ts';
import { type Movement, type ReadTransfer, readTransfer } from '../../contracts/token-index/read-transfer.ts';
import type { ContractToken } from '../../ledger/tokens/create-contract-tokens.ts';
import { type ContractLogItem, topicsOf } from '../contracts/lists/log-columns.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { timeField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { addressLink, amountOf, hasSerials, plainAmountOf, serialText } from './token-parts.ts';

type ReadItem = { item: ContractLogItem; read: ReadTransfer | null };

/** Units of one transfer that are shown; their number is said. */
const maxShown = 3;

/** Each log is read once, for all columns. */
export function readItems(items: readonly ContractLogItem[]): readonly ReadItem[] {
  return items.map((item) => ({
    item,
    read: item.topic0 === null ? null : readTransfer({ ...item, topic0: item.topic0 }),
  }));
}

export function tokenEventColumns(token: ContractToken, context: PageContext): readonly Column<ReadItem>[] {
  const { links } = context;
  const party =
    (side: 'from' | 'to', none: string) =>
    ({ read }: ReadItem): MarkupValue => {
      const [first] = read?.movements ?? [];
      if (first === undefined) return null;
      const address = first[side];
      return address === null ? html`<span class="faint">${none}</span>` : addressLink(address, context);
    };
  const partyText =
    (side: 'from' | 'to') =>
    ({ read }: ReadItem): string => {
      const address = read?.movements[0]?.[side];
      return address ? `0x${address.toString('hex')}` : '';
    };
  const units =
    (show: (unit: Movement) => MarkupValue) =>
    ({ read }: ReadItem): MarkupValue => {
      const all = read?.movements ?? [];
      const shown = all.slice(0, maxShown).map((unit, place) => html`${place === 0 ? null : ', '}${show(unit)}`);
      return all.length > maxShown ? html`${shown}, and ${all.length - maxShown} more` : shown;
    };
  const path = `${links.path('contract', token.contractId)}/token/serials`;
  const serials: Column<ReadItem> = {
    name: 'Serial number',
    narrow: 'end',
    show: units(({ serialNumber }) =>
      serialNumber === null ? null : link(`${path}/${serialNumber}`, serialText(serialNumber)),
    ),
    fields: [
      { name: 'serial_numbers', text: ({ read }) => (read?.movements ?? []).map((one) => one.serialNumber).join(' ') },
    ],
  };
  const amounts: Column<ReadItem> = {
    name: 'Amount',
    narrow: 'amount',
    isNumber: true,
    show: units(({ amount }) => amountOf(token, amount)),
    fields: [
      {
        name: 'amounts',
        text: ({ read }) => (read?.movements ?? []).map((one) => plainAmountOf(token, one.amount)).join(' '),
      },
    ],
  };
  return [
    {
      name: 'Time',
      narrow: 'start',
      show: ({ item }) =>
        link(`${links.transactionPath(item.consensusTimestamp)}#logs`, moment(item.consensusTimestamp)),
      fields: [
        timeField('consensus_timestamp', ({ item }) => item.consensusTimestamp),
        { name: 'index', text: ({ item }) => String(item.index) },
      ],
    },
    {
      name: 'Event',
      narrow: 'title',
      show: (one) => eventOf(one) ?? html`<span class="faint">another event</span>`,
      fields: [{ name: 'event', text: (one) => eventOf(one) ?? '' }],
    },
    {
      name: 'From',
      narrow: 'none',
      show: party('from', 'minted'),
      fields: [{ name: 'from', text: partyText('from') }],
    },
    { name: 'To', narrow: 'to', show: party('to', 'burned'), fields: [{ name: 'to', text: partyText('to') }] },
    ...(hasSerials(token) ? [serials] : []),
    ...(token.standard === 'ERC-721' ? [] : [amounts]),
  ];
}

function eventOf({ item, read }: ReadItem): string | null {
  if (read !== null) return 'Transfer';
  const log = readLog(null, topicsOf(item), item.data);
  return log === null ? null : log.signature.slice(0, log.signature.indexOf('('));
}
