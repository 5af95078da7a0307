// Invariants of a ledger's tables after every block.
import { deepStrictEqual } from 'node:assert/strict';
import type { Database } from '../../../packages/postgres/wire/database.ts';

/** All tinybars there are. */
const genesisSupply = '5000000000000000000';

/** Each query finds rows that break it. */
const invariants: Record<string, string> = {
  'balances are what was transferred': `select e.id from entity e
    left join (select entity_id as id, sum(amount) as amount from crypto_transfer group by entity_id) c using (id)
    where coalesce(e.balance, 0) <> coalesce(c.amount, 0)`,
  'a fungible token has as many units as its holders': `select t.token_id, t.total_supply, h.held from token t
    left join (select token_id, sum(balance) as held from token_account group by token_id) h using (token_id)
    where t.type = 'FUNGIBLE_COMMON' and t.total_supply <> coalesce(h.held, 0)`,
  'a token of NFTs has as many as live': `select t.token_id, t.total_supply, n.living from token t
    left join (select token_id, count(*) as living from nft where deleted is not true group by token_id) n using (token_id)
    where t.type = 'NON_FUNGIBLE_UNIQUE' and t.total_supply <> coalesce(n.living, 0)`,
  'a holder of NFTs has as many as he owns': `select a.account_id, a.token_id, a.balance, n.owned from token_account a
    join token t on t.token_id = a.token_id and t.type = 'NON_FUNGIBLE_UNIQUE'
    left join (select account_id, token_id, count(*) as owned from nft where deleted is not true
      group by account_id, token_id) n on n.account_id = a.account_id and n.token_id = a.token_id
    where a.balance <> coalesce(n.owned, 0)`,
  'what counts as stake is the balance of that moment': `with newest as (
      select max(lower(timestamp_range)) as at from entity_stake
    ), balances as (
      select entity_id as id, sum(amount) as amount from crypto_transfer, newest where consensus_timestamp <= at group by 1
    ) select s.id, s.stake_total_start, s.staked_to_me, b.amount from entity_stake s
    join newest on lower(s.timestamp_range) = at left join balances b using (id)
    where s.staked_node_id_start >= 0 and s.stake_total_start - s.staked_to_me <> coalesce(b.amount, 0)`,
  'a slot of a hook holds what was written last': `select owner_id, hook_id, key from hook_storage s
    where value <> (select value_written from hook_storage_change c where c.owner_id = s.owner_id
      and c.hook_id = s.hook_id and c.key = s.key and value_written is not null order by consensus_timestamp desc limit 1)`,
  'nobody owes': `select 'account' as what, id from entity where balance < 0
    union all select 'holding', account_id from token_account where balance < 0`,
  'block numbers have no gap': `select index from record_file
    where index <> (select count(*) from record_file earlier where earlier.consensus_end < record_file.consensus_end)`,
};

const histories: Record<string, string> = {
  crypto_allowance: 'owner, spender',
  custom_fee: 'entity_id',
  entity: 'id',
  entity_stake: 'id',
  nft: 'token_id, serial_number',
  nft_allowance: 'owner, spender, token_id',
  node: 'node_id',
  token: 'token_id',
  token_account: 'account_id, token_id',
  token_airdrop: 'receiver_account_id, sender_account_id, serial_number, token_id',
  token_allowance: 'owner, spender, token_id',
  topic: 'id',
  hook: 'owner_id, hook_id',
  registered_node: 'registered_node_id',
};

export async function checkInvariants(db: Database): Promise<void> {
  deepStrictEqual(await db.query({ name: 'supply', text: 'select sum(balance)::text as total from entity' }), [
    { total: genesisSupply },
  ]);
  for (const [name, text] of Object.entries(invariants)) {
    deepStrictEqual([name, await db.query({ name, text })], [name, []]);
  }
  for (const [table, key] of Object.entries(histories)) {
    const broken = await db.query({
      name: `gaps in ${table}`,
      text: `with versions as (
          select ${key}, timestamp_range from ${table} union all select ${key}, timestamp_range from ${table}_history
        ), neighbours as (
          select upper(timestamp_range) as ends,
            lead(lower(timestamp_range)) over (partition by ${key} order by lower(timestamp_range)) as next
          from versions
        ) select ends, next from neighbours where ends is distinct from next`,
    });
    deepStrictEqual([`versions of ${table} follow each other`, broken], [`versions of ${table} follow each other`, []]);
  }
}
