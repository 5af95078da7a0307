// `GET /repo-ui/{chain}/{address}`: the page that tools print after a check. Contracts of the mirrored ledger have a page of
// their own; of other chains this one shows the match and the files.
import { html } from '../../../kit/markup.ts';
import { resolveContract } from '../../../verification/registry/chain-registry.ts';
import { toChecksumAddress } from '../../../verification/terms/contract-address.ts';
import type { Answer } from '../../frame/route.ts';
import { formatSitePage, sitePolicy } from '../../site/site-frame.ts';
import { matchOf } from './check-addresses.ts';
import { toRepositoryFiles } from './repository-files.ts';
import { toUrlPath } from './repository-routes.ts';
import type { V1Request, V1RoutesOptions } from './v1-context.ts';

export async function showRepoPage(
  { registry, lookup }: V1RoutesOptions,
  { params }: V1Request,
): Promise<{ answer: Answer }> {
  const { chain, address } = resolveContract(registry, params.chain!, params.address!);
  const shown = toChecksumAddress(address);
  const page = { cacheControl: 'no-cache', contentType: 'text/html; charset=utf-8', contentSecurityPolicy: sitePolicy };
  if (chain.bytecode.kind === 'ledger') {
    const location = `/${encodeURIComponent(chain.name)}/contract/${shown}`;
    return { answer: { ...page, status: 302, body: '', location } };
  }
  const found = await lookup.find(chain, address);
  const details = found && (await lookup.details(found));
  const title = `Contract ${shown} on ${chain.name}`;
  if (!details) {
    const main = html`<h1>${title}</h1>
<p class="state">It is not verified here.</p>`;
    return { answer: { ...page, status: 404, body: formatSitePage({ title, main }) } };
  }
  const match = matchOf(found.contract);
  const folder = `/repository/contracts/${match === 'perfect' ? 'full' : 'partial'}_match/${chain.chainId}/${shown}`;
  const files = toRepositoryFiles(details);
  const main = html`<h1>${title}</h1>
<p class="state">${details.fullyQualifiedName}, ${details.compiler} ${details.version}</p>
<h2>Match</h2>
<ul>
<li>Runtime code <span>${found.contract.runtimeMatch ?? 'none'}</span></li>
<li>Creation code <span>${found.contract.creationMatch ?? 'none'}</span></li>
</ul>
<h2>Files</h2>
<ul>
${files.map(
  ({ path }) => html`<li><a href="${folder}/${toUrlPath(path)}">${path}</a></li>
`,
)}</ul>
<p><a href="/v2/contract/${chain.chainId}/${shown}?fields=all">Everything as JSON</a></p>`;
  return { answer: { ...page, status: 200, body: formatSitePage({ title, main }) } };
}
