// What clients ask of a mirror that runs for days: every door and every kind of request, each with its part of the load.
import { createConnection } from 'node:net';
import { fetchAdmitted } from '../../../bench/support/fetch-admitted.ts';
import { listPaths } from '../../../bench/support/list-paths.ts';
import { askDoors, type DoorPlaces } from '../../support/program/ask-doors.ts';

/**
 * right: the answer that was asked for. refused: 429 or 503 with a time to come back. cut: no answer, as while a process
 * is killed. Anything else is the text of what was wrong.
 */
export type Outcome = 'right' | 'refused' | 'cut' | { wrong: string };

export type AskedKind = {
  name: string;
  /** Of the requests, relative to those of the others. */
  weight: number;
  ask(turn: number): Promise<Outcome>;
};

/** Where the load goes: it changes with a rolling restart. */
export type Target = { places: DoorPlaces };

const timeoutMs = 60_000;

async function request(url: string, init: RequestInit = {}, expected: readonly number[] = [200]): Promise<Outcome> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    if (expected.includes(status)) return body.byteLength > 0 || status === 304 ? 'right' : { wrong: `${url}: empty` };
    if ((status === 429 || status === 503) && headers.has('retry-after')) return 'refused';
    return { wrong: `${url}: ${status} ${Buffer.from(body).toString().slice(0, 300)}` };
  } catch (error) {
    // undici: no connection, or one that ended before the answer did; and the timeout.
    if (error instanceof TypeError) return 'cut';
    return { wrong: `${url}: ${(error as Error).message}` };
  }
}

const json = { 'content-type': 'application/json' };
const post = (body: object): RequestInit => ({ method: 'POST', headers: json, body: JSON.stringify(body) });

export type Subjects = {
  /** Points and lists of the API. */
  rest: readonly string[];
  /** Paths of pages, and of the same lists as files. */
  pages: readonly string[];
  csv: readonly string[];
  /** Hashes of contract results: of all, and of those of Ethereum transactions, which can be traced by it. */
  hashes: readonly string[];
  traced: readonly string[];
  transactions: readonly string[];
  blocks: readonly number[];
};

/** Of what the ledger has at this moment. `start`: of the paths of pages, such as /demo. */
export async function findSubjects(url: string, start: string): Promise<Subjects> {
  const rest = await listPaths(url);
  const named = (pattern: RegExp) => rest.flatMap((path) => pattern.exec(path)?.[1] ?? []);
  const transactions = named(/^\/api\/v1\/transactions\/([^?]+)$/);
  const accounts = named(/^\/api\/v1\/accounts\/([^?]+)\?transactions=false$/);
  const tokens = named(/^\/api\/v1\/tokens\/([^/?]+)$/);
  const blocks = named(/^\/api\/v1\/blocks\/(\d+)$/).map(Number);
  const hashes = named(/^\/api\/v1\/contracts\/results\/(0x[0-9a-f]+)$/);
  const lists = ['transactions', 'blocks', 'accounts', 'tokens', 'topics', 'contracts', 'schedules', 'nodes', 'charts'];
  return {
    rest,
    pages: [
      '/',
      ...lists.map((list) => `${start}/${list}`),
      ...transactions.map((id) => `${start}/transaction/${id}`),
      ...accounts.map((id) => `${start}/account/${id}`),
      ...tokens.map((id) => `${start}/token/${id}`),
      ...blocks.map((number) => `${start}/block/${number}`),
    ],
    csv: await findFiles(url, start, accounts),
    hashes,
    traced: await findTraced(url, hashes),
    transactions,
    blocks,
  };
}

/** Of as much at any size of the ledger: else they would take ever more of the processor that others wait for. */
async function findFiles(url: string, start: string, accounts: readonly string[]): Promise<string[]> {
  const answer = await fetchAdmitted(`${url}/api/v1/blocks?limit=1`);
  const { blocks } = (await answer.json()) as { blocks: { timestamp: { from: string } }[] };
  const end = Number.parseInt(blocks[0]!.timestamp.from, 10);
  const movements = `transactions.csv?timestamp=gte:${end - 120}&timestamp=lt:${end}`;
  return [
    `${start}/tokens.csv?token.id=lt:1200`,
    `${start}/accounts.csv?account.id=lt:1200`,
    `${start}/schedules.csv?schedule.id=lt:1200`,
    ...accounts.slice(0, 20).map((id) => `${start}/account/${id}/${movements}`),
  ];
}

/** Transactions of Ethereum, which ran: what only tells of moved tokens has a type, too, and no gas. */
async function findTraced(url: string, hashes: readonly string[]): Promise<string[]> {
  const traced: string[] = [];
  for (const hash of hashes) {
    const answer = await fetchAdmitted(`${url}/api/v1/contracts/results/${hash}`);
    const { type, gas_limit } = (await answer.json()) as { type: number | null; gas_limit: number };
    if (type !== null && gas_limit > 0) traced.push(hash);
  }
  return traced;
}

const rpcQuestions: readonly ((subjects: Subjects, turn: number) => object)[] = [
  () => ({ method: 'eth_blockNumber', params: [] }),
  ({ blocks }, turn) => ({ method: 'eth_getBlockByNumber', params: [hex(pick(blocks, turn)), true] }),
  ({ hashes }, turn) => ({ method: 'eth_getTransactionReceipt', params: [pick(hashes, turn).slice(0, 66)] }),
  ({ blocks }, turn) => ({
    method: 'eth_getLogs',
    params: [{ fromBlock: hex(pick(blocks, turn)), toBlock: 'latest' }],
  }),
  () => ({ method: 'eth_gasPrice', params: [] }),
  () => ({ method: 'eth_call', params: [{ data: '0x5a5f5260205ff3' }, 'latest'] }),
];
const wrongPaths = ['/api/v1/accounts/x', '/api/v1/blocks?limit=x', '/api/v1/none', '/api/v1/transactions/0.0.2-1-1'];

/**
 * @param subjects those of the moment
 * @param start of the paths of pages, such as /demo
 */
export function askedKinds(target: Target, subjects: () => Subjects, start: string): AskedKind[] {
  const at = (path: string) => `${target.places.url}${path}`;
  const api = (path: string) => at(`/api/v1/${path}`);
  return [
    { name: 'REST', weight: 60, ask: (turn) => request(at(pick(subjects().rest, turn))) },
    { name: 'pages', weight: 10, ask: (turn) => request(at(pick(subjects().pages, turn))) },
    { name: 'CSV', weight: 1, ask: (turn) => request(at(pick(subjects().csv, turn))) },
    {
      name: 'JSON-RPC',
      weight: 12,
      ask(turn) {
        const question = pick(rpcQuestions, turn)(subjects(), turn);
        return request(at('/rpc'), post({ jsonrpc: '2.0', id: turn, ...question }));
      },
    },
    {
      name: 'calls',
      weight: 3,
      ask: () => request(api('contracts/call'), post({ data: '0x5a5f5260205ff3', gas: 1_000_000 })),
    },
    {
      name: 'traces',
      weight: 0.5,
      ask: (turn) =>
        request(api(`contracts/results/${pick(subjects().traced, turn)}/opcodes`), {
          headers: { 'accept-encoding': 'gzip' },
        }),
    },
    // 404 of a transaction whose block is not held as a file, or cannot be proved.
    {
      name: 'proofs',
      weight: 1,
      ask: (turn) => request(api(`transactions/${pick(subjects().transactions, turn)}/proof`), {}, [200, 404]),
    },
    { name: 'documents', weight: 0.2, ask: (turn) => request(at(pick(['/docs', '/robots.txt'], turn)), {}, [200]) },
    { name: 'metrics', weight: 0.5, ask: () => request(at('/metrics')) },
    { name: 'status', weight: 2, ask: (turn) => request(at(pick(['/api/v2/summary.json', '/status'], turn))) },
    { name: 'errors', weight: 2, ask: (turn) => request(at(pick(wrongPaths, turn)), {}, [400, 404]) },
    { name: 'doors', weight: 0.3, ask: () => askEveryDoor(target.places) },
    { name: 'uploads', weight: 0.5, ask: (turn) => breakOff(target.places.url, pick(uploads, turn)) },
    { name: 'downloads', weight: 0.3, ask: () => leaveEarly(at(`${start}/transactions.csv`)) },
    {
      name: 'verification',
      weight: 0.2,
      // Of a contract that nobody has deployed.
      ask: () => request(at('/v2/contract/298/0x00000000000000000000000000000000000f4240'), {}, [404]),
    },
  ];
}

/** One question each by JSON-RPC, web socket, gRPC, of the block node and of a live feed. */
async function askEveryDoor(places: DoorPlaces): Promise<Outcome> {
  try {
    const { blockNode } = await askDoors(places);
    return blockNode.length > 0 ? 'right' : { wrong: 'the block node says nothing' };
  } catch (error) {
    const { message, code } = error as Error & { code?: number | string };
    // gRPC 8: refused, with a time to come back; 14: no connection.
    if (code === 8 || / 429|Too many/i.test(message)) return 'refused';
    if (error instanceof TypeError || code === 14 || /ECONN|socket|Unavailable|shutting down/i.test(message))
      return 'cut';
    return { wrong: `doors: ${message}` };
  }
}

/** What takes a body, and how it says where the body ends. */
const uploads: readonly string[] = [
  '/verify',
  '/v2/verify/298/0x00000000000000000000000000000000000f4240',
  '/rpc',
].flatMap((path) =>
  ['content-length: 1000000', 'transfer-encoding: chunked'].map(
    (frame) => `POST ${path} HTTP/1.1\r\ncontent-type: application/json\r\n${frame}\r\n`,
  ),
);

/** Says that a megabyte will come, or that there is no telling how much, sends a little of it, and goes. */
function breakOff(url: string, head: string): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const body = '{"files":{"'.padEnd(10_000, 'a');
  const begun = head.includes('chunked') ? `${(20_000).toString(16)}\r\n${body}` : body;
  return new Promise((resolve) => {
    const socket = createConnection({ host: hostname, port: Number(port) }, () => {
      socket.write(`${head}host: ${hostname}\r\n\r\n${begun}`, () => socket.destroy());
    });
    socket.on('error', () => resolve('cut'));
    socket.on('close', (hadError) => resolve(hadError ? 'cut' : 'right'));
  });
}

/** Reads the beginning of a file, and goes. */
async function leaveEarly(url: string): Promise<Outcome> {
  const leaving = new AbortController();
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(timeoutMs)]) });
    if ((answer.status === 429 || answer.status === 503) && answer.headers.has('retry-after')) return 'refused';
    if (answer.status !== 200) return { wrong: `${url}: ${answer.status}` };
    const { value } = await answer.body!.getReader().read();
    leaving.abort();
    return (value?.byteLength ?? 0) > 0 ? 'right' : { wrong: `${url}: empty` };
  } catch (error) {
    if (error instanceof TypeError) return 'cut';
    return { wrong: `${url}: ${(error as Error).message}` };
  }
}

function pick<Item>(items: readonly Item[], turn: number): Item {
  return items[turn % items.length]!;
}

const hex = (number: number): string => `0x${number.toString(16)}`;
