// `/{network}/staking`: what is staked, and what it earns.
import { html } from '../../../packages/kit/markup.ts';
import { getNetworkStake } from '../../resources/network/get-network-stake.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { facts } from '../parts/facts.ts';
import { orNull } from '../parts/or-null.ts';
import { stakeFacts } from './stake-facts.ts';

export const stakingPage: Page = {
  path: '/staking',
  async ask({ queryText }, { ask, links }) {
    const stake = await orNull(ask(getNetworkStake, { queryText }));
    const shown = stake ? facts(stakeFacts(stake.found)) : html`<p class="none">No staking period has ended yet.</p>`;
    return {
      title: 'Staking',
      main: html`<h1>Staking</h1>
<p class="lead">As of the end of the newest staking period. ${link(`${links.start}/nodes`, 'The stake of each node')}</p>
<div class="card">${shown}</div>`,
      json: stake && pathOfJson(getNetworkStake),
    };
  },
};
