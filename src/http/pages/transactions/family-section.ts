// Transactions that belong together as a nested list: what a contract called, what was scheduled and when it was executed, what
// is inside of a batch.
import { html, type Markup, type MarkupValue } from '../../../kit/markup.ts';
import type { DetailedTransaction } from '../../../ledger/transactions/create-named-transactions.ts';
import { isScheduling } from '../../../ledger/transactions/create-named-transactions.ts';
import { badge, resultBadge } from '../parts/badge.ts';
import { type Links, link } from '../parts/links.ts';
import { section } from '../parts/section.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { type TreeValue, valueTree } from '../parts/value-tree.ts';

type Member = DetailedTransaction;
type Branch = { member: Member; inside: Branch[] };

/** More are at the page of the id. */
const maxShown = 25;

/** null = it is alone. */
export function familySection(
  members: readonly Member[],
  current: Member | null,
  links: Links,
  title = 'Transactions that belong together',
): Markup | null {
  if (members.length < 2 && current !== null) return null;
  const count = { left: maxShown };
  const tree = toBranches(members).flatMap((branch) => toTree(branch, current, links, count));
  const left = members.length - (maxShown - count.left);
  const more = left > 0 ? html`<p class="faint">${left} more are in the list as JSON.</p>` : null;
  return section({ id: 'family', title }, html`${valueTree(tree, title)}${more}`);
}

/** Each below its parent: the one at the parent's time, what it was scheduled by, or the signed one with its id. */
function toBranches(members: readonly Member[]): Branch[] {
  const branches = members.map((member): Branch => ({ member, inside: [] }));
  const roots: Branch[] = [];
  for (const branch of branches) {
    const parent = branches.find((other) => other !== branch && isParent(other.member, branch.member));
    (parent?.inside ?? roots).push(branch);
  }
  return roots;
}

/** A parent precedes its children, so that no one is its own ancestor. */
function isParent(parent: Member, child: Member): boolean {
  if (parent.consensusTimestamp >= child.consensusTimestamp) return false;
  if (child.parentConsensusTimestamp !== null) return parent.consensusTimestamp === child.parentConsensusTimestamp;
  const hasSameId = parent.payerAccountId === child.payerAccountId && parent.validStart === child.validStart;
  if (!hasSameId || parent.nonce !== 0) return false;
  if (child.nonce > 0) return parent.scheduled === child.scheduled;
  return child.scheduled && isScheduling(parent);
}

function toTree(
  { member, inside }: Branch,
  current: Member | null,
  links: Links,
  count: { left: number },
): TreeValue[] {
  if (count.left <= 0) return [];
  count.left -= 1;
  const isCurrent = member.consensusTimestamp === current?.consensusTimestamp;
  const words = typeWords(member.type);
  const name: MarkupValue = isCurrent
    ? html`<span aria-current="true">${words}</span> <span class="faint">this one</span>`
    : link(links.transactionPath(member.consensusTimestamp), words);
  const notes = [
    member.scheduled && member.nonce === 0 ? badge('plain', 'scheduled execution') : null,
    member.batchKey === null ? null : badge('plain', 'in a batch'),
  ];
  const about = links.subject(member.type, member.entityId);
  return [
    {
      name: '',
      value: html`${name} ${resultBadge(member.result)} ${notes} ${about} <span class="faint">${moment(member.consensusTimestamp)}</span>`,
      inside: inside.flatMap((branch) => toTree(branch, current, links, count)),
    },
  ];
}
