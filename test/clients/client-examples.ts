// What exists on the mirror right now, for clients to ask about; read over HTTP like everything that they compare with.
import { setTimeout as sleep } from 'node:timers/promises';
import { patienceMs } from './patience.ts';

export type ClientExamples = {
  account: AccountExample;
  contract: { contract_id: string; evm_address: string };
  token: { token_id: string; symbol: string; decimals: string };
  holder: { account: string; balance: number };
  nft: { token_id: string; serial_number: number; account_id: string };
  topicId: string;
  topicMessages: number;
  transaction: { transaction_id: string; consensus_timestamp: string };
  contractResult: { hash: string; timestamp: string };
  block: { number: number; hash: string };
  schedule: { schedule_id: string; deleted: boolean };
};

type AccountExample = {
  account: string;
  evm_address: string;
  balance: { balance: number };
  key: { _type: string; key: string };
};

/** Waits until the mirror has one of each. */
export function readClientExamples(mirrorUrl: string): Promise<ClientExamples> {
  return retry(() => readOnce(mirrorUrl));
}

/** Until it does not throw. */
export async function retry<T>(read: () => Promise<T>, timeoutMs = patienceMs): Promise<T> {
  for (const until = Date.now() + timeoutMs; ; await sleep(500)) {
    try {
      return await read();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

/** Reads a path of the mirror's API as JSON; throws where the answer is an error. */
export async function readMirror<Answer>(mirrorUrl: string, path: string): Promise<Answer> {
  const response = await fetch(`${mirrorUrl}/api/v1${path}`);
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function readOnce(mirrorUrl: string): Promise<ClientExamples> {
  const first = async <Row>(path: string, list: string): Promise<Row> => {
    const [row] = (await readMirror<Record<string, Row[]>>(mirrorUrl, path))[list]!;
    if (row === undefined) throw new Error(`${path} has no rows yet`);
    return row;
  };
  const { token, holder } = await findHeldToken(mirrorUrl);
  await first('/network/registered-nodes?limit=1', 'registered_nodes');
  const collection = await first<{ token_id: string }>('/tokens?type=NON_FUNGIBLE_UNIQUE&limit=1', 'tokens');
  const message = await first<{ entity_id: string }>(
    '/transactions?transactiontype=CONSENSUSSUBMITMESSAGE',
    'transactions',
  );
  const topicId = message.entity_id;
  const { messages } = await readMirror<{ messages: unknown[] }>(mirrorUrl, `/topics/${topicId}/messages?limit=100`);
  // Rows that stand for token transfers used no gas, and have no separate answer.
  type Result = ClientExamples['contractResult'] & { gas_used: number | null };
  const { results } = await readMirror<{ results: Result[] }>(mirrorUrl, '/contracts/results?limit=100');
  const contractResult = results.find(({ gas_used }) => gas_used);
  if (!contractResult) throw new Error('No contract has run yet');
  const { accounts } = await readMirror<{ accounts: AccountExample[] }>(mirrorUrl, '/accounts?limit=100');
  const account = accounts.find(
    ({ key, evm_address }) => key?._type === 'ECDSA_SECP256K1' && !/^0x0{24}/.test(evm_address),
  );
  if (!account) throw new Error('No account with an ECDSA key and its own EVM address yet');
  return {
    account,
    // What the first blocks made stays.
    contract: await first('/contracts?limit=1&order=asc', 'contracts'),
    token,
    holder,
    nft: await first(`/tokens/${collection.token_id}/nfts?limit=1`, 'nfts'),
    topicId,
    topicMessages: messages.length,
    transaction: await first('/transactions?transactiontype=CRYPTOTRANSFER&result=success&limit=1', 'transactions'),
    contractResult,
    block: await first('/blocks?limit=1', 'blocks'),
    schedule: await first('/schedules?limit=1', 'schedules'),
  };
}

type HeldToken = Pick<ClientExamples, 'token' | 'holder'>;

/** A treasury holds its token as long as that is not deleted; others may dissociate from one call to the next. */
async function findHeldToken(mirrorUrl: string): Promise<HeldToken> {
  type Token = ClientExamples['token'] & { deleted: boolean; treasury_account_id: string };
  const path = '/tokens?type=FUNGIBLE_COMMON&limit=100';
  const { tokens } = await readMirror<{ tokens: { token_id: string }[] }>(mirrorUrl, path);
  for (const { token_id } of tokens) {
    const token = await readMirror<Token>(mirrorUrl, `/tokens/${token_id}`);
    const ofTreasury = `account.id=${token.treasury_account_id}&account.balance=gt:0`;
    const held = `/tokens/${token_id}/balances?${ofTreasury}`;
    const [holder] = (await readMirror<{ balances: HeldToken['holder'][] }>(mirrorUrl, held)).balances;
    if (!token.deleted && holder) return { token, holder };
  }
  throw new Error('No token that its treasury holds yet');
}
