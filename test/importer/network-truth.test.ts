// The simulated network knows its own state. After an import of the files that it signed, the tables say the same of every
// account, token, holding, NFT, allowance, airdrop and schedule, and every history is without gaps.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importStream } from '../../src/importer/import-stream.ts';
import type { LedgerTables } from '../../src/network/ledger.ts';
import { createNetwork } from '../../src/network/network.ts';
import { createFolderSource } from '../../src/source/folder-source.ts';
import { parseExactJson } from '../../src/store/read/parse-exact-json.ts';
import { selectFileVersion } from '../../src/store/read/select-file-version.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';

let folder: string;
let truth: LedgerTables;
let database: ScratchDatabase;
let db: Database;
const problems: unknown[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'network-truth-'));
  const network = await createNetwork({ folder, seed: 'network truth', nodes: 3 });
  await network.run({ intervalMs: 0, blocks: 80, transactionsPerBlock: 25 });
  truth = structuredClone(network.state().tables);
  await network.close();

  database = await createScratchDatabase();
  const { connectionString } = database;
  db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const source = createFolderSource({ path: folder });
  const addressBook = readFileSync(network.addressBookPath);
  await importStream({ source, db, writer, addressBook, live: false, onProblem: (problem) => problems.push(problem) });
  await writer.close();
});

afterAll(async () => {
  await db.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

type AnyRow = Record<string, unknown>;
let questions = 0;

function select(text: string): Promise<AnyRow[]> {
  questions += 1;
  return db.query<AnyRow>({ name: `truth-${questions}`, text });
}

const hex = (bytes: unknown) => (bytes ? Buffer.from(bytes as Uint8Array).toString('hex') : null);
/** A removed key is kept as an empty key list. */
const tokenKey = (bytes: unknown) => (hex(bytes) === '3200' ? null : hex(bytes));
const byKey = (entries: (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

test('nothing was left out', () => {
  expect(problems).toEqual([]);
});

test('accounts and contracts', async () => {
  const rows = await select(
    `select * from entity where type in ('ACCOUNT', 'CONTRACT') and created_timestamp is not null`,
  );
  const stored = rows.map(
    (row) =>
      [
        String(row.id),
        {
          isContract: row.type === 'CONTRACT',
          balance: row.balance,
          deleted: row.deleted,
          receiverSigRequired: row.receiver_sig_required ?? false,
          stakedNodeId: row.staked_node_id === -1n ? null : row.staked_node_id,
          stakedAccountId: row.staked_account_id || null,
          declineReward: row.decline_reward,
          key: hex(row.key),
          maxAutomaticAssociations: row.max_automatic_token_associations,
        },
      ] as const,
  );
  const known = [...truth.accounts.values()];
  const expected = known.map(
    (account) =>
      [
        String(account.id),
        {
          isContract: account.isContract,
          balance: account.balance,
          deleted: account.deleted,
          receiverSigRequired: account.receiverSigRequired,
          stakedNodeId: account.stakedNodeId,
          stakedAccountId: account.stakedAccountId,
          declineReward: account.declineReward,
          key: hex(account.key),
          maxAutomaticAssociations: account.maxAutomaticAssociations,
        },
      ] as const,
  );
  expect(byKey(stored)).toEqual(byKey(expected));
  const addresses = rows.filter((row) => row.evm_address).map((row) => [String(row.id), hex(row.evm_address)] as const);
  expect(byKey(addresses)).toEqual(
    byKey(known.filter(({ evmAddress }) => evmAddress).map(({ id, evmAddress }) => [String(id), hex(evmAddress)])),
  );
});

test('nonces of contracts and of accounts that sign Ethereum transactions', async () => {
  const rows = await select(
    'select id, ethereum_nonce from entity where ethereum_nonce > 0 and created_timestamp is not null',
  );
  const expected = [...truth.accounts.values()].filter(({ ethereumNonce }) => ethereumNonce > 0n);
  expect(byKey(rows.map((row) => [String(row.id), row.ethereum_nonce]))).toEqual(
    byKey(expected.map(({ id, ethereumNonce }) => [String(id), ethereumNonce])),
  );
});

test('tokens', async () => {
  const rows = await select('select t.*, e.deleted, e.key from token t join entity e on e.id = t.token_id');
  const stored = rows.map(
    (row) =>
      [
        String(row.token_id),
        {
          nonFungible: row.type === 'NON_FUNGIBLE_UNIQUE',
          treasury: row.treasury_account_id,
          totalSupply: row.total_supply,
          freezeDefault: row.freeze_default,
          paused: row.pause_status === 'PAUSED',
          deleted: row.deleted,
          admin: tokenKey(row.key),
          supply: tokenKey(row.supply_key),
          wipe: tokenKey(row.wipe_key),
        },
      ] as const,
  );
  const expected = [...truth.tokens.values()].map(
    (token) =>
      [
        String(token.id),
        {
          nonFungible: token.nonFungible,
          treasury: token.treasury,
          totalSupply: token.totalSupply,
          freezeDefault: token.freezeDefault,
          paused: token.paused,
          deleted: token.deleted,
          admin: hex(token.keys.admin),
          supply: hex(token.keys.supply),
          wipe: hex(token.keys.wipe),
        },
      ] as const,
  );
  expect(byKey(stored)).toEqual(byKey(expected));
});

test('who holds which token', async () => {
  const rows = await select(`select a.account_id, a.token_id, a.balance,
    coalesce(a.freeze_status, t.freeze_status) = 1 as frozen,
    coalesce(a.kyc_status, t.kyc_status) <> 2 as kyc from token_account a join token t using (token_id) where a.associated`);
  // No record tells that a new treasury gets KYC and is not frozen, which it keeps when the next one comes.
  const treasuries = await select(`select treasury_account_id, token_id from token
    union select treasury_account_id, token_id from token_history`);
  const hadTreasury = new Set(treasuries.map((row) => `${row.treasury_account_id}:${row.token_id}`));
  const isTreasury = (account: unknown, token: unknown) => hadTreasury.has(`${account}:${token}`);
  const stored = rows.map((row) => {
    const kyc = row.kyc || isTreasury(row.account_id, row.token_id);
    const frozen = row.frozen && !isTreasury(row.account_id, row.token_id);
    return [`${row.account_id}:${row.token_id}`, { balance: row.balance, frozen, kyc }] as const;
  });
  const expected = [...truth.relations.values()].map(({ account, token, balance, frozen, kycGranted }) => {
    const kyc = kycGranted || isTreasury(account, token) || !truth.tokens.get(token)?.keys.kyc;
    return [`${account}:${token}`, { balance, frozen: frozen && !isTreasury(account, token), kyc }] as const;
  });
  expect(byKey(stored)).toEqual(byKey(expected));
});

test('who owns which NFT', async () => {
  const rows = await select('select * from nft where deleted is not true');
  const stored = rows.map((row) => [`${row.token_id}:${row.serial_number}`, [row.account_id, row.spender]] as const);
  const expected = [...truth.nfts.values()].map(
    (nft) => [`${nft.token}:${nft.serial}`, [nft.owner, nft.spender]] as const,
  );
  expect(byKey(stored)).toEqual(byKey(expected));
});

test('hooks, how much their storage holds, and registered nodes', async () => {
  const rows = await select(`select h.*, (select count(*) from hook_storage s
    where s.owner_id = h.owner_id and s.hook_id = h.hook_id and not s.deleted) as slots from hook h`);
  expect(byKey(rows.map((row) => [`${row.owner_id}:${row.hook_id}`, [row.deleted, row.slots]]))).toEqual(
    byKey([...truth.hooks].map(([key, { deleted, slots }]) => [key, [deleted, BigInt(Object.keys(slots).length)]])),
  );
  expect(truth.hooks.size).toBeGreaterThan(3);
  const nodes = await select('select registered_node_id as id, deleted from registered_node');
  expect(byKey(nodes.map((row) => [String(row.id), row.deleted]))).toEqual(
    byKey([...truth.registeredNodes].map(([id, { deleted }]) => [String(id), deleted])),
  );
  expect(truth.registeredNodes.size).toBeGreaterThan(0);
});

test('allowances', async () => {
  const hbar = await select('select owner, spender, amount from crypto_allowance where amount > 0');
  const tokens = await select('select owner, spender, token_id, amount from token_allowance where amount > 0');
  const all = await select('select owner, spender, token_id from nft_allowance where approved_for_all');
  const stored = [
    ...hbar.map((row) => [`${row.owner}:${row.spender}`, row.amount] as const),
    ...tokens.map((row) => [`${row.owner}:${row.spender}:${row.token_id}`, row.amount] as const),
    ...all.map((row) => [`${row.owner}:${row.spender}:${row.token_id}:all`, 1n] as const),
  ];
  const expected = [...truth.allowances].filter(([, amount]) => amount > 0n);
  expect(byKey(stored)).toEqual(byKey(expected));
});

test('airdrops that wait, and schedules that ran', async () => {
  const airdrops = await select(`select * from token_airdrop where state = 'PENDING'`);
  const waiting = [...truth.airdrops.values()];
  const describe = (...parts: unknown[]) => parts.join(' ');
  expect(
    airdrops
      .map((row) =>
        describe(row.sender_account_id, row.receiver_account_id, row.token_id, row.serial_number, row.amount ?? 0n),
      )
      .sort(),
  ).toEqual(
    waiting
      .map(({ sender, receiver, token, serial, amount }) =>
        describe(sender, receiver, token, serial, serial > 0n ? 0n : amount),
      )
      .sort(),
  );
  const executed = await select('select schedule_id from schedule where executed_timestamp is not null order by 1');
  const ran = [...truth.schedules.values()].filter((schedule) => schedule.state === 'executed').map(({ id }) => id);
  expect(executed.map((row) => row.schedule_id)).toEqual(ran.sort((a, b) => (a < b ? -1 : 1)));
});

test('custom fees', async () => {
  type Fee = Record<string, bigint | boolean | Record<string, bigint> | null>;
  const rows = await select(`select entity_id, fixed_fees::text as fixed_fees, fractional_fees::text as fractional_fees,
    royalty_fees::text as royalty_fees from custom_fee where entity_id in (select token_id from token)`);
  const parse = (json: unknown) => (parseExactJson(json as string | null) ?? []) as Fee[];
  const lists = (row: AnyRow) => {
    const fixed = parse(row.fixed_fees);
    const fractional = parse(row.fractional_fees);
    const royalty = parse(row.royalty_fees);
    return {
      fixed: fixed.map((fee) => [fee.amount, fee.denominating_token_id ?? null]),
      fractional: fractional.map((fee) => [
        fee.numerator,
        fee.denominator,
        fee.minimum_amount,
        fee.maximum_amount || null,
        fee.net_of_transfers ?? false,
      ]),
      royalty: royalty.map((fee) => [
        fee.numerator,
        fee.denominator,
        (fee.fallback_fee as Record<string, bigint> | null)?.amount ?? null,
      ]),
      collectors: [fixed, fractional, royalty].flatMap((list) =>
        list.map((fee) => [fee.collector_account_id, fee.all_collectors_are_exempt ?? false]),
      ),
    };
  };
  const kinds = ['fixed', 'fractional', 'royalty'] as const;
  const expected = [...truth.tokens.values()].map(({ id, customFees }) => {
    const ofKind = <K extends (typeof kinds)[number]>(kind: K) =>
      customFees.filter((fee): fee is Extract<typeof fee, { kind: K }> => fee.kind === kind);
    return [
      String(id),
      {
        fixed: ofKind('fixed').map(({ amount, denominatingToken }) => [amount, denominatingToken]),
        fractional: ofKind('fractional').map((fee) => [
          fee.numerator,
          fee.denominator,
          fee.minimum,
          fee.maximum || null,
          fee.net,
        ]),
        royalty: ofKind('royalty').map((fee) => [fee.numerator, fee.denominator, fee.fallback?.amount ?? null]),
        collectors: kinds.flatMap((kind) =>
          ofKind(kind).map(({ collector, allCollectorsAreExempt }) => [collector, allCollectorsAreExempt]),
        ),
      },
    ] as const;
  });
  expect(byKey(rows.map((row) => [String(row.entity_id), lists(row)]))).toEqual(byKey(expected));
});

test('messages of topics, contents of files, nodes', async () => {
  const topics = await select(`select distinct on (topic_id) topic_id, sequence_number, running_hash
    from topic_message order by topic_id, sequence_number desc`);
  const written = [...truth.topics.values()].filter(({ sequence }) => sequence > 0n);
  expect(byKey(topics.map((row) => [String(row.topic_id), [row.sequence_number, hex(row.running_hash)]]))).toEqual(
    byKey(written.map(({ id, sequence, runningHash }) => [String(id), [sequence, hex(runningHash)]])),
  );
  const now = 2n ** 62n;
  for (const { id, contents, deleted } of truth.files.values()) {
    const stored = await selectFileVersion(db, id, now);
    // What a deleted file held stays known.
    if (!deleted) expect([id, hex(stored?.content)]).toEqual([id, hex(contents)]);
    const entity = await select(`select deleted from entity where id = ${id}`);
    expect([id, entity]).toEqual([id, [{ deleted }]]);
  }
  expect(truth.files.size).toBeGreaterThan(10);
  // Nodes of the genesis come with the address book, not with a transaction of their own.
  const nodes = await select('select node_id, account_id, deleted from node');
  const later = [...truth.nodes.values()].filter(({ nodeId }) => nodes.some((row) => row.node_id === nodeId));
  expect(byKey(nodes.map((row) => [String(row.node_id), [row.account_id, row.deleted]]))).toEqual(
    byKey(later.map(({ nodeId, account, deleted }) => [String(nodeId), [account, deleted]])),
  );
  expect(nodes.length).toBeGreaterThan(0);
});

test('no tinybar is lost, and balances are what was transferred', async () => {
  expect(await select('select sum(balance)::text as total from entity')).toEqual([{ total: '5000000000000000000' }]);
  const differing = await select(`select e.id from entity e left join
    (select entity_id as id, sum(amount) as amount from crypto_transfer group by entity_id) c using (id)
    where coalesce(e.balance, 0) <> coalesce(c.amount, 0)`);
  expect(differing).toEqual([]);
});

test.each([
  ['entity', 'id'],
  ['token', 'token_id'],
  ['custom_fee', 'entity_id'],
  ['token_account', 'account_id, token_id'],
  ['nft', 'token_id, serial_number'],
  ['crypto_allowance', 'owner, spender'],
  ['token_allowance', 'owner, spender, token_id'],
])('each version of %s begins where the one before ends', async (table, key) => {
  const gaps = await select(`with versions as (
      select ${key}, timestamp_range from ${table} union all select ${key}, timestamp_range from ${table}_history
    ), neighbours as (
      select upper(timestamp_range) as ends, lead(lower(timestamp_range)) over (partition by ${key} order by timestamp_range) as next
      from versions
    ) select * from neighbours where ends is distinct from next`);
  expect(gaps).toEqual([]);
});
