// `/{network}/contract/:contractId/token/serials/:serialNumber`: units of one serial number, who has them, and what the
// contract says of them.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Page } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { facts } from '../parts/facts.ts';
import { foreignLink } from '../parts/foreign-link.ts';
import { foreignBlock, foreignText } from '../parts/foreign-text.ts';
import { picturePart, readDataJson } from '../parts/picture.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { askUri } from './ask-uri.ts';
import { findToken, tokenHeading } from './find-token.ts';
import { parseNumber } from './keyset-list.ts';
import { serialColumns } from './token-columns.ts';
import { byItsEvents, hasSerials } from './token-parts.ts';

const maxOwners = 25;
/** A contract can be asked about a number below it. */
const words = 2n ** 256n;

export const contractSerialPage: Page = {
  path: '/contract/:contractId/token/serials/:serialNumber',
  ask: (request, outer) =>
    outer.snapshot(async (context) => {
      const serialNumber = parseNumber(request.params.serialNumber);
      if (serialNumber === undefined) throw refuse('invalidParameter', { name: 'serialNumber' });
      const found = await findToken(request, context);
      const { token, shown } = found;
      if (!hasSerials(token)) throw refuse('notFound', { missing: 'All units of this token are alike.' });
      const { contractTokens } = context.ledger;
      const owners = await contractTokens.findSerial({ contractId: token.contractId, serialNumber, limit: maxOwners });
      const uri = serialNumber < words ? await askUri(context, shown.address, token, serialNumber) : null;
      if (owners.length === 0 && uri === null) throw refuse('notFound', { missing: 'Nobody has such a unit.' });
      const picture = uri === null ? null : picturePart(uri, request);
      return {
        title: `#${serialNumber} of ${request.params.contractId}`,
        json: null,
        ...(picture?.allows ? { allows: picture.allows } : {}),
        main: html`${tokenHeading(found, `/serials/${serialNumber}`, context)}
<h2>#${serialNumber}</h2>
<div class="grid">${section(
          { id: 'owners', title: token.standard === 'ERC-721' ? 'Owner' : 'Owners' },
          html`${table(serialColumns(token, context), owners, { caption: 'Owners', none: 'Nobody has it.' })}${byItsEvents(token, null)}`,
        )}
${section({ id: 'metadata', title: 'What the contract says' }, html`${picture?.shown ?? null}${described(uri, context)}`)}</div>`,
      };
    }),
};

function described(uri: string | null, { links }: Pick<PageContext, 'links'>): MarkupValue {
  if (uri === null) return html`<p class="none">It does not say where this unit is described.</p>`;
  const inside = readDataJson(uri);
  if (inside === null) return html`<p>${foreignLink(uri, links.start, { max: 500 })}</p>`;
  return html`${membersOf(inside)}<details><summary>As it is</summary>${foreignBlock(inside, { max: 4_000 })}</details>`;
}

function membersOf(text: string): MarkupValue {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof found !== 'object' || found === null) return null;
  const shown = ['name', 'description'].flatMap((name) => {
    const value = (found as Record<string, unknown>)[name];
    return typeof value === 'string' ? [[name, foreignText(value)] as const] : [];
  });
  return shown.length === 0 ? null : facts(shown);
}
