// What changed of a contract and when: each version beside the one before it.

import { html, joinMarkup, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { ContractVersionRow } from '../../../../packages/store/read/select-contract-versions.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import { type Links, link } from '../../page/links.ts';
import type { PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { formatCount } from '../../parts/amounts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { keyTree } from '../../parts/key-tree.ts';
import { table } from '../../parts/table.ts';
import { formatDuration, moment } from '../../parts/times.ts';
import type { ShownContract } from '../about/find-contract.ts';

const shown = 10;
const maxInt64 = 2n ** 63n - 1n;

export type ContractVersions = {
  /** The newest first; one more than is shown, to compare with. */
  versions: readonly ContractVersionRow[];
  isFirst: boolean;
};

/** The parameter `versions`: a time in ns before which they began. Throws RequestError. */
export async function findVersions(
  { ledger }: Pick<PageContext, 'ledger'>,
  { id }: Pick<ShownContract, 'id'>,
  { queryText }: PageRequest,
): Promise<ContractVersions> {
  const before = readBefore(queryText);
  const versions = await ledger.contracts.listVersions({
    contractId: id,
    before: before ?? maxInt64,
    limit: shown + 1,
  });
  return { versions, isFirst: before === null };
}

function readBefore(queryText: string): bigint | null {
  const text = new URLSearchParams(queryText).get('versions');
  if (text === null) return null;
  const before = /^\d{1,19}$/.test(text) ? BigInt(text) : maxInt64 + 1n;
  if (before > maxInt64) throw refuse('invalidParameter', { name: 'versions' });
  return before;
}

type Change = { version: ContractVersionRow; changes: readonly Markup[] };

export function versionsPart({ versions, isFirst }: ContractVersions, { path }: PageRequest, links: Links): Markup {
  const listed = versions.slice(0, shown).map((version, place): Change => {
    const before = versions[place + 1];
    return {
      version,
      changes: before === undefined ? [html`created, or the first that is known`] : compare(version, before, links),
    };
  });
  const next = versions.length > shown ? listed.at(-1)!.version.since : null;
  const pager =
    next === null && isFirst
      ? null
      : html`<nav class="pager" aria-label="Parts of the list of versions">${isFirst ? null : html`<a href="${`${path}#versions`}">Newest versions</a>`}${next === null ? null : html`<a href="${`${path}?versions=${next}#versions`}" rel="next">Earlier versions</a>`}</nav>`;
  const rows = table(
    [
      {
        name: 'Since',
        narrow: 'title',
        show: ({ version: { since } }: Change) => link(links.transactionPath(since), moment(since)),
      },
      { name: 'What changed', narrow: 'below', show: ({ changes }: Change) => joinMarkup(changes, html`<br>`) },
    ],
    listed,
    { caption: 'Versions of the contract', none: 'No version is stored.' },
  );
  return html`${rows}${pager}`;
}

function compare(version: ContractVersionRow, before: ContractVersionRow, links: Links): Markup[] {
  const changed = members.filter(({ read }) => toKey(read(version)) !== toKey(read(before)));
  if (changed.length === 0) return [html`<span class="faint">nothing that is told here</span>`];
  return changed.map(({ name, read, show }) => {
    const value = read(version);
    return html`<span class="faint">${name}</span> ${value === null || value === '' ? html`<span class="faint">removed</span>` : show(value as never, links)}`;
  });
}

type Member<T> = {
  name: string;
  read(version: ContractVersionRow): T | null;
  show(value: T, links: Links): MarkupValue;
};

function member<T>(name: string, read: Member<T>['read'], show: Member<T>['show']): Member<never> {
  return { name, read, show } as unknown as Member<never>;
}

const members: readonly Member<never>[] = [
  member(
    'Deleted',
    ({ deleted }) => deleted,
    (deleted) => (deleted ? 'yes' : 'no'),
  ),
  member(
    'What it held went to',
    ({ obtainerId }) => obtainerId,
    (id, links) => links.account(id),
  ),
  member(
    'Removed for good',
    ({ permanentRemoval }) => permanentRemoval,
    (removed) => (removed ? 'yes' : 'no'),
  ),
  member(
    'Admin key',
    ({ key }) => key,
    (key, links) => keyTree(key, links),
  ),
  member(
    'Memo',
    ({ memo }) => memo,
    (memo) => foreignText(memo, { max: 100 }),
  ),
  member(
    'Expires',
    ({ expirationTimestamp }) => expirationTimestamp,
    (at) => moment(at),
  ),
  member(
    'Renewed for',
    ({ autoRenewPeriod }) => autoRenewPeriod,
    (period) => formatDuration(period),
  ),
  member(
    'Renewal paid by',
    ({ autoRenewAccountId }) => autoRenewAccountId,
    (id, links) => links.account(id),
  ),
  member(
    'Nonce',
    ({ ethereumNonce }) => ethereumNonce,
    (nonce) => formatCount(nonce),
  ),
  member(
    'Automatic associations',
    ({ maxAutomaticTokenAssociations }) => maxAutomaticTokenAssociations,
    (count) => (count === -1 ? 'any number' : formatCount(count)),
  ),
  member(
    'Proxy account',
    ({ proxyAccountId }) => proxyAccountId,
    (id, links) => links.account(id),
  ),
  member(
    'Stakes to account',
    ({ stakedAccountId }) => stakedAccountId,
    (id, links) => links.account(id),
  ),
  member(
    'Stakes to node',
    ({ stakedNodeId }) => stakedNodeId,
    (id) => (id === -1n ? 'none' : String(id)),
  ),
  member(
    'Declines rewards',
    ({ declineReward }) => declineReward,
    (declines) => (declines ? 'yes' : 'no'),
  ),
];

function toKey(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
