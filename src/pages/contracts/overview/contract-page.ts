// `/{network}/contract/:contractId`: what a contract is, what was last asked of it and logged by it, and how it
// changed.
import { html } from '../../../../packages/kit/markup.ts';
import { getAccount } from '../../../resources/accounts/get-account.ts';
import { getContract } from '../../../resources/contracts/get-contract.ts';
import { listLogsOfContract } from '../../../resources/contracts/list-logs-of-contract.ts';
import { listResultsOfContract } from '../../../resources/contracts/list-results-of-contract.ts';
import { pathOfJson } from '../../lists/list-page.ts';
import { link } from '../../page/links.ts';
import type { Page, PageContent, PageRequest } from '../../page/page.ts';
import type { PageContext } from '../../page/page-context.ts';
import { findCreation } from '../../parts/find-creation.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { orNull } from '../../parts/or-null.ts';
import { section } from '../../parts/section.ts';
import { table } from '../../parts/table.ts';
import { contractHeading, titleOf } from '../about/contract-heading.ts';
import { contractName, findContract, type ShownContract } from '../about/find-contract.ts';
import { logColumns, logsOfPage } from '../lists/log-columns.ts';
import { resultColumns, resultsOfPage } from '../lists/result-columns.ts';
import { contractFacts } from './contract-facts.ts';
import { findVersions, versionsPart } from './contract-versions.ts';

export const contractPage: Page = {
  path: '/contract/:contractId',
  ask: (request, context) => context.snapshot((own) => showContract(request, own)),
};

const newest = 'limit=10';

async function showContract(request: PageRequest, context: PageContext): Promise<PageContent> {
  const { links } = context;
  const shown = await findContract(context, request);
  const { contract, id } = shown;
  const name = contractName(shown);
  const params = { contractIdOrAddress: name };
  const [account, created, results, logs, versions] = await Promise.all([
    orNull(context.ask(getAccount, { params: { idOrAliasOrEvmAddress: name }, queryText: 'transactions=false' })),
    findCreation(contract.createdTimestamp, context),
    context.ask(listResultsOfContract, { params, queryText: newest }),
    context.ask(listLogsOfContract, { params, queryText: newest }),
    findVersions(context, shown, request),
  ]);
  const path = links.path('contract', id);
  const balance = account?.found.balance.balance ?? null;
  return {
    title: `Contract ${name}`,
    main: html`${contractHeading(shown, 'summary', links)}
<div class="grid">
${section({ id: 'facts', title: 'Facts' }, contractFacts(shown, { created, balance }, context))}
<div>
${section({ id: 'sources', title: 'Sources' }, sourcesPart(shown, path))}
${section({ id: 'versions', title: 'Versions' }, versionsPart(versions, request, links))}
</div>
</div>
${section(
  { id: 'calls', title: 'Newest calls', beside: link(`${path}/calls`, 'All calls') },
  table(resultColumns(shown, links), resultsOfPage(results.found), {
    caption: `Newest calls of ${name}`,
    none: 'Nobody has called it.',
  }),
)}
${section(
  { id: 'events', title: 'Newest events', beside: link(`${path}/events`, 'All events') },
  table(logColumns(shown, links), logsOfPage(logs.found), {
    caption: `Newest events of ${name}`,
    none: 'It has logged nothing.',
  }),
)}`,
    json: pathOfJson(getContract, params),
  };
}

function sourcesPart(shown: ShownContract, path: string) {
  const { abi } = shown;
  if (abi === null) {
    return html`<p>Nobody has shown what this contract was written as: only usual functions and events have names here.</p>
<p>${link(`${path}/source`, 'Verify it')}</p>`;
  }
  const { functions, events } = abi.abi;
  const reads = functions.filter(({ mutability }) => mutability === 'view' || mutability === 'pure').length;
  return html`<p>${foreignText(titleOf(abi), { max: 60, none: 'It' })} has ${functions.length} functions, of which ${reads} can be asked, and ${events.length === 1 ? 'one event' : `${events.length} events`}.</p>
<ul class="inline"><li>${link(`${path}/source`, 'Read the sources')}</li><li>${link(`${path}/abi`, 'Ask its functions')}</li></ul>`;
}
