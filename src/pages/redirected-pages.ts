// Paths of HashScan whose page has another place here: links to them keep working.
import { refuse } from '../../packages/web-server/request-error.ts';
import type { Page } from './page/page.ts';
import type { PageContext } from './page/page-context.ts';

/** Path below the network's name, and where it leads: below it, too, unless it begins with two slashes. */
const places: readonly (readonly [path: string, place: string])[] = [
  ['', '//'],
  ['/home', '//'],
  ['/dashboard', '//'],
  ['/metrics', '//'],
  ['/spec', '//docs'],
  ['/search-help', '//search'],
  ['/nodes/table', '/nodes'],
  ['/network/consensus-nodes', '/nodes'],
  ['/network/block-nodes', '/network/registered-nodes?type=BLOCK_NODE'],
  ['/network/mirror-nodes', '/network/registered-nodes?type=MIRROR_NODE'],
  ['/network/rpc-relays', '/network/registered-nodes?type=RPC_RELAY'],
  ['/network/general-services', '/network/registered-nodes?type=GENERAL_SERVICE'],
  ['/contract/:contractId/assets', '/account/:contractId/assets'],
  ['/contract/:contractId/results', '/contract/:contractId/calls'],
  ['/contract/:contractId/logs', '/contract/:contractId/events'],
  ['/tokensByPopularity/:name', '/tokensByName/:name'],
  ['/erc20ByName/:name', '/tokensByName/:name'],
  ['/erc721ByName/:name', '/tokensByName/:name'],
];

export const redirectedPages: readonly Page[] = places.map(([path, place]) => ({
  path,
  async ask({ params }, { links }: PageContext) {
    const target = place.startsWith('//') ? place.slice(1) : `${links.start}${place}`;
    const location = target.replace(/:(\w+)(?=\/|$)/, (_all, name: string) => {
      const value = params[name];
      if (!value) throw refuse('notFound');
      return encodeURIComponent(value);
    });
    return { location };
  },
}));
