// The answer of a list that says nothing but its items and where it goes on.
import type { Page } from '../../ledger/question/page.ts';
import type { Kind } from './kind.ts';
import { links } from './kinds.ts';
import { array, members, value } from './members.ts';

/** What is written: what was found, and the link to the next page. */
export type Linked<T> = T & { link: string | null };

/** `member`: what the items stand under; `name`: of the whole in the API document. */
export function pageOf<T, P extends Page<T, unknown> = Page<T, unknown>>(
  member: string,
  item: Kind<T>,
  name: string,
): Kind<Linked<P>> {
  return members<Linked<P>>(
    { [member]: array(item, ({ items }) => items), links: value(links, ({ link }) => link) },
    { name },
  );
}
