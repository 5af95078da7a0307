// Everything that a text may name: in the ledger, and among contracts with checked sources.

import { toChecksumAddress } from '../../../packages/abi/checksum-address.ts';
import { html } from '../../../packages/kit/markup.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { SearchTarget } from '../../ledger/search/search.ts';
import type { PageContext } from '../page/page-context.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { readSearchTerms } from './read-search-term.ts';
import { type SearchHit, toSearchHit } from './search-hit.ts';

export type FoundHits = { targets: readonly SearchTarget[]; hits: readonly SearchHit[] };

type Finding = Pick<PageContext, 'links' | 'settings' | 'sources'> & Pick<PageContext, 'ledger'>;

/** Characters of the name of a contract. */
const nameForm = /^[a-z_$][\w$]{1,99}$/i;
const maxNamedContracts = 10;
/** Characters of a part of a label. */
const minLabelPart = 2;
const maxLabelled = 20;

/** null = the text has no form that is known. */
export async function findHits(text: string, { ledger, links, settings, sources }: Finding): Promise<FoundHits | null> {
  const terms = readSearchTerms(text, settings.system);
  const labelled = text.length < minLabelPart ? [] : links.findLabels(text, maxLabelled);
  const asked = [...terms, ...labelled.map((id) => ({ kind: 'id' as const, id }))];
  if (asked.length === 0) return null;
  const [targets, named] = await Promise.all([
    Promise.all(asked.map((term) => ledger.search(term))),
    sources && nameForm.test(text) ? sources.named(text, maxNamedContracts) : [],
  ]);
  const contracts = named.map(({ address, name }): SearchHit => {
    const shown = toChecksumAddress(toHex(address));
    return {
      ...{ kind: 'Contract', name: foreignText(name, { max: 100 }), about: html`${shown}, sources checked` },
      page: `${links.start}/contract/${shown}/source`,
      json: `/api/v1/contracts/${shown}`,
      isItself: true,
    };
  });
  const all = targets.flat();
  return { targets: all, hits: withoutRepeats([...all.map((target) => toSearchHit(target, links)), ...contracts]) };
}

/** A token may be found by its id and by its name. */
export function withoutRepeats(hits: readonly SearchHit[]): SearchHit[] {
  const places = hits.map(({ page }) => page);
  return hits.filter(({ page }, at) => page === null || places.indexOf(page) === at);
}
