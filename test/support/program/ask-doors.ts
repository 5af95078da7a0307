// One question at each door of a running mirror, each on a connection of its own.
import { once } from 'node:events';
import { type Client, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { WebSocket } from 'ws';
import { loadDefinitions, toService } from '../../../src/doors/grpc/definitions.ts';
import { openBlockNodeClient } from '../servers/block-node-client.ts';

type Json = ReturnType<typeof JSON.parse>;

export type DoorPlaces = { url: string; rpcPort: number; grpcPort: number; blockNodePort: number };

/**
 * Number of the newest block by JSON-RPC and web socket, ids of nodes, status of the block node, time of the first
 * transaction.
 */
export async function askDoors({ url, rpcPort, grpcPort, blockNodePort }: DoorPlaces) {
  const rpcUrl = `127.0.0.1:${rpcPort}`;
  return {
    rpc: [await askRpc(`${url}/rpc`), await askRpc(`http://${rpcUrl}/`)],
    socket: await askSocket(`ws://${rpcUrl}/`),
    nodes: await askNodes(`127.0.0.1:${grpcPort}`),
    blockNode: await askBlockNode(`127.0.0.1:${blockNodePort}`),
    live: await readFirst(`${url}/api/v1/transactions?account.id=0.0.2&follow=true&timestamp=gte:0`),
  };
}

const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
const timeoutMs = 60_000;

async function askRpc(url: string): Promise<string> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const answer = await fetch(url, { method: 'POST', body: question, headers, signal });
  return ((await answer.json()) as Json).result;
}

async function askSocket(url: string): Promise<string> {
  const socket: Json = new (WebSocket as Json)(url, { handshakeTimeout: timeoutMs });
  try {
    await once(socket, 'open');
    const answered = once(socket, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    socket.send(question);
    const [data] = await answered;
    return JSON.parse(data.toString()).result;
  } finally {
    socket.terminate();
  }
}

async function askNodes(address: string): Promise<string[]> {
  const name = 'com.hedera.mirror.api.proto.NetworkService';
  const client: Json = new (makeClientConstructor(toService(loadDefinitions().service(name)), name))(
    address,
    credentials.createInsecure(),
    { 'grpc.use_local_subchannel_pool': 1 },
  );
  try {
    const ids: string[] = [];
    const query = { file_id: { fileNum: 102 } };
    for await (const node of client.getNodes(query, { deadline: Date.now() + timeoutMs })) {
      ids.push(String(node.nodeAccountId.accountNum));
    }
    return ids;
  } finally {
    (client as Client).close();
  }
}

async function askBlockNode(address: string): Promise<string[]> {
  const client = openBlockNodeClient(address);
  try {
    return await client.status();
  } finally {
    client.close();
  }
}

async function readFirst(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(timeoutMs) });
  let text = '';
  for await (const part of answer.body!) {
    text += Buffer.from(part).toString();
    const found = /^data: (.+)$/m.exec(text);
    if (found) return JSON.parse(found[1]!).consensus_timestamp;
  }
  throw new Error(`No transaction came: ${answer.status} ${text}`);
}
