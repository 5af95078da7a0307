// `/{network}/network`: the network as a whole: supply, value of an hbar, prices, stake.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Finds } from '../../api/endpoint/endpoint.ts';
import type { Rate } from '../../ledger/network/network.ts';
import { getExchangeRate } from '../../resources/network/get-exchange-rate.ts';
import { getNetworkFees } from '../../resources/network/get-network-fees.ts';
import { getNetworkStake } from '../../resources/network/get-network-stake.ts';
import { getSupply } from '../../resources/network/get-supply.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { formatCount, formatFraction, hbar } from '../parts/amounts.ts';
import { facts } from '../parts/facts.ts';
import { orNull } from '../parts/or-null.ts';
import { formatDollars } from '../parts/rates.ts';
import { section } from '../parts/section.ts';
import { shareBar } from '../parts/share-bar.ts';
import { type Column, table } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type FoundBy<E> = E extends Finds<infer T> ? T : never;
type Prices = FoundBy<typeof getNetworkFees>;
type Rates = FoundBy<typeof getExchangeRate>;

export const networkPage: Page = {
  path: '/network',
  async ask({ queryText }, { ask, links, networkName }) {
    if (queryText !== '') throw refuse('unknownParameter', { name: queryText.split('=')[0]!.slice(0, 100) });
    const [supply, rates, prices, stake] = await Promise.all([
      orNull(ask(getSupply, {})),
      orNull(ask(getExchangeRate, {})),
      orNull(ask(getNetworkFees, {})),
      orNull(ask(getNetworkStake, {})),
    ]);
    return {
      title: 'Network',
      main: html`<h1>The network ${networkName}</h1>
<p class="lead">${link(`${links.start}/nodes`, 'Nodes')} &middot; ${link(`${links.start}/staking`, 'Staking')} &middot; ${link(`${links.start}/network/registered-nodes`, 'Registered services')}</p>
<div class="grid">
${section({ id: 'supply', title: 'Supply', beside: jsonOf(getSupply) }, supply ? formatSupply(supply.found) : unknown('The supply'))}
${section(
  { id: 'stake', title: 'Stake', beside: jsonOf(getNetworkStake) },
  stake
    ? facts([
        ['Staked', hbar(stake.found.stakeTotal)],
        ['Rewards of the period', hbar(stake.found.stakingRewardRate)],
      ])
    : unknown('The stake'),
)}
${section({ id: 'rates', title: 'Exchange rate', beside: jsonOf(getExchangeRate) }, rates ? formatRates(rates.found) : unknown('The exchange rate'))}
${section({ id: 'prices', title: 'Price of gas', beside: jsonOf(getNetworkFees) }, prices ? formatPrices(prices.found, rates?.found ?? null) : unknown('The price of gas'))}
</div>`,
      json: null,
    };
  },
};

function jsonOf(endpoint: Parameters<typeof pathOfJson>[0]): Markup {
  return link(pathOfJson(endpoint), 'JSON');
}

function unknown(what: string): Markup {
  return html`<p class="none">${what} is not known here.</p>`;
}

function formatSupply({ releasedTinybar, totalTinybar, timestamp }: FoundBy<typeof getSupply>): Markup {
  return facts([
    ['Released', hbar(releasedTinybar)],
    ['Of all', shareBar(releasedTinybar, totalTinybar)],
    ['All there is', hbar(totalTinybar)],
    ['As of', moment(timestamp)],
  ]);
}

function formatRates({ currentRate, nextRate, timestamp }: Rates): Markup {
  return facts([
    ['One ℏ now', formatRate(currentRate)],
    ['Until', moment(currentRate.expirationTime * 1_000_000_000n)],
    ['Then', formatRate(nextRate)],
    ['Written', moment(timestamp)],
  ]);
}

function formatRate(rate: Rate): MarkupValue {
  if (rate.hbarEquivalent === 0) return '–';
  const { centEquivalent, hbarEquivalent } = rate;
  return html`$${formatDollars(rate)} <span class="faint">${formatCount(centEquivalent)} &cent; are ${formatCount(hbarEquivalent)} &hbar;</span>`;
}

const names: Readonly<Record<string, string>> = {
  ContractCall: 'Contract call',
  ContractCreate: 'Contract creation',
  EthereumTransaction: 'Ethereum transaction',
};

/** Gas of a plain transfer by an Ethereum transaction. */
const transferGas = 21_000n;

function formatPrices({ fees, timestamp }: Prices, rates: Rates | null): Markup {
  const rate = rates && rates.currentRate.hbarEquivalent !== 0 ? rates.currentRate : null;
  const dollars = (tinybar: bigint): MarkupValue => {
    if (!rate) return null;
    // Tinybar × cents ÷ hbar, 10^10 of which are a dollar.
    const millionths = (tinybar * BigInt(rate.centEquivalent)) / BigInt(rate.hbarEquivalent) / 10_000n;
    return `$${formatFraction(millionths, 6)}`;
  };
  const columns: Column<Prices['fees'][number]>[] = [
    { name: 'For', narrow: 'title', show: ({ transactionType }) => names[transactionType] ?? transactionType },
    {
      name: 'Tinybar a gas',
      narrow: 'start',
      narrowName: 'behind',
      isNumber: true,
      show: ({ gas }) => formatCount(gas),
    },
    {
      name: `${formatCount(transferGas)} gas`,
      narrow: 'end',
      narrowName: 'before',
      isNumber: true,
      show: ({ gas }) => dollars(gas * transferGas),
    },
  ];
  return html`${table(columns, fees, { caption: 'Price of gas', none: 'None is listed.' })}
<p class="faint">Written ${moment(timestamp)}.</p>`;
}
