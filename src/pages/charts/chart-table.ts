// The charts over days: what each shows of a span of days, and what its file says of a day. A new chart is a line here.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { DaySums } from '../../ledger/days/create-days.ts';
import { formatCount, formatFraction, hbar } from '../parts/amounts.ts';
import type { Field } from '../parts/table.ts';

/** One day, ns of its start. */
export type ChartedDay = DaySums & { start: bigint };

export type Chart = {
  /** In paths. */
  name: string;
  title: string;
  /** What exactly is counted. */
  about: string;
  /** The head of the column with the values. */
  unit: string;
  shape: 'bars' | 'step';
  /** null = there is none: nothing happened that it could be of. */
  value(span: DaySums): bigint | null;
  format(value: bigint): MarkupValue;
  fields: readonly Field<ChartedDay>[];
  /** Of a day that is not over it is the state of now, which is asked for apart: the price of gas. */
  showsNewest?: boolean;
};

type SumName = Exclude<keyof DaySums, 'span' | 'days' | 'gasPrice'>;

const field = (name: string, member: SumName): Field<ChartedDay> => ({ name, text: (day) => day[member].toString() });

const perDay =
  (member: SumName) =>
  (span: DaySums): bigint | null =>
    ratio(span[member], span.days);

/** To the nearest; null = of nothing. */
function ratio(part: bigint, whole: bigint): bigint | null {
  return whole === 0n ? null : (part * 2n + whole) / (whole * 2n);
}

const counted = { unit: 'A day', shape: 'bars', format: formatCount } as const;

export const charts: readonly Chart[] = [
  {
    ...counted,
    name: 'transactions',
    title: 'Transactions a day',
    about: 'All transactions of the stream: those of clients, those that they caused, and failed ones.',
    value: perDay('transactions'),
    fields: [field('transactions', 'transactions'), field('failed', 'failed')],
  },
  {
    name: 'failed',
    title: 'Failed transactions',
    about: 'The share of transactions with another result than success.',
    unit: 'Of all',
    shape: 'bars',
    value: ({ failed, transactions }) => ratio(failed * 10_000n, transactions),
    format: (value) => `${formatFraction(value, 2)} %`,
    fields: [field('failed', 'failed'), field('transactions', 'transactions')],
  },
  {
    ...counted,
    name: 'active-accounts',
    title: 'Active accounts a day',
    about:
      'Accounts that paid for at least one transaction on the day, each counted once: an exact number. Accounts that only received something are not among them. Over several days it is the average of their numbers.',
    value: perDay('activeAccounts'),
    fields: [field('active_accounts', 'activeAccounts')],
  },
  {
    ...counted,
    name: 'new-accounts',
    title: 'New accounts a day',
    about: 'Accounts that were created, also those that a transfer to an alias created.',
    value: perDay('newAccounts'),
    fields: [field('new_accounts', 'newAccounts')],
  },
  {
    ...counted,
    name: 'new-contracts',
    title: 'New contracts a day',
    about: 'Contracts that were created, by a transaction or by another contract.',
    value: perDay('newContracts'),
    fields: [field('new_contracts', 'newContracts')],
  },
  {
    ...counted,
    name: 'new-tokens',
    title: 'New tokens a day',
    about: 'Tokens that were created, fungible ones and collections.',
    value: perDay('newTokens'),
    fields: [field('new_tokens', 'newTokens')],
  },
  {
    ...counted,
    name: 'new-topics',
    title: 'New topics a day',
    about: 'Topics that were created.',
    value: perDay('newTopics'),
    fields: [field('new_topics', 'newTopics')],
  },
  {
    name: 'fees',
    title: 'Fees a day',
    about: 'What all transactions were charged, in hbar.',
    unit: 'A day',
    shape: 'bars',
    value: perDay('fees'),
    format: hbar,
    fields: [field('fees_tinybar', 'fees')],
  },
  {
    name: 'gas-price',
    title: 'Price of gas',
    about:
      'Tinybar for one gas at the end of the day, or of the last of several, by the fees and the exchange rate that were in force.',
    unit: 'Tinybar a gas',
    shape: 'step',
    value: ({ gasPrice }) => gasPrice,
    format: (value) => html`${formatCount(value)} <span class="faint">tinybar</span>`,
    fields: [{ name: 'gas_price_tinybar', text: ({ gasPrice }) => gasPrice?.toString() ?? '' }],
    showsNewest: true,
  },
  {
    ...counted,
    name: 'gas-used',
    title: 'Gas a day',
    about: 'Gas that contract transactions used.',
    value: perDay('gasUsed'),
    fields: [field('gas_used', 'gasUsed')],
  },
  {
    name: 'block-gas',
    title: 'Gas a block',
    about: 'The gas that contract transactions used, divided by the number of blocks.',
    unit: 'A block',
    shape: 'bars',
    value: ({ gasUsed, blocks }) => ratio(gasUsed, blocks),
    format: formatCount,
    fields: [field('blocks', 'blocks'), field('gas_used', 'gasUsed')],
  },
  {
    name: 'block-transactions',
    title: 'Transactions a block',
    about: 'All transactions, divided by the number of blocks.',
    unit: 'A block',
    shape: 'bars',
    value: ({ transactions, blocks }) => ratio(transactions * 100n, blocks),
    format: (value) => formatFraction(value, 2),
    fields: [field('blocks', 'blocks'), field('transactions', 'transactions')],
  },
  {
    name: 'time-to-consensus',
    title: 'Time to consensus',
    about:
      'From the valid start, which the client chooses, to consensus: the average of all transactions that clients sent. Clients put the start a few seconds into the past, so this is more than the network needs.',
    unit: 'On average',
    shape: 'bars',
    value: ({ consensusMs, sent }) => ratio(consensusMs, sent),
    format: (value) => `${formatFraction(value, 3)} s`,
    fields: [field('sent', 'sent'), field('consensus_ms', 'consensusMs')],
  },
];
