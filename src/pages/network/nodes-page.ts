// `/{network}/nodes`: the nodes of the newest address book with their stakes.
import { html } from '../../../packages/kit/markup.ts';
import { getNetworkStake } from '../../resources/network/get-network-stake.ts';
import { listNodes } from '../../resources/network/list-nodes.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { orNull } from '../parts/or-null.ts';
import { pager, table } from '../parts/table.ts';
import { nodeColumns } from './node-columns.ts';

export const nodesPage: Page = {
  path: '/nodes',
  async ask({ path, queryText }, { ask, links }) {
    const query = queryText === '' ? 'limit=25' : queryText;
    const [nodes, stake] = await Promise.all([ask(listNodes, { queryText: query }), orNull(ask(getNetworkStake, {}))]);
    const columns = nodeColumns(links, stake?.found.stakeTotal ?? null);
    const list = table(columns, nodes.found.items, {
      caption: 'Nodes',
      none: 'No address book has been imported yet.',
    });
    return {
      title: 'Nodes',
      main: html`<h1>Nodes</h1>
<p class="lead">Who runs the network, by the newest address book. ${link(`${links.start}/staking`, 'Staking')} &middot; ${link(`${links.start}/network`, 'The network')}</p>
<div class="card">${list}${pager(path, nodes.nextQuery, queryText === '')}</div>`,
      json: pathOfJson(listNodes, {}, query),
    };
  },
};
