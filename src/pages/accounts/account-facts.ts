// What is written down of an account.
import { encodeBase32 } from '../../../packages/kit/base32.ts';
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { link } from '../page/links.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { code } from '../parts/bytes.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { formatDay, formatDuration, moment } from '../parts/times.ts';
import type { FoundAccount } from './find-account.ts';

/** `created`: the transaction that created it; null = none is stored. */
export type AccountOrigin = { isContract: boolean; created: LedgerTransaction | null };

export function accountFacts(account: FoundAccount, { isContract, created }: AccountOrigin, { links }: PageContext) {
  const { id, alias, key, memo, createdTimestamp, expiryTimestamp, autoRenewPeriod } = account;
  const list: Fact[] = [
    ['EVM address', code(`0x${Buffer.from(account.evmAddress ?? toLongZeroAddress(id)).toString('hex')}`)],
    ['Alias', alias === null || alias.length === 20 ? null : code(encodeBase32(alias))],
    ['Contract', isContract ? html`${links.contract(id)}, which has code and answers calls` : null],
    ['Key', keyTree(key, links) ?? (isContract ? null : 'none: nobody can sign for it')],
    ['Memo', foreignText(memo, { max: 100 })],
    ['Created', showCreated(createdTimestamp, created, links)],
    ['Expires', expiryTimestamp === null ? null : moment(expiryTimestamp)],
    ['Renewed for', autoRenewPeriod === null ? null : formatDuration(autoRenewPeriod)],
    ['Automatic associations', showAssociations(account.maxAutomaticTokenAssociations)],
    ['Ethereum nonce', account.ethereumNonce === null ? null : formatCount(account.ethereumNonce)],
  ];
  return facts(list);
}

export function stakingFacts(account: FoundAccount, { links }: PageContext) {
  const { stakedNodeId, stakedAccountId, stakePeriodStart, pendingReward, declineReward } = account;
  const isStaked = stakedNodeId !== null || (stakedAccountId !== null && stakedAccountId !== 0n);
  if (!isStaked) return html`<p class="none">It stakes to nobody.</p>`;
  return facts([
    [
      'Stakes to',
      stakedNodeId === null
        ? html`account ${links.account(stakedAccountId)}`
        : link(`${links.start}/node/${stakedNodeId}`, `node ${stakedNodeId}`),
    ],
    ['Since', stakePeriodStart === null ? null : formatDay(stakePeriodStart)],
    ['Rewards', declineReward ? 'declined' : html`accepted; ${hbar(pendingReward)} are pending`],
  ]);
}

function showCreated(at: bigint | null, created: LedgerTransaction | null, links: PageContext['links']): MarkupValue {
  if (at === null) return null;
  if (created === null) return moment(at);
  return html`${moment(at)} by transaction ${links.transaction(created)}`;
}

function showAssociations(count: number | null): MarkupValue {
  if (count === null) return null;
  if (count === 0) return 'none: it chooses its tokens itself';
  return count === -1 ? 'any number of tokens' : `up to ${formatCount(count)} tokens`;
}
