// Transactions that belong together as a nested list: what a contract called, what was scheduled and when it was
// executed, what is inside of a batch.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import { isScheduling } from '../../ledger/transactions/create-named-transactions.ts';
import { type Links, link } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import { badge, resultBadge } from '../parts/badge.ts';
import { listWindow } from '../parts/list-window.ts';
import { section } from '../parts/section.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { type TreeValue, valueTree } from '../parts/value-tree.ts';

type Member = DetailedTransaction;
type Branch = { member: Member; inside: Branch[] };

type FamilyOptions = {
  /** Oldest first. */
  members: readonly Member[];
  /** Whose page it is; null = of all of them. */
  current: Member | null;
  title: string;
  /** Of a part of the list. */
  rows: number;
};

/** null = it is alone. */
export function familySection(
  { members, current, title, rows }: FamilyOptions,
  request: PageRequest,
  links: Links,
): Markup | null {
  if (members.length < 2 && current !== null) return null;
  const { shown, pager } = listWindow(members, request, { name: 'family', id: 'family', size: rows });
  const tree = toBranches(shown).map((branch) => toTree(branch, current, links));
  return section({ id: 'family', title }, [valueTree(tree, title), pager]);
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

function toTree({ member, inside }: Branch, current: Member | null, links: Links): TreeValue {
  const isCurrent = member.consensusTimestamp === current?.consensusTimestamp;
  const words = typeWords(member.type);
  const name: MarkupValue = isCurrent
    ? html`<span aria-current="true">${words}</span> <span class="faint">this one</span>`
    : link(links.transactionPath(member.consensusTimestamp), words);
  const notes = [
    member.scheduled && member.nonce === 0 ? badge('plain', 'scheduled execution') : null,
    member.batchKey === null ? null : badge('plain', 'in a batch'),
  ];
  const about = links.subject(member);
  return {
    name: '',
    value: html`${name} ${resultBadge(member.result)} ${notes} ${about} <span class="faint">${moment(member.consensusTimestamp)}</span>`,
    inside: inside.map((branch) => toTree(branch, current, links)),
  };
}
