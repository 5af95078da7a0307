// The head of an account's transactions on paper: a statement says whose it is, of which time, and what was there before and
// after.
import { html, type Markup } from '../../../kit/markup.ts';
import { formatEntityId } from '../../../protocol/hapi/entity-id.ts';
import { toLongZeroAddress } from '../../../protocol/hapi/evm-address.ts';
import { hbar } from '../parts/amounts.ts';
import { facts } from '../parts/facts.ts';
import { exactMoment } from '../parts/times.ts';
import type { AccountRow } from './account-rows.ts';
import type { FoundAccount } from './find-account.ts';

export type StatementOf = {
  networkName: string;
  account: FoundAccount;
  rows: readonly AccountRow[];
  /** What was asked for, ns; `to` exclusive; null = open. */
  from: bigint | null;
  to: bigint | null;
  /** Whether more of them follow on another page. */
  goesOn: boolean;
  /** End of the newest block, and the present, ns. */
  blockEnd: bigint | null;
  now: bigint;
};

export function accountStatement({ networkName, account, rows, from, to, goesOn, blockEnd, now }: StatementOf): Markup {
  const { id, evmAddress } = account;
  const address = Buffer.from(evmAddress ?? toLongZeroAddress(id)).toString('hex');
  const byTime = rows.toSorted((one, other) => (one.consensusTimestamp < other.consensusTimestamp ? -1 : 1));
  const [oldest, newest] = [byTime[0], byTime.at(-1)];
  const period =
    oldest && newest
      ? html`${exactMoment(from !== null && !goesOn ? from : oldest.consensusTimestamp)} to ${exactMoment(to === null ? newest.consensusTimestamp : to - 1n)}`
      : 'without transactions';
  const before = oldest?.balanceAfter === null || !oldest ? null : oldest.balanceAfter - oldest.movements.hbar;
  return html`<section class="paper" aria-label="Statement">
<h2>Statement of account</h2>
${facts([
  ['Network', networkName],
  ['Account', html`${formatEntityId(id)} <span class="faint">0x${address}</span>`],
  ['Period', period],
  ['Balance at the begin', before === null ? null : hbar(before)],
  ['Balance at the end', newest?.balanceAfter === null || !newest ? null : hbar(newest.balanceAfter)],
  ['Transactions', html`${rows.length}${goesOn ? ', and more on further pages' : null}`],
  [
    'Generated',
    html`${exactMoment(now)}${blockEnd === null ? null : html`, with all blocks until ${exactMoment(blockEnd)}`}`,
  ],
])}
</section>`;
}
