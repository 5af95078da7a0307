// `GET /repo-ui/{chain}/{address}`: the page that tools print after a check. Contracts of the mirrored ledger have a
// page of their own; of other chains this one shows the match and the files.

import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { html, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { resolveProxy } from '../../../../packages/verification/http/proxy-body.ts';
import { matchOf } from '../../../../packages/verification/http/v1/check-addresses.ts';
import { toRepositoryFiles } from '../../../../packages/verification/http/v1/repository-files.ts';
import { toUrlPath } from '../../../../packages/verification/http/v1/repository-routes.ts';
import type { V1Request, V1RoutesOptions } from '../../../../packages/verification/http/v1/v1-context.ts';
import { type Chain, resolveContract } from '../../../../packages/verification/registry/chain-registry.ts';
import type { Answer } from '../../../../packages/web-server/route.ts';
import { htmlAnswer } from '../../add-pages.ts';
import { framePage, type PageSite } from '../../frame/page-frame.ts';
import { htmlType } from '../../frame/refusal-page.ts';
import { foreignText } from '../../parts/foreign-text.ts';

export async function showRepoPage(
  { registry, lookup, site }: Pick<V1RoutesOptions, 'registry' | 'lookup'> & { site: PageSite },
  { params }: V1Request,
): Promise<{ answer: Answer }> {
  const { chain, address } = resolveContract(registry, params.chain!, params.address!);
  const shown = toChecksumAddress(address);
  if (chain.bytecode.kind === 'ledger') {
    const location = `/${site.slug}/contract/${shown}`;
    return { answer: { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType } };
  }
  const found = await lookup.find(chain, address);
  const details = found && (await lookup.details(found));
  const title = `Contract ${shown} on ${chain.name}`;
  if (!details) {
    const main = html`<h1>${title}</h1>
<p class="lead">It is not verified here.</p>`;
    return { answer: htmlAnswer(framePage(site, { title, main }), 404) };
  }
  const match = matchOf(found.contract);
  const folder = `/repository/contracts/${match === 'perfect' ? 'full' : 'partial'}_match/${chain.chainId}/${shown}`;
  const files = toRepositoryFiles(details);
  const main = html`<h1>${title}</h1>
<p class="lead">${details.fullyQualifiedName}, ${details.compiler} ${details.version}</p>
${await behindProxy({ lookup, chain, address })}
<section class="card"><h2>Match</h2>
<ul class="paths">
<li>Runtime code <span>${found.contract.runtimeMatch ?? 'none'}</span></li>
<li>Creation code <span>${found.contract.creationMatch ?? 'none'}</span></li>
</ul></section>
<section class="card"><h2>Files</h2>
<ul class="paths">
${files.map(
  ({ path }) => html`<li><a href="${folder}/${toUrlPath(path)}">${path}</a></li>
`,
)}</ul></section>
<p><a href="/v2/contract/${chain.chainId}/${shown}?fields=all">Everything as JSON</a></p>`;
  return { answer: htmlAnswer(framePage(site, { title, main })) };
}

const maxImplementations = 20;

/** Where calls of a proxy go, to the pages of those contracts; or why that is not known. */
async function behindProxy({
  lookup,
  chain,
  address,
}: Pick<V1RoutesOptions, 'lookup'> & { chain: Chain; address: string }): Promise<MarkupValue> {
  const { implementations = [], proxyResolutionError } = await resolveProxy(lookup, chain, address);
  if (proxyResolutionError)
    return html`<p class="faint">Whether its calls go on to another contract is not known: ${proxyResolutionError.message}</p>`;
  if (implementations.length === 0) return null;
  const left = implementations.length - maxImplementations;
  return html`<section class="card"><h2>Calls go on to</h2>
<ul class="paths">
${implementations.slice(0, maxImplementations).map(
  ({ address: to, name }) =>
    html`<li><a href="/repo-ui/${chain.chainId}/${to}">${to}</a> <span>${name === undefined ? 'not verified' : foreignText(name, { max: 200 })}</span></li>
`,
)}${left > 0 ? html`<li>&hellip; ${left} more</li>` : null}</ul></section>`;
}
