// Compares a mirror's tables with the state of the simulated network: accounts, tokens, balances, NFTs, allowances,
// airdrops, hooks, schedules, topics, files and nodes.
import { deepStrictEqual, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { LedgerTables } from '../../../packages/simulated-network/ledger/ledger.ts';
import { parseExactJson } from '../../../packages/store/read/parse-exact-json.ts';
import { selectFileVersion } from '../../../packages/store/read/select-file-version.ts';

type AnyRow = Record<string, unknown>;
type Facts = { db: Database; truth: LedgerTables; select: (text: string) => Promise<AnyRow[]> };

/** Throws where they differ. */
export async function compareWithTruth(name: string, db: Database, truth: LedgerTables): Promise<void> {
  const select = (text: string): Promise<AnyRow[]> => {
    return db.query<AnyRow>({ name: `truth-${createHash('sha1').update(text).digest('hex')}`, text });
  };
  await comparisons[name]!({ db, truth, select });
}

// The network forgets deleted accounts and tokens after a while; the mirror does not. So an entity that the network
// does not know must be deleted, and rows that belong to it are skipped.
const isForgotten = (known: Map<bigint, unknown>, id: unknown, deleted: unknown) =>
  deleted === true && !known.has(id as bigint);

const hex = (bytes: unknown) => (bytes ? Buffer.from(bytes as Uint8Array).toString('hex') : null);
/** A removed key is kept as an empty key list. */
const tokenKey = (bytes: unknown) => (hex(bytes) === '3200' ? null : hex(bytes));
const byKey = (entries: (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

const comparisons: Record<string, (facts: Facts) => Promise<void>> = {
  'accounts and contracts': async ({ truth, select }) => {
    const all = await select(
      `select * from entity where type in ('ACCOUNT', 'CONTRACT') and created_timestamp is not null`,
    );
    const rows = all.filter(({ id, deleted }) => !isForgotten(truth.accounts, id, deleted));
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
    deepStrictEqual(byKey(stored), byKey(expected));
    const addresses = rows
      .filter((row) => row.evm_address)
      .map((row) => [String(row.id), hex(row.evm_address)] as const);
    deepStrictEqual(
      byKey(addresses),
      byKey(known.filter(({ evmAddress }) => evmAddress).map(({ id, evmAddress }) => [String(id), hex(evmAddress)])),
    );
  },
  'nonces of contracts and of accounts that sign Ethereum transactions': async ({ truth, select }) => {
    const all = await select(
      'select id, ethereum_nonce, deleted from entity where ethereum_nonce > 0 and created_timestamp is not null',
    );
    const rows = all.filter(({ id, deleted }) => !isForgotten(truth.accounts, id, deleted));
    const expected = [...truth.accounts.values()].filter(({ ethereumNonce }) => ethereumNonce > 0n);
    deepStrictEqual(
      byKey(rows.map((row) => [String(row.id), row.ethereum_nonce])),
      byKey(expected.map(({ id, ethereumNonce }) => [String(id), ethereumNonce])),
    );
  },
  tokens: async ({ truth, select }) => {
    const all = await select('select t.*, e.deleted, e.key from token t join entity e on e.id = t.token_id');
    const rows = all.filter((row) => !isForgotten(truth.tokens, row.token_id, row.deleted));
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
    deepStrictEqual(byKey(stored), byKey(expected));
  },
  'who holds which token': async ({ truth, select }) => {
    const rows = await select(`select a.account_id, a.token_id, a.balance,
    coalesce(a.freeze_status, t.freeze_status) = 1 as frozen,
    coalesce(a.kyc_status, t.kyc_status) <> 2 as kyc from token_account a join token t using (token_id) where a.associated`);
    // No record says that a new treasury gets KYC and is not frozen, which it keeps when it is replaced.
    const treasuries = await select(`select treasury_account_id, token_id from token
    union select treasury_account_id, token_id from token_history`);
    const hadTreasury = new Set(treasuries.map((row) => `${row.treasury_account_id}:${row.token_id}`));
    const isTreasury = (account: unknown, token: unknown) => hadTreasury.has(`${account}:${token}`);
    const known = rows.filter(
      (row) => truth.accounts.has(row.account_id as bigint) && truth.tokens.has(row.token_id as bigint),
    );
    const stored = known.map((row) => {
      const kyc = row.kyc || isTreasury(row.account_id, row.token_id);
      const frozen = row.frozen && !isTreasury(row.account_id, row.token_id);
      return [`${row.account_id}:${row.token_id}`, { balance: row.balance, frozen, kyc }] as const;
    });
    const expected = [...truth.relations.values()].map(({ account, token, balance, frozen, kycGranted }) => {
      const kyc = kycGranted || isTreasury(account, token) || !truth.tokens.get(token)?.keys.kyc;
      return [`${account}:${token}`, { balance, frozen: frozen && !isTreasury(account, token), kyc }] as const;
    });
    deepStrictEqual(byKey(stored), byKey(expected));
  },
  'who owns which NFT': async ({ truth, select }) => {
    const all = await select('select * from nft where deleted is not true');
    const rows = all.filter((row) => truth.tokens.has(row.token_id as bigint));
    const stored = rows.map((row) => [`${row.token_id}:${row.serial_number}`, [row.account_id, row.spender]] as const);
    const expected = [...truth.nfts.values()].map(
      (nft) => [`${nft.token}:${nft.serial}`, [nft.owner, nft.spender]] as const,
    );
    deepStrictEqual(byKey(stored), byKey(expected));
  },
  'hooks, how much their storage holds, and registered nodes': async ({ truth, select }) => {
    const rows = await select(`select h.*, (select count(*) from hook_storage s
    where s.owner_id = h.owner_id and s.hook_id = h.hook_id and not s.deleted) as slots from hook h`);
    deepStrictEqual(
      byKey(rows.map((row) => [`${row.owner_id}:${row.hook_id}`, [row.deleted, row.slots]])),
      byKey([...truth.hooks].map(([key, { deleted, slots }]) => [key, [deleted, BigInt(Object.keys(slots).length)]])),
    );
    ok(truth.hooks.size > 3);
    const nodes = await select('select registered_node_id as id, deleted from registered_node');
    deepStrictEqual(
      byKey(nodes.map((row) => [String(row.id), row.deleted])),
      byKey([...truth.registeredNodes].map(([id, { deleted }]) => [String(id), deleted])),
    );
    ok(truth.registeredNodes.size > 0);
  },
  allowances: async ({ truth, select }) => {
    const ofKnown = async (text: string) =>
      (await select(text)).filter((row) => truth.accounts.has(row.owner as bigint));
    const hbar = await ofKnown('select owner, spender, amount from crypto_allowance where amount > 0');
    const tokens = await ofKnown('select owner, spender, token_id, amount from token_allowance where amount > 0');
    const all = await ofKnown('select owner, spender, token_id from nft_allowance where approved_for_all');
    const stored = [
      ...hbar.map((row) => [`${row.owner}:${row.spender}`, row.amount] as const),
      ...tokens.map((row) => [`${row.owner}:${row.spender}:${row.token_id}`, row.amount] as const),
      ...all.map((row) => [`${row.owner}:${row.spender}:${row.token_id}:all`, 1n] as const),
    ];
    const expected = [...truth.allowances].filter(([, amount]) => amount > 0n);
    deepStrictEqual(byKey(stored), byKey(expected));
  },
  'airdrops that wait, and schedules that ran': async ({ truth, select }) => {
    const airdrops = await select(`select * from token_airdrop where state = 'PENDING'`);
    const waiting = [...truth.airdrops.values()];
    const describe = (...parts: unknown[]) => parts.join(' ');
    deepStrictEqual(
      airdrops
        .map((row) =>
          describe(row.sender_account_id, row.receiver_account_id, row.token_id, row.serial_number, row.amount ?? 0n),
        )
        .sort(),
      waiting
        .map(({ sender, receiver, token, serial, amount }) =>
          describe(sender, receiver, token, serial, serial > 0n ? 0n : amount),
        )
        .sort(),
    );
    // The network forgets finished schedules; the mirror does not.
    const executed = await select('select schedule_id from schedule where executed_timestamp is not null');
    const ran = new Set(executed.map((row) => row.schedule_id));
    for (const { id, state } of truth.schedules.values()) {
      deepStrictEqual([id, ran.has(id)], [id, state === 'executed']);
    }
  },
  'custom fees': async ({ truth, select }) => {
    type Fee = Record<string, bigint | boolean | Record<string, bigint> | null>;
    const all =
      await select(`select entity_id, fixed_fees::text as fixed_fees, fractional_fees::text as fractional_fees,
    royalty_fees::text as royalty_fees from custom_fee where entity_id in (select token_id from token)`);
    const rows = all.filter((row) => truth.tokens.has(row.entity_id as bigint));
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
    deepStrictEqual(byKey(rows.map((row) => [String(row.entity_id), lists(row)])), byKey(expected));
  },
  'messages of topics, contents of files, nodes': async ({ db, truth, select }) => {
    const all = await select(`select distinct on (topic_id) topic_id, sequence_number, running_hash
    from topic_message order by topic_id, sequence_number desc`);
    const topics = all.filter((row) => truth.topics.has(row.topic_id as bigint));
    const written = [...truth.topics.values()].filter(({ sequence }) => sequence > 0n);
    deepStrictEqual(
      byKey(topics.map((row) => [String(row.topic_id), [row.sequence_number, hex(row.running_hash)]])),
      byKey(written.map(({ id, sequence, runningHash }) => [String(id), [sequence, hex(runningHash)]])),
    );
    const now = 2n ** 62n;
    for (const { id, contents, deleted } of truth.files.values()) {
      const stored = await selectFileVersion(db, id, now);
      // The mirror keeps the content of deleted files.
      if (!deleted) deepStrictEqual([id, hex(stored?.content)], [id, hex(contents)]);
      const entity = await select(`select deleted from entity where id = ${id}`);
      deepStrictEqual([id, entity], [id, [{ deleted }]]);
    }
    ok(truth.files.size > 10);
    // Genesis nodes come with the address book, not with a transaction.
    const nodes = await select('select node_id, account_id, deleted from node');
    const later = [...truth.nodes.values()].filter(({ nodeId }) => nodes.some((row) => row.node_id === nodeId));
    deepStrictEqual(
      byKey(nodes.map((row) => [String(row.node_id), [row.account_id, row.deleted]])),
      byKey(later.map(({ nodeId, account, deleted }) => [String(nodeId), [account, deleted]])),
    );
    ok(nodes.length > 0);
  },
};

export const comparisonNames: readonly string[] = Object.keys(comparisons);
