// Pages, and the requests to the API that ask the ledger the same: of ids that the ledger has. What a page asks and no
// endpoint answers (its throughput, the versions of a contract) is missing on the other side, and makes the page look
// dearer.
import { assertAllMeasured } from './measured-pages.ts';

export type PageQuestion = {
  name: string;
  paths: readonly string[];
  /** Of all these pages together; empty = no endpoint answers it. */
  json: readonly string[];
};

type Named = Record<string, never> & { transaction_id: string; consensus_timestamp: string };
type Answer = Record<string, readonly Named[]>;
type Transaction = Named & { token_transfers: { token_id: string }[]; nft_transfers: { token_id: string }[] };

/** Of each kind. */
const drawn = 12;

/** `url`: of a server with a ledger of every kind. */
export async function drawPageQuestions(url: string): Promise<PageQuestion[]> {
  const home = await (await fetch(url)).text();
  const start = /href="(\/[^/"]+)\/transactions"/.exec(home)![1]!;
  const draw = {
    start,
    get: (path: string) => getJson<Answer>(`${url}/api/v1/${path}`),
    has: async (path: string) => (await fetch(`${url}/api/v1/${path}`)).ok,
  };
  const questions = [
    ...(await drawLists(draw)),
    ...(await drawTransactions(draw)),
    ...(await drawAccounts(draw)),
    ...(await drawTokens(draw)),
    ...(await drawTopics(draw)),
  ];
  assertAllMeasured(questions, start);
  return questions;
}

type Draw = { start: string; get(path: string): Promise<Answer>; has(path: string): Promise<boolean> };

async function drawLists({ start, get }: Draw): Promise<PageQuestion[]> {
  const { blocks } = (await get(`blocks?limit=${drawn}`)) as unknown as {
    blocks: { number: number; timestamp: Span }[];
  };
  const newest = blocks[0]!.number;
  const { transactions } = (await get('transactions')) as unknown as { transactions: Transaction[] };
  const moved = transactions.flatMap((one) => [...one.token_transfers, ...one.nft_transfers]);
  const list = (name: string, ...json: string[]) => question(name, [`${start}/${name}`], json);
  return [
    question(
      'home',
      ['/'],
      ['blocks?limit=10', 'transactions?limit=10', `blocks/${newest}`].concat(
        ['supply', 'exchangerate', 'stake', 'fees'].map((name) => `network/${name}`),
      ),
    ),
    // The list names the tokens that were moved.
    list('transactions', 'transactions', ...tokensOf(moved)),
    list('blocks', 'blocks'),
    list('accounts', 'accounts?order=desc'),
    list('tokens', 'tokens?order=desc'),
    list('contracts', 'contracts'),
    list('topics'),
    list('schedules', 'schedules?order=desc'),
    list('nodes', 'network/nodes?limit=25', 'network/stake'),
    list('charts'),
    list('charts/transactions'),
    question(
      'block',
      blocks.map(({ number }) => `${start}/block/${number}`),
      blocks.flatMap(({ number, timestamp: { from, to } }) => [
        `blocks/${number}`,
        `blocks?block.number=gte:${number - 1}&block.number=lte:${number + 1}&order=asc&limit=3`,
        `transactions?timestamp=gte:${from}&timestamp=lte:${to}&order=asc&limit=25`,
        `network/exchangerate?timestamp=lt:${to}`,
      ]),
    ),
  ];
}

type Span = { from: string; to: string };

const kinds = ['CRYPTOTRANSFER', 'TOKENMINT', 'CONSENSUSSUBMITMESSAGE', 'SCHEDULECREATE'];

async function drawTransactions({ start, get, has }: Draw): Promise<PageQuestion[]> {
  const asked = (name: string, transactions: readonly Transaction[], hashes: ReadonlyMap<string, string>) =>
    question(
      `transaction, ${name}`,
      transactions.map(({ consensus_timestamp: at }) => `${start}/transaction/${at}`),
      transactions.flatMap((one) => [
        `transactions?timestamp=${one.consensus_timestamp}`,
        `transactions/${one.transaction_id}`,
        `blocks?timestamp=gte:${one.consensus_timestamp}&order=asc&limit=1`,
        ...tokensOf([...one.token_transfers, ...one.nft_transfers]),
        ...executionOf(one.consensus_timestamp, hashes.get(one.consensus_timestamp)),
      ]),
    );
  const questions: PageQuestion[] = [];
  for (const kind of kinds) {
    const { transactions } = await get(`transactions?transactiontype=${kind}&result=success&limit=${drawn}`);
    questions.push(asked(kind, transactions as unknown as Transaction[], new Map()));
  }
  const { results } = (await get(`contracts/results?limit=100`)) as unknown as { results: ContractResult[] };
  const called: Transaction[] = [];
  for (const { timestamp, hash } of results) {
    // Some results have no hash that the API finds them by, and not all that it finds called something.
    if (!(await has(`contracts/results/${hash}`)) || !(await has(`contracts/results/${hash}/actions`))) continue;
    called.push(...((await get(`transactions?timestamp=${timestamp}`)).transactions as unknown as Transaction[]));
  }
  return [
    ...questions,
    asked('contract', called.slice(0, drawn), new Map(results.map(({ timestamp, hash }) => [timestamp, hash]))),
  ];
}

type ContractResult = { timestamp: string; hash: string };

/** What a contract did in it, or whether one took part. */
function executionOf(at: string, hash: string | undefined): string[] {
  return hash === undefined
    ? [`contracts/results?timestamp=${at}&limit=1`]
    : [`contracts/results/${hash}`, `contracts/results/${hash}/actions?limit=25`];
}

async function drawAccounts({ start, get }: Draw): Promise<PageQuestion[]> {
  const paths: string[] = [];
  const json: string[] = [];
  for (const account of await busiest(get, 'CRYPTOTRANSFER')) {
    const { transactions } = await get(`transactions?account.id=${account}&limit=25`);
    const moved = (transactions as unknown as Transaction[]).flatMap((one) => [
      ...one.token_transfers,
      ...one.nft_transfers,
    ]);
    const { created_timestamp: created } = (await get(`accounts/${account}?transactions=false`)) as unknown as Contract;
    if (created !== null) json.push(`transactions?timestamp=${created}`);
    paths.push(`${start}/account/${account}`);
    json.push(`accounts/${account}?transactions=false`, `transactions?account.id=${account}&limit=25`);
    json.push('network/exchangerate', 'blocks?limit=1', `balances?account.id=${account}`, ...tokensOf(moved));
  }
  const { contracts } = (await get(`contracts?limit=${drawn}`)) as unknown as { contracts: Contract[] };
  return [
    question('account', paths, json),
    question(
      'contract',
      contracts.map(({ contract_id: id }) => `${start}/contract/${id}`),
      contracts.flatMap(({ contract_id: id, created_timestamp: at }) => [
        `contracts?contract.id=${id}`,
        `transactions?timestamp=${at}`,
        `accounts/${id}?transactions=false`,
        `contracts/${id}/results?limit=10`,
        `contracts/${id}/results/logs?limit=10`,
      ]),
    ),
  ];
}

type Contract = { contract_id: string; created_timestamp: string | null };

async function drawTokens({ start, get }: Draw): Promise<PageQuestion[]> {
  const of = async (type: string) => ids(await get(`tokens?type=${type}&limit=${drawn}`), 'tokens', 'token_id');
  const [fungible, unique] = [await of('FUNGIBLE_COMMON'), await of('NON_FUNGIBLE_UNIQUE')];
  const shared = (id: string) => [
    `tokens/${id}`,
    `tokens/${id}/balances?limit=10`,
    `contracts/${id}/results/logs?limit=10`,
  ];
  const nfts: { id: string; serial: string }[] = [];
  for (const id of unique) {
    for (const serial of ids(await get(`tokens/${id}/nfts?limit=2`), 'nfts', 'serial_number'))
      nfts.push({ id, serial });
  }
  return [
    question(
      'token',
      fungible.map((id) => `${start}/token/${id}`),
      fungible.flatMap(shared),
    ),
    question(
      'token of NFTs',
      unique.map((id) => `${start}/token/${id}`),
      unique.flatMap((id) => [...shared(id), `tokens/${id}/nfts?limit=10`]),
    ),
    question(
      'NFT',
      nfts.map(({ id, serial }) => `${start}/token/${id}/${serial}`),
      nfts.flatMap(({ id, serial }) => [
        `tokens/${id}`,
        `tokens/${id}/nfts/${serial}`,
        `tokens/${id}/nfts/${serial}/transactions?limit=10`,
      ]),
    ),
  ];
}

async function drawTopics({ start, get }: Draw): Promise<PageQuestion[]> {
  const found = await get('transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=100');
  const topics = unique(ids(found, 'transactions', 'entity_id')).slice(0, drawn);
  return [
    question(
      'topic',
      topics.map((id) => `${start}/topic/${id}`),
      topics.flatMap((id) => [`topics/${id}`, `topics/${id}/messages?order=desc&limit=25`]),
    ),
    question(
      'message',
      topics.map((id) => `${start}/topic/${id}/messages/1`),
      topics.flatMap((id) => [`topics/${id}/messages/1`, `topics/${id}/messages?sequencenumber=2`]),
    ),
  ];
}

function question(name: string, paths: readonly string[], json: readonly string[]): PageQuestion {
  if (paths.length === 0) throw new Error(`The ledger has nothing for the page ${name}`);
  return { name, paths, json: json.map((path) => `/api/v1/${path}`) };
}

/** The names of tokens that a page mentions. */
function tokensOf(transfers: readonly { token_id: string }[]): string[] {
  const named = unique(transfers.map(({ token_id }) => token_id)).map((id) => `token.id=${id}`);
  return named.length === 0 ? [] : [`tokens?${named.join('&')}`];
}

async function busiest(get: Draw['get'], kind: string): Promise<string[]> {
  const found = await get(`transactions?transactiontype=${kind}&limit=100`);
  return unique(ids(found, 'transactions', 'transaction_id').map((id) => id.split('-')[0]!)).slice(0, drawn);
}

function ids(answer: Answer, list: string, member: string): string[] {
  return answer[list]!.map((item) => String(item[member]));
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

async function getJson<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
  return (await answer.json()) as T;
}
