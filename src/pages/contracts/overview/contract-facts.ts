// What is written down of a contract.
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import type { LedgerTransaction } from '../../../ledger/transactions/transaction.ts';
import { type Links, link } from '../../page/links.ts';
import type { PageContext } from '../../page/page-context.ts';
import { formatCount, hbar } from '../../parts/amounts.ts';
import { code } from '../../parts/bytes.ts';
import { facts } from '../../parts/facts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { keyTree } from '../../parts/key-tree.ts';
import { formatDuration, moment } from '../../parts/times.ts';
import type { ContractRow, ShownContract } from '../about/find-contract.ts';

export type ContractOrigin = {
  /** The transaction that created it; null = none is stored. */
  created: LedgerTransaction | null;
  /** Tinybar; null = not known. */
  balance: bigint | null;
};

export function contractFacts(
  { contract, id, address }: ShownContract,
  { created, balance }: ContractOrigin,
  { links }: Pick<PageContext, 'links'>,
): Markup {
  const { adminKey, memo, expirationTimestamp, fileId, nonce, obtainerId, proxyAccountId } = contract;
  return facts([
    ['Id', code(formatEntityId(id))],
    ['EVM address', code(address)],
    [
      'Balance',
      html`${balance === null ? null : html`${hbar(balance)} in `}${link(links.path('account', id), 'its account')}`,
    ],
    ['Created', showCreation(contract, created, links)],
    ['Creation code from', fileId === null || fileId === 0n ? null : html`file ${code(formatEntityId(fileId))}`],
    ['Admin key', keyTree(adminKey, links) ?? 'none: nobody can change or delete it'],
    ['Memo', foreignText(memo, { max: 100 })],
    ['Expires', expirationTimestamp === null ? null : moment(expirationTimestamp)],
    ['Renewed for', showRenewal(contract, links)],
    [
      'Nonce',
      nonce === null
        ? null
        : html`${formatCount(nonce)} <span class="faint">one more for each contract it creates</span>`,
    ],
    ['What it held went to', links.account(obtainerId)],
    ['Removed for good', contract.permanentRemoval ? 'yes' : null],
    ['Automatic associations', showAssociations(contract.maxAutomaticTokenAssociations)],
    ['Proxy account', links.account(proxyAccountId)],
  ]);
}

function showCreation(
  { createdTimestamp: at }: ContractRow,
  created: LedgerTransaction | null,
  links: Links,
): MarkupValue {
  if (at === null) return null;
  if (created === null) return moment(at);
  return html`${moment(at)} by ${links.account(created.payerAccountId) ?? 'the network'} in transaction ${links.transaction(created)}`;
}

function showRenewal({ autoRenewPeriod, autoRenewAccount }: ContractRow, links: Links): MarkupValue {
  if (autoRenewPeriod === null) return null;
  const payer = links.account(autoRenewAccount);
  return html`${formatDuration(autoRenewPeriod)}${payer === null ? null : html`, paid by ${payer}`}`;
}

function showAssociations(count: number | null): MarkupValue {
  if (count === null || count === 0) return null;
  return count === -1 ? 'any number of tokens' : `up to ${formatCount(count)} tokens`;
}
