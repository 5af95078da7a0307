// The form of the search. Works without scripts.
import { html, type Markup } from '../../../packages/kit/markup.ts';

type SearchForm = {
  /** Of its field: one a page. */
  id: string;
  /** In the field. */
  text: string;
};

export function searchForm({ id, text }: SearchForm): Markup {
  return html`<form action="/search" role="search"><label class="away" for="${id}">Look up an id, block number, address, hash, key, alias or token</label><input id="${id}" name="q" value="${text}" maxlength="300" required autocapitalize="off" autocomplete="off" spellcheck="false" placeholder="0.0.1234, 0x&hellip;, name"><button>Look up</button></form>`;
}
