// What the network says of itself in figures. One that is not known is left out.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { getExchangeRate } from '../../resources/network/get-exchange-rate.ts';
import { getNetworkFees } from '../../resources/network/get-network-fees.ts';
import { getNetworkStake } from '../../resources/network/get-network-stake.ts';
import { getSupply } from '../../resources/network/get-supply.ts';
import type { ItemOf } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount, formatShare } from '../parts/amounts.ts';
import { orNull } from '../parts/or-null.ts';
import { formatDollars, formatPerSecond } from '../parts/rates.ts';
import { age } from '../parts/times.ts';

type Block = ItemOf<typeof listBlocks>;

export type Figures = Awaited<ReturnType<typeof askFigures>>;

export async function askFigures({ ask, links, verifiedShare }: PageContext) {
  const [supply, rate, stake, fees, verified] = await Promise.all([
    orNull(ask(getSupply, {})),
    orNull(ask(getExchangeRate, {})),
    orNull(ask(getNetworkStake, {})),
    orNull(ask(getNetworkFees, {})),
    verifiedShare?.() ?? null,
  ]);
  return { links, verified, supply: supply?.found, rate: rate?.found, stake: stake?.found, fees: fees?.found };
}

/** `blocks`: the newest, at least one. `now`: ns. */
export function formatFigures(figures: Figures, { blocks, now }: { blocks: readonly Block[]; now: bigint }): Markup {
  const { supply, stake, verified, links, fees } = figures;
  const [newest] = blocks as [Block, ...Block[]];
  const gas = fees?.fees.find(({ transactionType }) => transactionType === 'ContractCall')?.gas;
  const listed: (Markup | null)[] = [
    figure('Newest block', links.block(newest.number), age(newest.consensusEnd, now)),
    figure('Transactions a second', perSecond(blocks), `over the newest ${blocks.length} blocks`),
    supply
      ? figure(
          'Supply released',
          html`<span class="amount">${formatWholeHbar(supply.releasedTinybar)} &hbar;</span>`,
          `${formatShare(supply.releasedTinybar, supply.totalTinybar)} of ${formatWholeHbar(supply.totalTinybar)} ℏ`,
        )
      : null,
    formatRate(figures),
    stake
      ? figure(
          'Staked',
          html`<span class="amount">${formatWholeHbar(stake.stakeTotal)} &hbar;</span>`,
          link(`${links.start}/nodes`, 'nodes and their stakes'),
        )
      : null,
    gas === undefined ? null : figure('Gas price', `${formatCount(gas)} tinybar`, 'for one unit of gas'),
    verified === null || verified.contracts === 0n
      ? null
      : figure(
          'Contracts with sources',
          formatShare(verified.withSources, verified.contracts),
          `${formatCount(verified.withSources)} of ${formatCount(verified.contracts)}`,
        ),
    newest.hapiVersion === null
      ? null
      : figure('Network version', newest.hapiVersion, link(`${links.start}/network`, 'the network')),
  ];
  return html`<dl class="figures">
${joinMarkup(
  listed.filter((one) => one !== null),
  '\n',
)}
</dl>`;
}

function figure(name: string, value: MarkupValue, more: MarkupValue): Markup {
  return html`<div><dt>${name}</dt><dd>${value}<small>${more}</small></dd></div>`;
}

function formatRate({ rate }: Figures): Markup | null {
  if (!rate || rate.currentRate.hbarEquivalent === 0) return null;
  return figure('Exchange rate', `$${formatDollars(rate.currentRate)}`, 'for one ℏ, as the network counts fees');
}

function perSecond(blocks: readonly Block[]): string {
  const lasted = blocks[0]!.consensusEnd - blocks.at(-1)!.consensusStart;
  const count = blocks.reduce((sum, block) => sum + block.count, 0n);
  return lasted > 0n ? formatPerSecond(count, lasted) : '–';
}

const tinybarPerHbar = 100_000_000n;

function formatWholeHbar(tinybar: bigint): string {
  return formatCount(tinybar / tinybarPerHbar);
}
