// `/{network}/contract/:contractId`: what a contract is, what was last asked of it and logged by it, and how it
// changed.
import { html } from '../../../../packages/kit/markup.ts';
import { getAccount } from '../../../resources/accounts/get-account.ts';
import { getContract } from '../../../resources/contracts/get-contract.ts';
import { listLogsOfContract } from '../../../resources/contracts/list-logs-of-contract.ts';
import { listResultsOfContract } from '../../../resources/contracts/list-results-of-contract.ts';
import { pathOfJson } from '../../lists/list-page.ts';
import { drawInTurns } from '../../page/draw-in-turns.ts';
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
  async ask(request, context) {
    const found = await context.snapshot((own) => askContract(request, own));
    return showContract(found, request, context);
  },
};

const newest = 'limit=10';

async function askContract(request: PageRequest, context: PageContext) {
  const shown = await findContract(context, request);
  const { contract } = shown;
  const name = contractName(shown);
  const params = { contractIdOrAddress: name };
  const [account, created, results, logs, versions] = await Promise.all([
    orNull(context.ask(getAccount, { params: { idOrAliasOrEvmAddress: name }, queryText: 'transactions=false' })),
    findCreation(contract.createdTimestamp, context),
    context.ask(listResultsOfContract, { params, queryText: newest }),
    context.ask(listLogsOfContract, { params, queryText: newest }),
    findVersions(context, shown, request),
  ]);
  return { shown, params, account, created, versions, results: results.found, logs: logs.found };
}

type Found = Awaited<ReturnType<typeof askContract>>;

async function showContract(found: Found, request: PageRequest, context: PageContext): Promise<PageContent> {
  const { shown, params, account, created, versions } = found;
  const { links } = context;
  const name = contractName(shown);
  const path = links.path('contract', shown.id);
  const balance = account?.found.balance.balance ?? null;
  const [calls, events, ofContract] = await drawInTurns(
    [
      () =>
        table(resultColumns(shown, links), resultsOfPage(found.results), {
          caption: `Newest calls of ${name}`,
          none: 'Nobody has called it.',
        }),
      () =>
        table(logColumns(shown, links), logsOfPage(found.logs), {
          caption: `Newest events of ${name}`,
          none: 'It has logged nothing.',
        }),
      () => contractFacts(shown, { created, balance }, context),
    ],
    context,
  );
  return {
    title: `Contract ${name}`,
    main: html`${contractHeading(shown, 'summary', links)}
<div class="grid">
${section({ id: 'facts', title: 'Facts' }, ofContract)}
<div>
${section({ id: 'sources', title: 'Sources' }, sourcesPart(shown, path))}
${section({ id: 'versions', title: 'Versions' }, versionsPart(versions, request, links))}
</div>
</div>
${section({ id: 'calls', title: 'Newest calls', beside: link(`${path}/calls`, 'All calls') }, calls)}
${section({ id: 'events', title: 'Newest events', beside: link(`${path}/events`, 'All events') }, events)}`,
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
