// Questions that REST lists do not ask: opcodes and prestates of every contract transaction, its call again at the
// block before, JSON-RPC about each block, and the machine's facts of accounts and tokens, now and as of the end of
// blocks. Each with its answer as text.
import { gunzipSync } from 'node:zlib';
import { type FactKey, factName } from '../../../packages/machine/state/ledger-facts.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectPastNonces } from '../../../packages/store/read/state/select-past-nonces.ts';
import { selectStateBlock } from '../../../packages/store/read/state/select-state-block.ts';
import { unlimited } from '../../../packages/test-support/http/open-server.ts';
import { openRpc } from '../../../packages/test-support/rpc/open-rpc.ts';
import { createCalls } from '../../../src/calls/create-calls.ts';
import { createBalanceSnapshots } from '../../../src/calls/facts/balance-snapshots.ts';
import { createCodeCache } from '../../../src/calls/facts/code-cache.ts';
import { createFactSource } from '../../../src/calls/facts/fetch-facts.ts';
import { type Moment, pastAt, presentAt } from '../../../src/calls/facts/moment.ts';
import { createSystemFiles } from '../../../src/calls/facts/system-files.ts';
import { createLedger } from '../../../src/ledger/create-ledger.ts';

/** Ids and times that questions name. */
export type ChainWords = {
  blocks: { number: bigint; end: bigint; hash: string }[];
  /** Contract transactions; `hash`: of an Ethereum transaction, hex. */
  runs: { at: bigint; hash: string | null; sender: bigint | null; contract: bigint | null; input: Buffer | null }[];
  /** Accounts and contracts. */
  accounts: bigint[];
  keys: FactKey[];
  slots: { num: bigint; slot: bigint }[];
};

export type ChainOptions = {
  /** Of the blocks every n-th. */
  every: number;
  /** Contract transactions, from the newest on. */
  runs: number;
};

const chainId = 298n;
const ledgerOf = (db: Database) => createLedger({ db, system: usualRealm, clock: () => 1_800_000_000_000_000_000n });

export async function readChainWords(db: Database, { every, runs }: ChainOptions): Promise<ChainWords> {
  const list = <Row>(text: string, values: unknown[] = []) =>
    db.query<Row>({ name: 'chain words', shape: text, text, values });
  const tokens = await list<{ token: bigint; fungible: boolean }>(
    `select token_id as token, type = 'FUNGIBLE_COMMON' as fungible from token order by 1`,
  );
  const pairs = await list<{ token: bigint; account: bigint }>(
    'select token_id as token, account_id as account from token_account order by 1, 2 limit 300',
  );
  const nfts = await list<{ token: bigint; serial: bigint }>(
    'select token_id as token, serial_number as serial from nft order by 1, 2 limit 200',
  );
  const allowances = await list<{
    kind: 'tokenAllowance' | 'nftAllowance';
    token: bigint;
    owner: bigint;
    spender: bigint;
  }>(
    `select 'tokenAllowance' as kind, token_id as token, owner, spender from token_allowance
union all select 'nftAllowance', token_id, owner, spender from nft_allowance order by 1, 2, 3, 4 limit 200`,
  );
  const hbar = await list<{ owner: bigint; spender: bigint }>(
    'select owner, spender from crypto_allowance order by 1, 2 limit 100',
  );
  const schedules = await list<{ schedule: bigint }>(
    'select schedule_id as schedule from schedule order by 1 limit 50',
  );
  const ids = await list<{ id: bigint }>(
    `select id from entity where type in ('ACCOUNT', 'CONTRACT') order by id limit 400`,
  );
  const accounts = ids.map(({ id }) => id);
  const slots = await list<{ num: bigint; slot: Buffer }>(
    'select contract_id as num, slot from contract_state order by 1, 2 limit 300',
  );
  return {
    blocks: await list(
      `select index as number, consensus_end as end, hash from record_file where index % ${every} = 0 order by index`,
    ),
    runs: await list(
      `select r.consensus_timestamp as at, encode(e.hash, 'hex') as hash, r.sender_id as sender, r.contract_id as contract,
  r.function_parameters as input
from contract_result r left join ethereum_transaction e using (consensus_timestamp)
where r.transaction_nonce = 0 order by 1 desc limit ${runs}`,
    ),
    accounts,
    keys: [
      ...tokens.map(({ token }) => ({ kind: 'token', token }) as const),
      ...tokens.map(({ token }) => ({ kind: 'lastSerial', token }) as const),
      ...tokens.map(({ token, fungible }) => ({ kind: 'supply', token, isFungible: fungible }) as const),
      ...pairs.map((pair) => ({ kind: 'relation', ...pair }) as const),
      ...nfts.map((nft) => ({ kind: 'nft', ...nft }) as const),
      ...allowances,
      ...hbar.map((one) => ({ kind: 'hbarAllowance', ...one }) as const),
      ...accounts
        .slice(0, 100)
        .flatMap((account) => [{ kind: 'owner', account } as const, { kind: 'holdings', account } as const]),
      ...schedules.map((one) => ({ kind: 'schedule', ...one }) as const),
      ...[{ kind: 'exchangeRate' } as const, { kind: 'fees' } as const],
    ],
    slots: slots.map(({ num, slot }) => ({ num, slot: BigInt(`0x${slot.toString('hex') || '0'}`) })),
  };
}

/** By question, in one order. */
export async function askChain(db: Database, words: ChainWords): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const note = (question: string, answer: unknown): void => void answers.set(question, toText(answer));
  await askRuns(db, words, note);
  await askRpc(db, words, note);
  for (const moment of await momentsOf(db, words)) await db.snapshot((own) => askFacts(own, words, moment, note));
  return answers;
}

type Note = (question: string, answer: unknown) => void;

async function askRuns(db: Database, { runs }: ChainWords, note: Note): Promise<void> {
  const calls = createCalls({ db, system: usualRealm, network: { chainId }, limits: unlimited });
  const ledger = ledgerOf(db);
  try {
    for (const { at } of runs) {
      const result = await ledger.contractResults.findAt(at, { contractId: null, synthetic: false });
      if (result === null) throw new Error(`No result at ${at}`);
      const traced = await calls.trace(result, { stack: true, memory: false, storage: true });
      note(`opcodes at ${at}`, 'body' in traced ? gunzipSync(traced.body).toString() : traced);
      for (const diff of [true, false]) {
        note(`prestate at ${at}, ${diff}`, await calls.prestate(result, { diff, code: true, storage: true }));
      }
    }
  } finally {
    await calls.close();
  }
}

async function askRpc(db: Database, { blocks, runs, accounts, slots }: ChainWords, note: Note): Promise<void> {
  const rpc = openRpc(db);
  const ask = async (method: string, ...params: unknown[]): Promise<void> => {
    const { body } = await rpc.post({ jsonrpc: '2.0', id: 1, method, params });
    note(`${method} ${JSON.stringify(params)}`, body);
  };
  try {
    for (const { number, hash } of blocks) {
      const block = hex(number);
      const { length: place } = blocks.slice(
        0,
        blocks.findIndex((one) => one.number === number),
      );
      const some = accounts.slice((place * 7) % Math.max(1, accounts.length - 6)).slice(0, 6);
      await ask('eth_getBlockByNumber', block, true);
      await ask('eth_getBlockByHash', `0x${hash.slice(0, 64)}`, false);
      await ask('eth_getBlockReceipts', block);
      await ask('eth_getLogs', { fromBlock: block, toBlock: block });
      await ask('debug_traceBlockByNumber', block, { tracer: 'callTracer' });
      await ask('eth_feeHistory', '0x3', block, [25]);
      await ask('ots_getBlockDetails', Number(number));
      await ask('ots_getBlockTransactions', Number(number), 0, 5);
      for (const id of some) {
        await ask('ots_searchTransactionsBefore', longZero(id), Number(number), 3);
        await ask('ots_searchTransactionsAfter', longZero(id), Number(number), 3);
        await ask('ots_getTransactionBySenderAndNonce', longZero(id), 1);
        await ask('ots_getContractCreator', longZero(id));
        for (const method of ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode']) {
          await ask(method, longZero(id), block);
        }
      }
      const of = slots[place % Math.max(1, slots.length)];
      if (of) await ask('eth_getStorageAt', longZero(of.num), hex(of.slot), block);
    }
    for (const { at, hash, sender, contract, input } of runs) {
      if (hash !== null) {
        const name = `0x${hash}`;
        await ask('eth_getTransactionByHash', name);
        await ask('eth_getTransactionReceipt', name);
        await ask('debug_traceTransaction', name, { tracer: 'callTracer' });
        await ask('debug_traceTransaction', name, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
        await ask('debug_traceTransaction', name, { tracer: 'prestateTracer' });
      }
      const before = blocks.findLast(({ end }) => end < at);
      if (!before || sender === null || contract === null) continue;
      const call = { from: longZero(sender), to: longZero(contract), data: `0x${input?.toString('hex') ?? ''}` };
      await ask('eth_call', call, hex(before.number));
      await ask('eth_call', call, 'latest');
      await ask('eth_estimateGas', call);
      await ask('eth_createAccessList', call, 'latest');
      await ask('eth_simulateV1', { blockStateCalls: [{ calls: [call, call] }] }, hex(before.number));
    }
    if (rpc.failures.length > 0) throw rpc.failures[0];
  } finally {
    await rpc.close();
  }
}

/** Now, and the ends of the blocks. */
async function momentsOf(db: Database, { blocks }: ChainWords): Promise<Moment[]> {
  const newest = await selectStateBlock(db, { around: blocks.at(-1)!.end });
  const past = await Promise.all(
    blocks.map(async ({ end }) => pastAt(end, (await selectStateBlock(db, { around: end }))!)),
  );
  return [presentAt(newest!), ...past];
}

async function askFacts(db: Database, words: ChainWords, moment: Moment, note: Note): Promise<void> {
  const facts = createFactSource({
    ...{ db, moment, system: usualRealm, codes: createCodeCache(2 ** 20) },
    ...{ files: createSystemFiles(usualRealm), snapshots: createBalanceSnapshots(usualRealm) },
  });
  const { accounts, slots } = words;
  // That of now is a fact of the token.
  const keys = words.keys.filter(({ kind }) => moment.until !== null || kind !== 'supply');
  const found = await facts({ addresses: accounts, slots, blocks: [moment.block.number], keys });
  for (const { address, facts: account } of found.accounts) note(`account ${address}, ${moment.key}`, account);
  for (const { num, slot, value } of found.slots) note(`slot ${num} ${slot}, ${moment.key}`, value);
  for (const { key, fact } of found.facts) note(`${factName(key)}, ${moment.key}`, fact);
  note(`hash of the block, ${moment.key}`, found.blockHashes);
  if (moment.until !== null)
    note(`nonces, ${moment.key}`, [...(await selectPastNonces(db, accounts, moment.until))].sort());
}

/** Members by name. */
export function toText(value: unknown): string {
  const text = JSON.stringify(value, (_key, one) => {
    if (typeof one === 'bigint') return `${one}`;
    const isPlain = typeof one === 'object' && one !== null && !Array.isArray(one);
    return isPlain ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  });
  return text ?? 'undefined';
}

function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function longZero(id: bigint): string {
  return `0x${id.toString(16).padStart(40, '0')}`;
}
