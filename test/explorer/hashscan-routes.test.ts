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
  const call = await findCall();
  known = {
    accountId: await first('/api/v1/accounts?limit=1&order=desc', 'accounts', 'account'),
    accountAddress: await first('/api/v1/accounts?limit=1&order=desc', 'accounts', 'evm_address'),
    blockHon: await first('/api/v1/blocks?limit=1', 'blocks', 'number'),
    contractId: call.contractId,
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
    transactionLoc: call.timestamp,
  };
});
afterAll(() => server?.close());

type Result = { hash: string; logs: unknown[]; state_changes: unknown[]; contract_id: string; timestamp: string };

/** The newest call of a contract with logs and changes of slots: transfers of tokens have logs alone. */
async function findCall(): Promise<{ contractId: string; timestamp: string }> {
  const list = async <T>(path: string) => (await server.askJson(path)) as unknown as T;
  const { contracts } = await list<{ contracts: { contract_id: string }[] }>('/api/v1/contracts?limit=100');
  const { results } = await list<{ results: Result[] }>('/api/v1/contracts/results?limit=100');
  const ids = contracts.map((contract) => contract.contract_id);
  for (const { hash, contract_id: contractId, timestamp } of results) {
    if (!ids.includes(contractId)) continue;
    const { logs, state_changes: changes } = await list<Result>(`/api/v1/contracts/results/${hash}`);
    if (logs.length > 0 && changes.length > 0) return { contractId, timestamp };
  }
  throw new Error('no contract was called with logs and changes');
}

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
