// Tokens, holders and units as rows of lists.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { ContractTokenSerialRow } from '../../../packages/store/read/select-contract-tokens.ts';
import type { ContractToken, HolderPlace } from '../../ledger/tokens/create-contract-tokens.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount } from '../parts/amounts.ts';
import { foreignField, idField, timeField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { shareBar } from '../parts/share-bar.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { addressLink, amountOf, hasSerials, plainAmountOf, serialText, supplyOf } from './token-parts.ts';

const maxName = 60;
const maxSymbol = 20;

/** The name as a link to its page; `none`: shown where it has none that can be read. */
function namedToken({ contractId, name }: ContractToken, { links }: Pick<PageContext, 'links'>, none: MarkupValue) {
  const shown = name?.trim() ? foreignText(name, { max: maxName }) : none;
  return link(`${links.path('contract', contractId)}/token`, shown);
}

/** `by`: what they are ordered by. */
export function tokenColumns(context: PageContext, by: 'transfers' | 'id'): readonly Column<ContractToken>[] {
  const { links } = context;
  return [
    {
      name: 'Name',
      narrow: 'title',
      show: (token) => namedToken(token, context, 'No name'),
      fields: [foreignField('name', ({ name }) => name)],
    },
    {
      name: 'Symbol',
      narrow: 'amount',
      show: ({ symbol }) => foreignText(symbol ?? '', { max: maxSymbol }),
      fields: [foreignField('symbol', ({ symbol }) => symbol)],
    },
    {
      name: 'Contract',
      narrow: 'start',
      show: ({ contractId }) => links.contract(contractId),
      fields: [
        idField('contract_id', ({ contractId }) => contractId),
        { name: 'standard', text: ({ standard }) => standard },
      ],
    },
    {
      name: 'Supply',
      narrow: 'none',
      isNumber: true,
      show: supplyOf,
      fields: [
        {
          name: 'total_supply',
          text: (token) => (token.totalSupply === null ? '' : plainAmountOf(token, token.totalSupply)),
        },
        { name: 'decimals', text: ({ decimals }) => (decimals === null ? '' : String(decimals)) },
      ],
    },
    {
      name: 'Holders',
      narrow: 'none',
      isNumber: true,
      show: ({ holders }) => formatCount(holders),
      fields: [{ name: 'holders', text: ({ holders }) => holders.toString() }],
    },
    {
      name: 'Transfers',
      narrow: by === 'transfers' ? 'end' : 'none',
      isNumber: true,
      narrowName: 'behind',
      show: ({ transfers }) => formatCount(transfers),
      fields: [{ name: 'transfers', text: ({ transfers }) => transfers.toString() }],
    },
    {
      name: 'Last transfer',
      narrow: by === 'transfers' ? 'none' : 'end',
      show: ({ lastTimestamp }) => moment(lastTimestamp),
      fields: [timeField('last_timestamp', ({ lastTimestamp }) => lastTimestamp)],
    },
  ];
}

export function holderColumns(token: ContractToken, context: PageContext): readonly Column<HolderPlace>[] {
  const amount: Column<HolderPlace> = {
    name: hasSerials(token) ? 'Units' : 'Balance',
    narrow: 'amount',
    isNumber: true,
    show: ({ amount: value }) => amountOf(token, value),
    fields: [{ name: 'balance', text: ({ amount: value }) => plainAmountOf(token, value) }],
  };
  const account: Column<HolderPlace> = {
    name: 'Account',
    narrow: 'title',
    show: ({ account: address }) => addressLink(address, context),
    fields: [{ name: 'account', text: ({ account: address }) => `0x${address.toString('hex')}` }],
  };
  const { totalSupply } = token;
  return totalSupply === null || totalSupply === 0n
    ? [account, amount]
    : [account, amount, { name: 'Share', narrow: 'end', show: ({ amount: value }) => shareBar(value, totalSupply) }];
}

type Serial = Pick<ContractTokenSerialRow, 'account' | 'modifiedTimestamp'> & { serialNumber: bigint; amount: bigint };

export function serialColumns(token: ContractToken, context: PageContext): readonly Column<Serial>[] {
  const path = `${context.links.path('contract', token.contractId)}/token/serials`;
  const units: Column<Serial> = {
    name: 'Units',
    narrow: 'amount',
    isNumber: true,
    show: ({ amount }) => formatCount(amount),
    fields: [{ name: 'units', text: ({ amount }) => amount.toString() }],
  };
  return [
    {
      name: 'Serial number',
      narrow: 'title',
      show: ({ serialNumber }) => link(`${path}/${serialNumber}`, serialText(serialNumber)),
      fields: [{ name: 'serial_number', text: ({ serialNumber }) => serialNumber.toString() }],
    },
    {
      name: 'Owner',
      narrow: 'start',
      show: ({ account }) => addressLink(account, context),
      fields: [{ name: 'owner', text: ({ account }) => `0x${account.toString('hex')}` }],
    },
    ...(token.standard === 'ERC-1155' ? [units] : []),
    {
      name: 'Since',
      narrow: 'end',
      show: ({ modifiedTimestamp }) => moment(modifiedTimestamp),
      fields: [timeField('modified_timestamp', ({ modifiedTimestamp }) => modifiedTimestamp)],
    },
  ];
}

type Holding = { token: ContractToken; amount: bigint };

export function holdingColumns(context: PageContext): readonly Column<Holding>[] {
  return [
    {
      name: 'Token',
      narrow: 'title',
      show: ({ token }) =>
        html`${namedToken(token, context, formatEntityId(token.contractId))} <span class="faint">${token.standard}</span>`,
      fields: [
        idField('contract_id', ({ token }) => token.contractId),
        { name: 'standard', text: ({ token }) => token.standard },
        foreignField('name', ({ token }) => token.name),
      ],
    },
    {
      name: 'Symbol',
      narrow: 'start',
      show: ({ token }) => foreignText(token.symbol ?? '', { max: maxSymbol }),
      fields: [foreignField('symbol', ({ token }) => token.symbol)],
    },
    {
      name: 'Balance',
      narrow: 'amount',
      isNumber: true,
      show: ({ token, amount }) => amountOf(token, amount),
      fields: [{ name: 'balance', text: ({ token, amount }) => plainAmountOf(token, amount) }],
    },
  ];
}
