// The answer of a list that has only its items and the link to the next page.
import type { Page } from '../../ledger/question/page.ts';
import { type Kind, listOf } from './kind.ts';
import { links } from './kinds.ts';
import { type Member, members, value } from './members.ts';

/** The items of a page, under the member's name. */
export function itemsOf<T>(item: Kind<T>): Member<{ items: readonly T[] }> {
  return value(listOf(item), (found: { items: readonly T[] }) => found.items);
}

/** The member `links` of a page. */
export const pageLinks = value(links, (found: { link: string | null }) => found.link);

/** The result, and the link to the next page. */
export type Linked<T> = T & { link: string | null };

/** `member`: the items' name; `name`: of the whole in the API document. */
export function pageOf<T, P extends Page<T, unknown> = Page<T, unknown>>(
  member: string,
  item: Kind<T>,
  name: string,
): Kind<Linked<P>> {
  return members<Linked<P>>({ [member]: itemsOf(item), links: pageLinks }, { name });
}
