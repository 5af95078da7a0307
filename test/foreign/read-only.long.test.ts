// `serve --read-only` on the database of a Hiero mirror node, as a user who may select and nothing else: the same
// answers as from our own database, in both layouts of the schema, on the embedded PostgreSQL and on the oldest
// supported one; what the database lacks is said and done without; nothing in it changes.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { fillSchemaGaps, findSchemaGaps } from '../../packages/schema/migration/schema-gaps.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { openAnswers } from '../../packages/test-support/http/answers.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import {
  type DebianPostgres,
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import type { SimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { openForeignStore } from '../../src/runtime/database/open-store.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { endpoints } from '../fuzz/endpoints.ts';
import { toUrl } from '../fuzz/fuzz-request.ts';
import { readLedgerWords } from '../fuzz/ledger-words.ts';
import { makeGoodRequest } from '../fuzz/make-good-request.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { type HieroLayout, toHieroLayout } from '../support/tables/hiero-layout.ts';

let stream: SimulatedStream;
let urls: string[];
/** Of `urls` those that were chosen by hand; they stand first. */
let chosenCount: number;
let expected: string[];

beforeAll(async () => {
  const scratch = await openLedger('small');
  stream = scratch.stream;
  const chosen = await listUrls(scratch.connectionString);
  chosenCount = chosen.length;
  urls = [...chosen, ...(await makeUrls(scratch.connectionString))];
  expected = await answersFrom(scratch.connectionString);
  await scratch.close();
  expect(expected.filter((answer) => answer.startsWith('200')).length).toBeGreaterThan(300);
});
afterAll(() => stream?.close());

/** No proof is handed over from any of these databases, for different reasons. */
function toLine(status: number, url: string, text: string): string {
  return status === 501 && /[/]proof([?]|$)/.test(url) ? `no proof ${url}` : `${status} ${url} ${text}`;
}

/** As `serve --read-only` asks, but within this process. */
async function answersFrom(connectionString: string): Promise<string[]> {
  const gaps = await findSchemaGaps(connectionString);
  const db = openDatabase({ connectionString });
  const server = openAnswers(fillSchemaGaps(db, gaps), { network: { chainId: 0x128n } });
  const answers: string[] = [];
  for (const url of urls) {
    const { status, text } = await server.get('spec', url);
    answers.push(toLine(status, url, text));
  }
  await server.close();
  await db.close();
  return answers;
}

async function answersOfServe(databaseUrl: string): Promise<{ answers: string[]; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'read-only-'));
  const flags = ['--read-only', '--port', '0', '--status-service', 'off', '--data-dir', folder];
  const mirror = runMirror(['serve', ...flags], { env: { DATABASE_URL: databaseUrl } });
  const [, server] = await mirror.says(/Answering on (http:\S+)/);
  const answers: string[] = [];
  for (const url of urls) {
    const response = await fetch(`${server}${url}`);
    answers.push(toLine(response.status, url, await response.text()));
  }
  mirror.child.kill('SIGTERM');
  expect(await mirror.ended).toBe(0);
  rmSync(folder, { recursive: true, force: true });
  return { answers, output: mirror.output() };
}

/** Questions to all endpoints about what is there, and about some moment in the past. */
async function listUrls(connectionString: string): Promise<string[]> {
  return withClient(connectionString, async (client) => {
    const list = async (sql: string) => (await client.query({ text: sql, rowMode: 'array' })).rows.map(([id]) => id);
    const tokens = await list('select token_id from token order by 1 limit 6');
    const accounts = await list(
      "select id from entity where type in ('ACCOUNT', 'CONTRACT') order by id desc limit 20",
    );
    const addresses = await list("select encode(evm_address, 'hex') from entity where evm_address is not null limit 4");
    const contracts = await list("select id from entity where type = 'CONTRACT' order by 1 limit 6");
    const schedules = await list('select schedule_id from schedule order by 1 limit 4');
    const topics = await list('select distinct topic_id from topic_message order by 1 limit 4');
    const messages = await list('select consensus_timestamp from topic_message order by 1 limit 2');
    const hashes = await list("select encode(transaction_hash, 'hex') from contract_result order by 1 limit 3");
    const { rows: executions } = await client.query<[string, string]>({
      text: 'select contract_id, consensus_timestamp from contract_result where contract_id > 0 order by 2 limit 3',
      rowMode: 'array',
    });
    const transactions =
      await list(`select array['0.0.' || payer_account_id || '-' || valid_start_ns / 1000000000 || '-' ||
      valid_start_ns % 1000000000, encode(transaction_hash, 'hex')] from transaction
      where nonce = 0 order by consensus_timestamp desc limit 12`);
    const [moment] = await list('select consensus_end from record_file where index = 6');
    const t = `${moment.slice(0, -9)}.${moment.slice(-9)}`;
    return [
      ...tokens.flatMap((id) => [`/api/v1/tokens/0.0.${id}`, `/api/v1/tokens/0.0.${id}?timestamp=lte:${t}`]),
      ...[2, 98, 800, ...accounts].flatMap((id) => [
        `/api/v1/accounts/0.0.${id}`,
        `/api/v1/accounts/0.0.${id}?timestamp=lte:${t}&limit=5&order=asc`,
        `/api/v1/accounts/0.0.${id}?transactiontype=cryptotransfer`,
      ]),
      ...addresses.map((address) => `/api/v1/accounts/0x${address}`),
      ...contracts.flatMap((id) => [`/api/v1/contracts/0.0.${id}`, `/api/v1/contracts/0.0.${id}?timestamp=lte:${t}`]),
      ...contracts.flatMap((id) => [
        `/api/v1/contracts/0.0.${id}/results?order=asc`,
        `/api/v1/contracts/0.0.${id}/results/logs`,
        `/api/v1/contracts/0.0.${id}/state`,
        `/api/v1/contracts/0.0.${id}/state?timestamp=lte:${t}`,
      ]),
      ...hashes.flatMap((hash) => [
        `/api/v1/contracts/results/${hash}`,
        `/api/v1/contracts/results/${hash}/actions`,
        `/api/v1/contracts/results/logs?transaction.hash=${hash}`,
      ]),
      ...executions.map(([id, ns]) => `/api/v1/contracts/0.0.${id}/results/${ns.slice(0, -9)}.${ns.slice(-9)}`),
      '/api/v1/contracts?limit=5',
      `/api/v1/contracts/results/logs?timestamp=gte:${t}&index=gt:0&order=asc`,
      `/api/v1/contracts/results/logs?timestamp=lte:${t}&timestamp=gt:${Number(t) - 86_400}&topic0=0`,
      '/api/v1/contracts/results?internal=true',
      '/api/v1/contracts/results?block.number=5&internal=true',
      `/api/v1/contracts/results?timestamp=lte:${t}&order=asc`,
      '/api/v1/blocks/3',
      '/api/v1/transactions',
      `/api/v1/transactions?timestamp=lt:${t}&result=fail&order=asc`,
      `/api/v1/transactions?timestamp=lt:${t}&transactiontype=cryptotransfer&type=credit`,
      ...[98, 800, ...accounts.slice(0, 4)].flatMap((id) => [
        `/api/v1/transactions?account.id=${id}`,
        `/api/v1/transactions?account.id=${id}&account.id=98&result=success&order=asc`,
        `/api/v1/transactions?account.id=gte:${id}&type=debit&limit=5`,
      ]),
      ...transactions.flatMap(([id, hash]) => [`/api/v1/transactions/${id}`, `/api/v1/transactions/${hash}`]),
      ...topics.flatMap((id) => [
        `/api/v1/topics/${id}/messages?encoding=utf-8`,
        `/api/v1/topics/${id}/messages?sequencenumber=gt:1&timestamp=lt:${t}&order=desc`,
        `/api/v1/topics/${id}/messages/1`,
      ]),
      ...messages.map((ns) => `/api/v1/topics/messages/${ns.slice(0, -9)}.${ns.slice(-9)}`),
      '/api/v1/schedules',
      ...schedules.map((id) => `/api/v1/schedules/0.0.${id}`),
      '/health/readiness',
    ];
  });
}

const madeOfEach = 8;

/** Right ones to every endpoint that answers GET, with all kinds of filters. */
async function makeUrls(connectionString: string): Promise<string[]> {
  const db = openDatabase({ connectionString });
  const words = await readLedgerWords(db);
  await db.close();
  return endpoints
    .filter(({ method }) => method === 'GET')
    .flatMap((endpoint) =>
      Array.from({ length: madeOfEach }, (_, place) => {
        const random = createSeededRandom('foreign', `${endpoint.path} ${place}`);
        return toUrl(makeGoodRequest(random, words, endpoint));
      }),
    );
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A user who may connect and select, and nothing else: no temporary tables either. */
function makeReader(client: pg.Client, role: string): Promise<unknown> {
  return client.query(`do $$ begin
    create role ${role} login;
    exception when duplicate_object then null;
  end $$;
  do $$ begin
    execute format('revoke all on database %I from public', current_database());
    execute format('grant connect on database %I to ${role}', current_database());
  end $$;
  revoke all on schema public from public;
  grant usage on schema public to ${role};
  grant select on all tables in schema public to ${role}`);
}

const asReader = (connectionString: string) => connectionString.replace(/\/\/[^@/]*@/, '//reader@');

/** Every table, index, view and type there is, temporary ones too; a new file for one would show. */
async function fingerprint(connectionString: string): Promise<unknown> {
  return withClient(connectionString, async (client) => {
    const { rows } = await client.query(
      `select relnamespace::regnamespace::text as schema, relname, relkind, relfilenode, relnatts from pg_class
       where relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace) order by 1, 2, 3`,
    );
    return rows;
  });
}

describe.each<HieroLayout>(['v1', 'v2'])('a Hiero database of layout %s in the embedded PostgreSQL', (layout) => {
  let scratch: ScratchDatabase;

  beforeAll(async () => {
    scratch = await openLedger('small');
    await withClient(scratch.connectionString, async (client) => {
      await toHieroLayout(client, layout);
      await makeReader(client, 'reader');
    });
  });
  afterAll(() => scratch?.close());

  it('is answered from as our own, and nothing in it changes', async () => {
    const before = await fingerprint(scratch.connectionString);
    const reader = asReader(scratch.connectionString);
    expect((await findSchemaGaps(reader)).flatMap(({ sentence }) => sentence ?? [])).toEqual([
      'Tables of contract checks are missing; contracts can be checked, but no result is kept.',
      'Tables of tokens of contracts are missing; pages show tokens of the token service only.',
      'Tables of sums of tokens are missing; lists of tokens do not say who holds and moves them.',
    ]);
    expect(await answersFrom(reader)).toEqual(expected);
    expect(await fingerprint(scratch.connectionString)).toEqual(before);
  }, 300_000);

  it('is refused by every command that would write', async () => {
    const refused = migrate({ connectionString: scratch.connectionString });
    await expect(refused).rejects.toThrow(/holds tables that this program did not make.*serve --read-only/);
  }, 300_000);
});

describe('a Hiero database that lacks something', { timeout: 300_000 }, () => {
  let scratch: ScratchDatabase;
  const alter = (statement: string) => withClient(scratch.connectionString, (client) => client.query(statement));

  beforeAll(async () => {
    scratch = await openLedger('small');
    await withClient(scratch.connectionString, async (client) => {
      await toHieroLayout(client, 'v1');
      await client.query(`drop table entity_stake, entity_stake_history, entity_transaction, staking_reward_transfer,
        account_balance, token_balance;
        alter table entity drop column delegation_address; alter table entity_history drop column delegation_address;
        alter table transaction drop column high_volume, drop column high_volume_pricing_multiplier, drop column batch_key;
        alter table ethereum_transaction drop column authorization_list`);
      await makeReader(client, 'reader');
    });
  });
  afterAll(() => scratch?.close());

  it('is answered from all the same, and what it lacks is said once each', async () => {
    const before = await fingerprint(scratch.connectionString);
    const { answers, output } = await answersOfServe(asReader(scratch.connectionString));
    expect(await fingerprint(scratch.connectionString)).toEqual(before);
    for (const table of ['entity_stake', 'entity_stake_history', 'entity_transaction', 'staking_reward_transfer']) {
      expect(output.match(new RegExp(`Table ${table} is missing; `, 'g'))).toHaveLength(1);
    }
    expect(output).toMatch(/Table account_balance is missing; balances at a moment in the past/);
    expect(output).toMatch(/Column transaction\.high_volume is missing; it is taken to be false in every row\./);
    expect(output).toMatch(/Column entity\.delegation_address is missing; it is taken to be null in every row\./);
    expect(output.match(/ is missing; /g)).toHaveLength(12);
    expect(output.match(/ are missing; /g)).toHaveLength(3);
    const same = (text: string) =>
      text
        .replaceAll(/"pending_reward":\d+/g, '')
        .replaceAll(/"staking_reward_transfers":\[[^\]]*\]/g, '')
        .replaceAll(/"batch_key":(null|\{[^}]*\})/g, '')
        .replaceAll(/"high_volume":\w+,"high_volume_pricing_multiplier":\w+/g, '')
        .replaceAll(/"balance":\{"balance":\d+,"timestamp":"[^"]*","tokens":\[[^\]]*\]\}/g, '');
    const chosen = (list: string[]) => list.slice(0, chosenCount).map(same);
    expect(chosen(answers)).toEqual(chosen(expected));
    expect(answers.filter((answer) => answer.startsWith('5'))).toEqual([]);
  });

  it('without a table that answers need is refused, by name', async () => {
    await alter('alter table contract_result rename to contract_result_hidden');
    try {
      await expect(findSchemaGaps(asReader(scratch.connectionString))).rejects.toThrow(
        /table contract_result is missing\. Expected the tables of a Hiero mirror node/,
      );
    } finally {
      await alter('alter table contract_result_hidden rename to contract_result');
    }
  });

  it('with a table that may not be read is refused, with what to do', async () => {
    await alter('revoke select on token_account from reader; revoke select on schedule from reader');
    try {
      await expect(findSchemaGaps(asReader(scratch.connectionString))).rejects.toThrow(
        /table schedule cannot be read: grant select on it to the user of DATABASE_URL, table token_account cannot be read/,
      );
    } finally {
      await alter('grant select on token_account, schedule to reader');
    }
  });

  it('without a column that has no default is refused, by name', async () => {
    await alter('alter table schedule rename column payer_account_id to payer');
    try {
      await expect(findSchemaGaps(asReader(scratch.connectionString))).rejects.toThrow(
        /column schedule\.payer_account_id is missing/,
      );
    } finally {
      await alter('alter table schedule rename column payer to payer_account_id');
    }
  });

  it('must be named', async () => {
    const settings = loadSettings('serve', ['--read-only'], {});
    await expect(openForeignStore({ settings, log: pino({ level: 'silent' }) })).rejects.toThrow(/DATABASE_URL/);
  });
});

describe.skipIf(!isDebianPostgresInstalled)('a Hiero database in PostgreSQL 15 of Debian', { timeout: 300_000 }, () => {
  let server: DebianPostgres;

  beforeAll(async () => {
    server = await startDebianPostgres();
    await server.run('create role owner login');
    await server.run('create database mirror_node owner owner');
    const owner = server.connectionString('owner', 'mirror_node');
    await migrate({ connectionString: owner });
    await stream.importInto(owner);
    await withClient(server.connectionString('admin', 'mirror_node'), async (client) => {
      await toHieroLayout(client, 'v1');
      await makeReader(client, 'reader');
    });
  });
  afterAll(() => server?.close());

  it('is answered from as our own', async () => {
    expect(await answersFrom(server.connectionString('reader', 'mirror_node'))).toEqual(expected);
  });
});
