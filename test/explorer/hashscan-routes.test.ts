// Every path of HashScan leads to a page here, and where it names a part of one, to that part. The paths are those of
// its router (hiero-mirror-node-explorer, src/router.ts), and of earlier versions of it that other sites link to.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CrawledServer, openCrawled } from './crawl-server.ts';

let server: CrawledServer;
let known: Record<string, string>;
beforeAll(async () => {
  server = await openCrawled({ seed: 'routes', blocks: 40 });
  const first = async (path: string, list: string, member: string): Promise<string> => {
    const body = (await server.askJson(path)) as Record<string, Record<string, unknown>[]>;
    if (!body[list]?.[0]) throw new Error(`nothing at ${path}`);
    return String(body[list][0][member]);
  };
  // A call with logs and changes of slots: those of a creation of a token have none.
  const results = '/api/v1/contracts/results/logs?limit=1';
  const call = await first(results, 'logs', 'timestamp');
  known = {
    accountId: await first('/api/v1/accounts?limit=1&order=desc', 'accounts', 'account'),
    accountAddress: await first('/api/v1/accounts?limit=1&order=desc', 'accounts', 'evm_address'),
    blockHon: await first('/api/v1/blocks?limit=1', 'blocks', 'number'),
    contractId: await first(results, 'logs', 'contract_id'),
    message: await first(
      '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&limit=1',
      'transactions',
      'consensus_timestamp',
    ),
    name: 'Token',
    nodeId: await first('/api/v1/network/nodes?limit=1', 'nodes', 'node_id'),
    pubKey: 'ab'.repeat(32),
    registeredId: await first('/api/v1/network/registered-nodes?limit=1', 'registered_nodes', 'registered_node_id'),
    scheduleId: await first('/api/v1/schedules?limit=1', 'schedules', 'schedule_id'),
    serialNumber: '1',
    tokenId: await first('/api/v1/tokens?type=NON_FUNGIBLE_UNIQUE&limit=1', 'tokens', 'token_id'),
    topicId: await first(
      '/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1',
      'transactions',
      'entity_id',
    ),
    transactionId: await first('/api/v1/transactions?limit=1', 'transactions', 'transaction_id'),
    transactionLoc: call,
  };
});
afterAll(() => server?.close());

const routes = [
  '/home',
  '/dashboard',
  '/spec',
  '/search-help',
  '/transactions',
  '/accounts',
  '/tokens',
  '/tokens/nfts',
  '/contracts',
  '/topics',
  '/blocks',
  '/nodes',
  '/nodes/table',
  '/staking',
  '/metrics',
  '/metrics/transactions',
  '/metrics/accounts',
  '/metrics/nodes',
  '/metrics/network',
  '/transactionsById/:transactionId',
  '/schedule/:scheduleId',
  '/tx/:transactionLoc',
  '/transaction/:transactionLoc',
  '/transaction/:transactionLoc/result',
  '/transaction/:transactionLoc/trace',
  '/transaction/:transactionLoc/states',
  '/transaction/:transactionLoc/events',
  '/transaction/:message',
  '/transaction/:message/message',
  '/accountsWithKey/:pubKey',
  '/adminKey/:accountId',
  '/nodeAdminKey/:nodeId',
  '/address/:accountAddress',
  '/account/:accountId',
  '/account/:accountId/assets',
  '/account/:accountId/operations',
  '/account/:accountId/allowances',
  '/account/:accountId/hooks',
  '/account/:accountId/rewards',
  '/contract/:contractId',
  '/contract/:contractId/abi',
  '/contract/:contractId/source',
  '/contract/:contractId/bytecode',
  '/contract/:contractId/state',
  '/contract/:contractId/events',
  '/contract/:contractId/calls',
  '/contract/:contractId/results',
  '/contract/:contractId/logs',
  '/contract/:contractId/assets',
  '/contract/:contractId/others',
  '/token/:tokenId',
  '/token/:tokenId/holders',
  '/token/:tokenId/metadata',
  '/token/:tokenId/others',
  '/token/:tokenId/extra',
  '/token/:tokenId/:serialNumber',
  '/token/:tokenId/:serialNumber/metadata',
  '/token/:tokenId/:serialNumber/transactions',
  '/tokensByName/:name',
  '/tokensByPopularity/:name',
  '/tokensByAccount/:accountId',
  '/erc20ByName/:name',
  '/erc721ByName/:name',
  '/topic/:topicId',
  '/topic/:topicId/messages',
  '/topic/:topicId/others',
  '/node/:nodeId',
  '/block/:blockHon',
  '/block/:blockHon/transactions',
  '/network',
  '/network/consensus-nodes',
  '/network/block-nodes',
  '/network/mirror-nodes',
  '/network/rpc-relays',
  '/network/general-services',
  '/registered-nodes',
  '/registered-node/:registeredId',
];

it.each(['', ...routes])('/{network}%s', async (route) => {
  let path = `/demo${route.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(known[name]!))}`;
  let answer = await server.fetch(path);
  for (let hops = 0; answer.status === 302 && hops < 4; hops += 1) {
    path = answer.location!;
    answer = await server.fetch(path.split('#')[0]!);
  }
  expect([path, answer.status, answer.type]).toEqual([path, 200, 'text/html; charset=utf-8']);
  const [, part] = path.split('#');
  if (part !== undefined) expect(answer.body).toContain(`id="${part}"`);
});

it('are more than sixty', () => {
  expect(new Set(routes).size).toBeGreaterThanOrEqual(60);
});
