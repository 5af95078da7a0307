// Rows of lists that a network of some minutes has too few of, with equal keys in every place.
import type { Database } from '../../packages/postgres/wire/database.ts';

/** Of accounts 1001 and 1002 with each other and two more; and nodes, which belong to nobody. */
const rows = [
  `insert into token_airdrop (sender_account_id, receiver_account_id, token_id, serial_number, amount, state, timestamp_range)
   select 1001 + i % 2, 1001 + i / 2 % 4, 1010 + i / 8 % 3, case when i / 8 % 3 = 0 then 0 else 1 + i / 24 end, 5, 'PENDING',
     '[5,)' from generate_series(0, 71) i on conflict do nothing`,
  `insert into nft_allowance (owner, spender, token_id, approved_for_all, payer_account_id, timestamp_range)
   select 1001 + i % 2, 1001 + i / 2 % 4, 1010 + i / 8 % 4, true, 1001, '[5,)' from generate_series(0, 31) i
   on conflict do nothing`,
  `insert into nft (token_id, serial_number, account_id, created_timestamp, deleted, spender, timestamp_range)
   select 1010 + i % 4, 900 + i / 4, 1001 + i / 4 % 2, 5, false, 1003 + i % 3, '[5,)' from generate_series(0, 47) i`,
  `insert into crypto_allowance (owner, spender, amount, payer_account_id, timestamp_range)
   select 1001 + i % 2, 1001 + i, 5, 1001, '[5,)' from generate_series(0, 19) i on conflict do nothing`,
  `insert into token_allowance (owner, spender, token_id, amount, payer_account_id, timestamp_range)
   select 1001 + i % 2, 1001 + i / 2 % 4, 1010 + i / 8 % 4, 5, 1001, '[5,)' from generate_series(0, 31) i
   on conflict do nothing`,
  `insert into staking_reward_transfer (account_id, consensus_timestamp, amount, payer_account_id)
   select 1001, consensus_timestamp, 5, 1001 from transaction order by consensus_timestamp limit 9 on conflict do nothing`,
  `insert into hook (owner_id, hook_id, contract_id, created_timestamp, deleted, timestamp_range)
   select 1001 + i % 2, 50 + i, 1001, 5, i % 3 = 0, '[5,)' from generate_series(0, 19) i`,
  `insert into registered_node (registered_node_id, timestamp_range, type, service_endpoints)
   select 500 + i, '[5,)', '{1}', '[]' from generate_series(0, 11) i`,
];

export async function crowdLists(db: Database): Promise<void> {
  for (const text of rows) await db.query({ name: '', text });
}
