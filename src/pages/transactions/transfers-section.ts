// What a transaction moved: pictures of who gave what to whom, and the same as tables.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import type { Links } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { formatCount, hbar, hbarChange } from '../parts/amounts.ts';
import { badge } from '../parts/badge.ts';
import { flowPicture } from '../parts/flow-picture.ts';
import { listWindow } from '../parts/list-window.ts';
import { section } from '../parts/section.ts';
import { type Column, table } from '../parts/table.ts';
import type { TokenUnits } from '../parts/token-units.ts';
import { type Rates, worth } from '../parts/worth.ts';
import { feeAccounts } from './fee-accounts.ts';
import type { Moved, Movement, Mover } from './movements.ts';

export type TransfersContext = {
  links: Links;
  units: TokenUnits;
  system: SystemRealm;
  rates: Rates;
  /** Rows of one part of a list. */
  rows: number;
};

/** More are in the tables only. */
const maxPictures = 4;

/** null = nothing was moved. The fee has no picture: the facts say it. */
export function transfersSection(
  transaction: DetailedTransaction,
  moved: Moved,
  request: PageRequest,
  context: TransfersContext,
): Markup | null {
  const { isFeeKnown } = moved;
  if (moved.movements.length === 0) return null;
  const movements = moved.movements.filter(({ kind }) => kind !== 'fee');
  const pictures = movements.slice(0, maxPictures).map((movement) => picture(movement, context));
  const left = movements.length - pictures.length;
  const more = left > 0 ? html`<p class="faint">${left} more are in the tables below.</p>` : null;
  const mixed = isFeeKnown
    ? null
    : html`<p class="faint">The fee is among the hbar shown here: the ledger does not tell it from what was sent.</p>`;
  return section(
    { id: 'transfers', title: 'Who gave what to whom' },
    html`${pictures}${more}${mixed}${tables(transaction, request, context)}`,
  );
}

function picture(movement: Movement, context: TransfersContext): Markup {
  const { givers, receivers } = movement;
  const toParty = (isGiver: boolean) => (mover: Mover) => ({
    who: nameMover(mover, isGiver, movement, context),
    amount: mover.amount,
  });
  return flowPicture({
    title: html`${titleOf(movement, context)}${worthOf(movement, context)}`,
    givers: givers.map(toParty(true)),
    receivers: receivers.map(toParty(false)),
    format: (amount) => formatMoved(movement, amount, context),
  });
}

export function formatMoved(movement: Movement, amount: bigint, { units }: Pick<TransfersContext, 'units'>): Markup {
  switch (movement.kind) {
    case 'token':
      return units.amount(movement.tokenId, amount);
    case 'nft':
      return html`<span class="amount">${formatCount(amount)} NFT${amount === 1n ? '' : 's'}</span>`;
    default:
      return hbar(amount);
  }
}

function titleOf(movement: Movement, { units }: TransfersContext): MarkupValue {
  switch (movement.kind) {
    case 'token':
    case 'nft':
      return units.named(movement.tokenId);
    case 'reward':
      return 'Staking rewards';
    default:
      return 'Hbar';
  }
}

/** Of all that changed hands. */
export function worthOf({ kind, receivers }: Movement, { rates }: TransfersContext): MarkupValue {
  if (kind !== 'hbar' && kind !== 'reward') return null;
  const shown = worth(
    receivers.reduce((sum, { amount }) => sum + amount, 0n),
    rates,
  );
  return shown && html` ${shown}`;
}

const maxSerials = 4;

function nameMover(mover: Mover, isGiver: boolean, movement: Movement, context: TransfersContext): MarkupValue {
  const { links, system } = context;
  const { accountId } = mover;
  const withoutAccount = html`<span class="faint">${isGiver ? 'newly made' : 'destroyed'}</span>`;
  const purpose = accountId === null ? undefined : feeAccounts(system).get(accountId);
  const name =
    accountId === null
      ? withoutAccount
      : html`${links.account(accountId)}${purpose ? html` <span class="faint">${purpose}</span>` : null}`;
  if (movement.kind !== 'nft' || isGiver) return name;
  const serials = movement.serials.filter(({ to }) => to === accountId).flatMap(({ serialNumbers }) => serialNumbers);
  return html`${name} ${showSerials(movement.tokenId, serials, links)}`;
}

export function showSerials(tokenId: bigint, serials: readonly bigint[], links: Links): MarkupValue {
  const shown = serials.slice(0, maxSerials).map((serial) => html`${links.nft(tokenId, serial)} `);
  const left = serials.length - shown.length;
  return [...shown, left > 0 ? html`<span class="faint">and ${formatCount(left)} more</span>` : null];
}

type Line = { accountId: bigint; change: Markup; isApproval: boolean };

/** Everything as the ledger has it, the fee included. */
function tables(
  transaction: DetailedTransaction,
  request: PageRequest,
  { links, units, system, rows }: TransfersContext,
): Markup {
  const purposes = feeAccounts(system);
  const lines: Line[] = [
    ...transaction.transfers.map((line) => ({ ...line, change: hbarChange(line.amount) })),
    ...transaction.tokenTransfers.map((line) => ({ ...line, change: units.change(line.tokenId, line.amount) })),
  ];
  const account = (id: bigint | null): MarkupValue =>
    id === null ? html`<span class="faint">nobody</span>` : links.account(id);
  const approval = (isApproval: boolean): MarkupValue => (isApproval ? badge('plain', 'by allowance') : null);
  const columns: Column<Line>[] = [
    {
      name: 'Account',
      narrow: 'title',
      show: ({ accountId }) =>
        html`${links.account(accountId)} <span class="faint">${purposes.get(accountId) ?? null}</span>`,
    },
    { name: 'Change', narrow: 'amount', isNumber: true, show: ({ change }) => change },
    { name: 'Allowance', narrow: 'end', show: ({ isApproval }) => approval(isApproval) },
  ];
  type Nft = DetailedTransaction['nftTransfers'][number];
  const nftColumns: Column<Nft>[] = [
    {
      name: 'NFT',
      narrow: 'title',
      show: ({ tokenId, serialNumber }) => html`${units.unit(tokenId)} ${links.nft(tokenId, serialNumber)}`,
    },
    { name: 'From', narrow: 'start', show: ({ senderAccountId }) => account(senderAccountId) },
    { name: 'To', narrow: 'to', show: ({ receiverAccountId }) => account(receiverAccountId) },
    { name: 'Allowance', narrow: 'end', show: ({ isApproval }) => approval(isApproval) },
  ];
  const changes = listWindow(lines, request, { name: 'transfers', id: 'transfers', size: rows });
  const nfts = listWindow(transaction.nftTransfers, request, { name: 'nfts', id: 'transfers', size: rows });
  const withApproval = lines.some(({ isApproval }) => isApproval);
  return html`<h3>Every change of a balance</h3>
${table(withApproval ? columns : columns.slice(0, 2), changes.shown, { caption: 'Changes of balances', none: 'No balance has changed.' })}${changes.pager}
${
  transaction.nftTransfers.length === 0
    ? null
    : html`<h3>NFTs</h3>${table(nftColumns, nfts.shown, { caption: 'Transfers of NFTs', none: 'None here.' })}${nfts.pager}`
}`;
}
