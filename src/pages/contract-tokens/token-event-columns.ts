// Events of a token of a contract as rows: what went from whom to whom. Events of other kinds are there by their name.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { readLog } from '../../calls/names/usual-names.ts';
import {
  type Movement,
  type ReadTransfer,
  readApproval,
  readTransfer,
} from '../../contracts/token-index/read-transfer.ts';
import type { ContractToken } from '../../ledger/tokens/create-contract-tokens.ts';
import { type ContractLogItem, topicsOf } from '../contracts/lists/log-columns.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { timeField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { addressLink, amountOf, hasSerials, plainAmountOf, serialText } from './token-parts.ts';

/** `approval`: who may spend whose units; it moves none. */
type ReadItem = { item: ContractLogItem; read: ReadTransfer | null; approval: Movement | null };

/** Units of one transfer that are shown; their number is said. */
const maxShown = 3;

/** Each log is read once, for all columns. */
export function readItems(items: readonly ContractLogItem[]): readonly ReadItem[] {
  return items.map((item) => {
    if (item.topic0 === null) return { item, read: null, approval: null };
    const log = { ...item, topic0: item.topic0 };
    return { item, read: readTransfer(log), approval: readApproval(log) };
  });
}

function movementsOf({ read, approval }: ReadItem): readonly Movement[] {
  return read?.movements ?? (approval === null ? [] : [approval]);
}

export function tokenEventColumns(token: ContractToken, context: PageContext): readonly Column<ReadItem>[] {
  const { links } = context;
  const party =
    (side: 'from' | 'to', none: string) =>
    (one: ReadItem): MarkupValue => {
      const [first] = movementsOf(one);
      if (first === undefined) return null;
      const address = first[side];
      if (address !== null) return addressLink(address, context);
      return html`<span class="faint">${one.read === null ? 'nobody' : none}</span>`;
    };
  const partyText =
    (side: 'from' | 'to') =>
    (one: ReadItem): string => {
      const address = movementsOf(one)[0]?.[side];
      return address ? `0x${address.toString('hex')}` : '';
    };
  const units =
    (show: (unit: Movement) => MarkupValue) =>
    (one: ReadItem): MarkupValue => {
      const all = movementsOf(one);
      const shown = all.slice(0, maxShown).map((unit, place) => html`${place === 0 ? null : ', '}${show(unit)}`);
      return all.length > maxShown ? html`${shown}, and ${all.length - maxShown} more` : shown;
    };
  const path = `${links.path('contract', token.contractId)}/token/serials`;
  const serials: Column<ReadItem> = {
    name: 'Serial number',
    narrow: token.standard === 'ERC-721' ? 'amount' : 'below',
    show: units(({ serialNumber }) =>
      serialNumber === null ? null : link(`${path}/${serialNumber}`, serialText(serialNumber)),
    ),
    fields: [
      {
        name: 'serial_numbers',
        text: (one) =>
          movementsOf(one)
            .map(({ serialNumber }) => serialNumber)
            .join(' '),
      },
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
        text: (one) =>
          movementsOf(one)
            .map(({ amount }) => plainAmountOf(token, amount))
            .join(' '),
      },
    ],
  };
  return [
    {
      name: 'Time',
      narrow: 'end',
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
      narrow: 'start',
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
