// A text of the ledger that may be an address of the web: a link for who wants to go there. Nothing is fetched from it, by the
// server or by the browser, and the other side does not learn where the reader came from.
import { html, type MarkupValue } from '../../../kit/markup.ts';
import { type ForeignTextOptions, foreignText } from './foreign-text.ts';

const maxLinkLength = 2048;

export function foreignLink(text: string, options: ForeignTextOptions = {}): MarkupValue {
  const shown = foreignText(text, options);
  return isLink(text) ? html`<a href="${text}" rel="noopener noreferrer nofollow ugc">${shown}</a>` : shown;
}

/** Characters that addresses have (RFC 3986), and no others. */
function isLink(text: string): boolean {
  return (
    text.length <= maxLinkLength &&
    /^(?:https?|ipfs):\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(text) &&
    URL.canParse(text)
  );
}
