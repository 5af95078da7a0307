// Tokens that contracts keep: what their events add up to is what the contracts themselves answer, however the work is
// cut into steps, and pages show it.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { openServer, unlimited } from '../../packages/test-support/http/open-server.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { selectContractCodes } from '../../packages/verification/store/select-contract-codes.ts';
import { type Calls, createCalls } from '../../src/calls/create-calls.ts';
import { createIndexTokens } from '../../src/contracts/token-index/index-tokens.ts';
import { upgradedTopic } from '../../src/contracts/token-index/read-transfer.ts';
import { callOf } from '../../src/contracts/token-index/recognise-token.ts';
import { askContracts } from '../../src/runtime/serve/ask-contracts.ts';

let scratch: ScratchDatabase;
let db: Database;
let calls: Calls;
let app: ReturnType<typeof openServer>;

const label = { name: 'House of <b>badges</b>', url: null, icon: null, logo: null };

beforeAll(async () => {
  const options = { seed: 'collections', blocks: 8, transactionsPerBlock: 12, network: { keepsOpening: true } };
  scratch = await (await openImported(options)).openDatabase();
  db = openDatabase(scratch);
  const { system, network } = defaultHttpSettings;
  calls = createCalls({ db, system, network, limits: unlimited });
  await indexAll(1_000);
  app = openServer(db, 'spec', { labels: new Map([[await idOf('ERC-721'), label]]) });
});
afterAll(async () => {
  await app?.close();
  await calls?.close();
  await db?.close();
  await scratch?.close();
});

async function indexAll(logsAtOnce: number): Promise<number> {
  const index = createIndexTokens({ db, ask: askContracts(calls), logsAtOnce });
  let steps = 0;
  while ((await index.step()) !== null) steps += 1;
  return steps;
}

function select<Row>(text: string): Promise<Row[]> {
  return db.query<Row>({ name: 'of-the-test', reads: true, shape: text, text });
}

const all = async () => ({
  tokens: await select('select * from contract_token order by contract_id'),
  holders: await select('select contract_id, account, amount::text from contract_token_holder order by 1, 2'),
  serials: await select('select *, amount::text, serial_number::text from contract_token_serial order by 1, 2, 3'),
});

async function idOf(standard: string): Promise<bigint> {
  const query = { name: `of-${standard}`, text: 'select contract_id from contract_token where standard = $1 limit 1' };
  const [row] = await db.query<{ contractId: bigint }>({ ...query, reads: true, values: [standard] });
  return row!.contractId;
}

const get = async (path: string, expected = 200) => {
  const { statusCode, body, headers } = await app.inject({ url: path, headers: { accept: 'text/html' } });
  expect([path, statusCode]).toEqual([path, expected]);
  return { body, location: headers.location, policy: String(headers['content-security-policy']) };
};

it('finds one of each standard, and no token of the token service', async () => {
  const found = await select<{
    standard: string;
    name: string;
    symbol: string;
    decimals: number | null;
    isHts: boolean;
  }>(
    `select distinct on (standard) standard, name, symbol, decimals,
       exists (select from token where token_id = contract_id) as is_hts
     from contract_token where standard is not null order by standard`,
  );
  expect(found).toEqual([
    { standard: 'ERC-1155', name: 'Mirror Tickets', symbol: 'TICKET', decimals: null, isHts: false },
    { standard: 'ERC-20', name: 'Mirror Coin', symbol: 'MRC', decimals: 6, isHts: false },
    { standard: 'ERC-721', name: 'Mirror Badges', symbol: 'BADGE', decimals: null, isHts: false },
  ]);
  const twice = await select('select contract_id from contract_token join token on token_id = contract_id');
  expect(twice).toEqual([]);
});

it('adds up what contracts answer: each balance, each owner, the number of holders', async () => {
  const ask = askContracts(calls);
  const ids = (await select<{ contractId: bigint }>('select contract_id from contract_token')).map(
    (row) => row.contractId,
  );
  const addresses = new Map(
    (await selectContractCodes(db, ids)).map(({ contractId, evmAddress }) => [
      contractId,
      evmAddress ? BigInt(`0x${evmAddress.toString('hex')}`) : contractId,
    ]),
  );
  const answer = async (id: bigint, signature: string, ...words: bigint[]) =>
    BigInt(`0x${(await ask(addresses.get(id)!, callOf(signature, ...words)))!.toString('hex')}`);
  const word = (account: Buffer) => BigInt(`0x${account.toString('hex')}`);
  const holders = await select<{ contractId: bigint; standard: string; account: Buffer; amount: string }>(
    `select contract_id, standard, account, amount::text from contract_token_holder join contract_token using (contract_id)`,
  );
  for (const { contractId, standard, account, amount } of holders) {
    if (standard === 'ERC-1155') continue;
    expect(await answer(contractId, 'balanceOf(address)', word(account))).toBe(BigInt(amount));
  }
  const serials = await select<{
    contractId: bigint;
    standard: string;
    serial: string;
    account: Buffer;
    amount: string;
  }>(
    `select contract_id, standard, serial_number::text as serial, account, amount::text
     from contract_token_serial join contract_token using (contract_id)`,
  );
  for (const { contractId, standard, serial, account, amount } of serials) {
    if (standard === 'ERC-721') {
      if (amount === '1') expect(await answer(contractId, 'ownerOf(uint256)', BigInt(serial))).toBe(word(account));
    } else {
      const said = await answer(contractId, 'balanceOf(address,uint256)', word(account), BigInt(serial));
      expect(said).toBe(BigInt(amount));
    }
  }
  expect(serials.some(({ standard }) => standard === 'ERC-721')).toBe(true);
  expect(serials.some(({ standard }) => standard === 'ERC-1155')).toBe(true);
  const counts = await select<{ holders: bigint; counted: bigint }>(
    `select holders, (select count(*) from contract_token_holder h where h.contract_id = t.contract_id and amount > 0) as counted
     from contract_token t`,
  );
  for (const { holders: kept, counted } of counts) expect(kept).toBe(counted);
});

/** When a token was asked, and when it was found, depends on the steps. */
async function ends() {
  const { tokens, ...sums } = await all();
  return {
    ...sums,
    tokens: (tokens as object[]).map((row) => ({ ...row, askedTimestamp: null, summedTimestamp: null })),
  };
}

const run = (text: string) => db.query({ name: 'of-the-test', shape: text, text });

const forgetTokens = () =>
  run('truncate contract_token, contract_token_holder, contract_token_serial, contract_token_progress');

it('ends alike in any steps, and where two processes work at once', async () => {
  const before = await ends();
  for (const index of [() => indexAll(3), () => Promise.all([indexAll(5), indexAll(4)])]) {
    await forgetTokens();
    await index();
    expect(await ends()).toEqual(before);
  }
});

const later = 30_000_000_000n;
const upgraded = `'\\x${upgradedTopic.toString('hex')}'`;

// Why a contract is looked at again, and how many steps were made while it was no token.
it.each([
  ['logs transfers for long enough', 100, `update contract_token set asked_timestamp = first_timestamp - ${later}`],
  ['has a new implementation', 100, null],
  ['logs transfers meanwhile', 2, `update contract_token set asked_timestamp = first_timestamp - ${later}`],
])('finds a token late, and all of its transfers, when it %s', async (_why, steps, reason) => {
  const before = await ends();
  await forgetTokens();
  await run('create table kept_code as select id, runtime_bytecode from contract');
  await run('update contract set runtime_bytecode = null');
  let asked = 0;
  const silent = createIndexTokens({
    db,
    logsAtOnce: 3,
    async ask() {
      asked += 1;
      return null;
    },
  });
  for (let step = 0; step < steps; step++) await silent.step();
  const found = () => select<{ standard: string }>('select standard from contract_token where standard is not null');
  expect(await found()).toEqual([]);
  const askedBefore = asked;
  if (steps === 100) await silent.step();
  expect([askedBefore > 0, asked]).toEqual([true, askedBefore]);
  await run('update contract c set runtime_bytecode = k.runtime_bytecode from kept_code k where k.id = c.id');
  await run('drop table kept_code');
  await run(
    reason ??
      `insert into contract_log (bloom, consensus_timestamp, contract_id, data, index, payer_account_id, topic0, topic1)
select '', (select max(consensus_end) + 1 from record_file), contract_id, '', 1000 + contract_id, 2, ${upgraded}, '\\x05' from contract_token`,
  );
  await Promise.all([indexAll(3), indexAll(2)]);
  await indexAll(2);
  await run(`delete from contract_log where index >= 1000`);
  expect(await ends()).toEqual(before);
  const progress = 'select consensus_timestamp from contract_token_progress';
  expect(await select(`select from contract_token where summed_timestamp < (${progress})`)).toEqual([]);
});

it('judges a contract that logs upgrades all the time once, and again after a pause', async () => {
  await forgetTokens();
  const judgements = new Map<bigint, number>();
  const judgeAgainMs = 1_000;
  const ask = async (address: bigint) => {
    judgements.set(address, (judgements.get(address) ?? 0) + 1);
    return null;
  };
  const withoutCode = 'update contract set runtime_bytecode = null where id in (select contract_id from kept_code)';
  await run('create table kept_code as select id as contract_id, runtime_bytecode from contract');
  await run(withoutCode);
  try {
    const index = createIndexTokens({ db, ask, judgeAgainMs });
    while ((await index.step()) !== null);
    const [first] = judgements.values();
    const upgrade = () => run('update contract_token set asked_timestamp = null');
    const judgedIn = async (steps: number) => {
      const before = [...judgements.values()];
      for (let step = 0; step < steps; step++) {
        await upgrade();
        await index.step();
      }
      return [...judgements.values()].map((count, at) => (count - before[at]!) / first!);
    };
    const started = performance.now();
    const often = await judgedIn(20);
    // Each at most once in a pause, and at least once.
    const pauses = Math.ceil((performance.now() - started) / judgeAgainMs);
    for (const count of often) expect([count >= 1, count <= pauses]).toEqual([true, true]);
    await vi.waitFor(async () => expect(Math.max(...(await judgedIn(1)))).toBe(1));
  } finally {
    await run(
      'update contract c set runtime_bytecode = k.runtime_bytecode from kept_code k where k.contract_id = c.id',
    );
    await run('drop table kept_code');
    await forgetTokens();
    await indexAll(1_000);
  }
});

it('shows them in lists, by account and by name', async () => {
  const id = `0.0.${await idOf('ERC-721')}`;
  expect((await get('/demo/contract-tokens?standard=ERC-721')).body).toContain('Mirror Badges');
  expect((await get('/demo/contract-tokens?by=id&limit=1')).body).toContain('rel="next"');
  const { body } = await get(`/demo/contract/${id}/token`);
  expect(body).toContain('Added up from its Transfer events');
  // Of those who run the mirror, and only text.
  expect(body).toContain('House of &#60;b&#62;badges&#60;/b&#62;');
  expect((await get(`/demo/contract/${id}`)).body).toContain('ERC-721');
  expect((await get(`/demo/token/${id}`, 302)).location).toBe(`/demo/contract/${id}/token`);
  expect((await get('/search?q=mIrror%20bAdGe', 302)).location).toBe(`/demo/contract/${id}/token`);
  // The label of those who run the mirror has it, too.
  expect((await get('/search?q=bAdGe')).body).toContain(`href="/demo/contract/${id}/token"`);
  expect((await get('/search?q=house%20of', 302)).location).toBe(`/demo/contract/${id}`);
  const holders = await get(`/demo/contract/${id}/token/holders?limit=1`);
  const [, next] = /href="([^"]+)" rel="next"/.exec(holders.body)!;
  expect((await get(next!.replaceAll('&#38;', '&'))).body).toContain('First page');
  expect((await get(`/demo/contract/${id}/token/serials`)).body).toContain('#1<');
  expect((await get(`/demo/contract/${id}/token/transfers`)).body).toContain('minted');
  const file = (await get('/demo/contract-tokens.csv?standard=ERC-721')).body.split('\r\n');
  expect(file[0]).toBe(
    'name,symbol,contract_id,contract_id_label,standard,total_supply,decimals,holders,transfers,last_timestamp',
  );
  const owner = /account\/(0x[0-9a-f]{40}|0\.0\.\d+)"/.exec(holders.body)![1]!;
  expect((await get(`/demo/account/${owner}/contract-tokens`)).body).toContain('Mirror Badges');
  expect((await get(`/demo/account/${owner}/assets`)).body).toContain('Mirror Badges');
});

it.each([
  ['holders?after=1', 400],
  ['holders?after=1-zz', 400],
  ['holders?limit=0', 400],
  ['holders?other=1', 400],
  [`serials?after=${'9'.repeat(91)}-${'0'.repeat(40)}`, 400],
  ['serials/x', 400],
  [`serials/${'9'.repeat(78)}`, 404],
  ['serials/99999', 404],
])('%s is %i', async (end, status) => {
  await get(`/demo/contract/0.0.${await idOf('ERC-721')}/token/${end}`, status);
});

it('refuses kinds that there are not, and contracts that keep no token', async () => {
  await get('/demo/contract-tokens?standard=ERC-4626', 400);
  const [other] = await select<{ id: bigint }>(
    'select id from contract where id not in (select contract_id from contract_token) order by id limit 1',
  );
  await get(`/demo/contract/0.0.${other!.id}/token`, 404);
});

it('loads a picture only when it is asked for, and allows its host alone', async () => {
  const id = await idOf('ERC-721');
  const badge = `/demo/contract/0.0.${id}/token/serials/1`;
  const before = await get(badge);
  expect(before.body).not.toContain('<img src="data:');
  expect(before.policy).toContain("img-src 'self';");
  const after = await get(`${badge}?picture=ledger`);
  expect(after.body).toContain('<img src="data:image/svg+xml');
  expect(after.policy).toContain("img-src 'self' data:;");
  expect(after.policy).toContain("connect-src 'self';");
  const [{ serial }] = (await select<{ serial: string }>(
    `select serial_number::text as serial from contract_token_serial join contract_token using (contract_id)
     where standard = 'ERC-1155' and amount > 0 limit 1`,
  )) as [{ serial: string }];
  const ticket = `/demo/contract/0.0.${await idOf('ERC-1155')}/token/serials/${serial}`;
  const chosen = await get(`${ticket}?picture=dweb.link`);
  expect(chosen.policy).toContain("img-src 'self' data: https://dweb.link https://*.ipfs.dweb.link;");
  expect(chosen.body).toContain(`${BigInt(serial).toString(16).padStart(64, '0')}.json`);
  for (const none of ['evil.example', "x'; script-src *", 'ledger', '']) {
    const { body, policy } = await get(`${ticket}?picture=${encodeURIComponent(none)}`);
    expect(policy).toContain("img-src 'self';");
    expect(body).not.toContain('data-described');
  }
});

it.each([
  ['/tx/0xab', '/demo/transaction/0xab'],
  ['/token/0x0000000000000000000000000000000000000001', '/demo/token/0x0000000000000000000000000000000000000001'],
  ['/block/3', '/demo/block/3'],
  ['/tx/%2F%2Fevil.example', '/demo/transaction/%2F%2Fevil.example'],
])('%s leads to %s', async (path, place) => {
  expect((await get(path, 302)).location).toBe(place);
});
