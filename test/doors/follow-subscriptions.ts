// Blocks with logs are written and imported while clients of web sockets follow heads and logs, lose their connections,
// and the server is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { openSubscriber } from '../support/followers/subscriber.ts';
import { openGrowingChain } from './growing-chain.ts';
import { openKilledServer } from './killed-server.ts';

type Json = ReturnType<typeof JSON.parse>;

export type FollowSubscriptionsOptions = {
  blocks: number;
  /** Of each client, at random moments. */
  reconnects: number;
  kills: number;
  subscribers: number;
  seed: string;
};

const firstBlock = 3;

/** What the ledger has in the end, and what each client saw. */
export async function followSubscriptions({
  blocks,
  reconnects,
  kills,
  subscribers,
  seed,
}: FollowSubscriptionsOptions) {
  const random = createSeededRandom(seed, 'moments of breaks');
  const chain = await openGrowingChain(4);
  const server = await openKilledServer(chain.connectionString);
  const rpcUrl = `http://127.0.0.1:${server.rpcPort}`;
  const ask = async (method: string, ...params: unknown[]): Promise<Json> => {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await answer.json()) as Json).result;
  };
  // Before the first block there is no number.
  while (!(Number(await ask('eth_blockNumber')) >= firstBlock)) await sleep(20);
  const clients = Array.from({ length: subscribers }, () =>
    openSubscriber(() => rpcUrl.replace('http', 'ws'), firstBlock),
  );
  let last = 0;
  try {
    for (let count = 1; count <= blocks; count++) {
      last = await chain.grow();
      for (const client of clients) if (random.chance(reconnects / blocks)) client.cut();
      if (count % Math.ceil(blocks / (kills + 1)) === 0 && count < blocks) await server.kill();
      // Heads should come, not be fetched.
      const isSlow = () => clients.some(({ heads }) => last - (heads.at(-1)?.number ?? 0) > 20);
      while (isSlow()) await sleep(5);
    }
    while (clients.some(({ heads }) => heads.at(-1)?.number !== last)) await sleep(10);
    const heads: Json[] = [];
    const logs: string[] = [];
    for (let number = firstBlock; number <= last; number++) {
      const { hash } = await ask('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
      heads.push({ number, hash });
      const receipts: Json[] = await ask('eth_getBlockReceipts', `0x${number.toString(16)}`);
      for (const { logs: own } of receipts) for (const { logIndex } of own) logs.push(`${number}:${Number(logIndex)}`);
    }
    while (clients.some((client) => client.logs.length < logs.length)) await sleep(10);
    // One too many would come now.
    await sleep(200);
    const seen = clients.map((client) => ({ heads: client.heads, logs: client.logs }));
    return { heads, logs, seen, connections: clients.map(({ connections }) => connections()) };
  } finally {
    for (const client of clients) client.close();
    await server.close();
    await chain.close();
  }
}
