// The head of an account's transactions on paper: a statement says whose it is, of which time, and what was there
// before and after.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { hbar } from '../parts/amounts.ts';
import { facts } from '../parts/facts.ts';
import { exactMoment } from '../parts/times.ts';
import type { AccountRow } from './account-rows.ts';
import type { FoundAccount } from './find-account.ts';

export type StatementOf = {
  networkName: string;
  account: FoundAccount;
  rows: readonly AccountRow[];
  /** Where what was asked for begins and ends, ns, inclusive; null = with the first or the last of the rows. */
  period: { from: bigint | null; to: bigint | null };
  /** Tinybar, without rows: the balance all the time; null = unknown. */
  unmoved: bigint | null;
  /** Whether more of them follow on another page. */
  goesOn: boolean;
  /** End of the newest block, and the present, ns. */
  blockEnd: bigint | null;
  now: bigint;
};

export function accountStatement({
  networkName,
  account,
  rows,
  period,
  unmoved,
  goesOn,
  blockEnd,
  now,
}: StatementOf): Markup {
  const { id, evmAddress } = account;
  const address = Buffer.from(evmAddress ?? toLongZeroAddress(id)).toString('hex');
  const byTime = rows.toSorted((one, other) => (one.consensusTimestamp < other.consensusTimestamp ? -1 : 1));
  const [oldest, newest] = [byTime[0], byTime.at(-1)];
  const from = period.from ?? oldest?.consensusTimestamp;
  const to = period.to ?? newest?.consensusTimestamp;
  const hasPeriod = from !== undefined && to !== undefined;
  const after = newest ? newest.balanceAfter : unmoved;
  const before = !oldest ? unmoved : oldest.balanceAfter === null ? null : oldest.balanceAfter - oldest.movements.hbar;
  return html`<section class="paper" aria-label="Statement">
<h2>Statement of account</h2>
${facts([
  ['Network', networkName],
  ['Account', html`${formatEntityId(id)} <span class="faint">0x${address}</span>`],
  ['Period', hasPeriod ? html`${exactMoment(from)} to ${exactMoment(to)}` : 'without transactions'],
  ['Balance at the begin', before === null ? null : hbar(before)],
  ['Balance at the end', after === null ? null : hbar(after)],
  ['Transactions', html`${rows.length}${goesOn ? ', and more on further pages' : null}`],
  [
    'Generated',
    html`${exactMoment(now)}${blockEnd === null ? null : html`, with all blocks until ${exactMoment(blockEnd)}`}`,
  ],
])}
</section>`;
}
