// Paths of HashScan whose page has another place here: links to them keep working.
import { refuse } from '../../packages/web-server/request-error.ts';
import type { Page } from './page/page.ts';
import type { PageContext } from './page/page-context.ts';

/** Path below the network's name, and where it leads: below it, too, unless it begins with two slashes. */
export const redirects: readonly (readonly [path: string, place: string])[] = [
  ['', '//'],
  ['/home', '//'],
  ['/dashboard', '//'],
  ['/metrics', '/charts'],
  ['/metrics/network', '/charts'],
  ['/metrics/transactions', '/charts/transactions'],
  ['/metrics/accounts', '/charts/active-accounts'],
  ['/metrics/nodes', '/staking'],
  ['/spec', '//docs'],
  ['/search-help', '//search'],
  ['/nodes/table', '/nodes'],
  ['/network/consensus-nodes', '/nodes'],
  ['/network/block-nodes', '/network/registered-nodes?type=BLOCK_NODE'],
  ['/network/mirror-nodes', '/network/registered-nodes?type=MIRROR_NODE'],
  ['/network/rpc-relays', '/network/registered-nodes?type=RPC_RELAY'],
  ['/network/general-services', '/network/registered-nodes?type=GENERAL_SERVICE'],
  ['/transaction/:transactionLoc/message', '/transaction/:transactionLoc#body'],
  ['/transaction/:transactionLoc/result', '/transaction/:transactionLoc#execution'],
  ['/transaction/:transactionLoc/trace', '/transaction/:transactionLoc#calls'],
  ['/transaction/:transactionLoc/states', '/transaction/:transactionLoc#slots'],
  ['/transaction/:transactionLoc/events', '/transaction/:transactionLoc#logs'],
  ['/block/:blockHon/transactions', '/block/:blockHon#transactions'],
  ['/tokens/nfts', '/tokens?type=NON_FUNGIBLE_UNIQUE'],
  ['/token/:tokenId/metadata', '/token/:tokenId#facts'],
  ['/token/:tokenId/extra', '/token/:tokenId#keys'],
  ['/token/:tokenId/others', '/token/:tokenId#keys'],
  ['/token/:tokenId/:serialNumber/metadata', '/token/:tokenId/:serialNumber#metadata'],
  ['/tokensByAccount/:accountId', '/account/:accountId/assets'],
  ['/topic/:topicId/others', '/topic/:topicId#keys'],
  ['/nodeAdminKey/:nodeId', '/node/:nodeId'],
  ['/registered-nodes', '/network/registered-nodes'],
  ['/contract/:contractId/others', '/contract/:contractId'],
  ['/contract/:contractId/assets', '/account/:contractId/assets'],
  ['/contract/:contractId/results', '/contract/:contractId/calls'],
  ['/contract/:contractId/logs', '/contract/:contractId/events'],
  ['/tokensByPopularity/:name', '/tokensByName/:name'],
  ['/erc20ByName/:name', '/tokensByName/:name'],
  ['/erc721ByName/:name', '/tokensByName/:name'],
];

export const redirectedPages: readonly Page[] = redirects.map(([path, place]) => ({
  path,
  async ask({ params }, { links }: PageContext) {
    const target = place.startsWith('//') ? place.slice(1) : `${links.start}${place}`;
    const location = target.replaceAll(/:(\w+)(?=[/#]|$)/g, (_all, name: string) => {
      const value = params[name];
      if (!value) throw refuse('notFound');
      return encodeURIComponent(value);
    });
    return { location };
  },
}));
