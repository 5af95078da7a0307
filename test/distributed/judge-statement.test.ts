// The judge of statements, on forms that were run on a real cluster.
import { expect, test } from 'vitest';
import { judgeStatement } from './judge-statement.ts';

test.each([
  ['one row by its distribution column', 'select * from entity where id = $1'],
  ['several', 'select * from entity where id = any($1::int8[])'],
  ['by another column, of every machine', 'select * from transaction where consensus_timestamp = $1'],
  [
    'joined on distribution columns',
    'select 1 from token t join entity e on e.id = t.token_id join custom_fee f on f.entity_id = t.token_id where t.token_id = $1',
  ],
  [
    'correlated by distribution columns',
    'select (select balance from token_account where account_id = e.id limit 1) from entity e where e.alias = $1',
  ],
  [
    'one shard, however nested',
    'with page as (select * from contract_result r where r.contract_id = $1 limit 25) select * from page left join lateral (select evm_address from entity where id = $1 limit 1) e on true',
  ],
  [
    'a reference table inside of it',
    'select (select max(consensus_end) from record_file) from entity e where e.id = any($1)',
  ],
  [
    'a transfer and its transaction',
    'select 1 from crypto_transfer s where s.entity_id = $1 and exists (select 1 from transaction t where t.payer_account_id = s.payer_account_id and t.type = 14)',
  ],
  [
    'reference and local tables alone',
    'with recursive a as (select 1 from account_balance) select * from a left join lateral (select * from record_file limit 1) b on true',
  ],
  ['an upsert by the key', 'insert into entity (id) select 1 on conflict (id) do nothing'],
  [
    'a choice by a parameter',
    'with n as (select * from unnest($1::int8[]) as u (id)) update entity e set balance = case when e.balance is null and $2::bool then null else coalesce(e.balance, 0) end, timestamp_range = int8range(coalesce(lower(timestamp_range), $3), null) from n where e.id = n.id',
  ],
  [
    'a function beside a choice',
    `update entity set memo = to_char(now(), 'YYYY') || case when memo is null then '' else memo end where id = $1`,
  ],
  [
    'a function in a choice of what is inserted',
    `insert into entity (id, balance) select $1, case when current_setting('a.b', true) = 'on' then null else 0 end on conflict (id) do nothing`,
  ],
  [
    'a function in a choice of an ordinary table',
    `update account_balance set balance = case when now() > $1 then 1 else 2 end`,
  ],
  [
    'a value that is asked before',
    'select account_id, (select max(decimals) from token where token_id = $1), array(select serial_number from nft where token_id = $1 limit 3) from token_account where token_id = $1',
  ],
  [
    'a value of the same shard',
    'select balance, (select id from entity where id = $1) from token_account where account_id = $1',
  ],
  [
    'a value beside a page',
    'select q.account_id, (select decimals from token where token_id = $1) from (select account_id from token_account where token_id = $1 limit 3) q',
  ],
  [
    'a value beside a reference table',
    'select consensus_end, (select decimals from token where token_id = $1) from record_file',
  ],
  [
    'values alone',
    'select (select decimals from token where token_id = $1), (select balance from token_account where account_id = $2)',
  ],
  [
    'a condition that asks another table',
    'select balance from token_account where token_id = $1 and exists (select 1 from token where token_id = $1)',
  ],
])('lets through: %s', (_name, text) => {
  expect(judgeStatement(text)).toEqual([]);
});

test.each([
  [
    'lateral beside',
    'select 1 from (select * from schedule limit 25) s left join lateral (select id from entity where id = s.schedule_id limit 1) e on true',
  ],
  [
    'correlated by another column',
    'select (select t.type from transaction t where t.consensus_timestamp = s.consensus_timestamp) from crypto_transfer s where s.entity_id = $1',
  ],
  [
    'correlated with a sub-query',
    'select (select 1 from token_account where account_id = e.id) from (select * from entity limit 5) e',
  ],
  [
    'joins ethereum_transaction by another column',
    'select 1 from contract_result r left join ethereum_transaction t on t.consensus_timestamp = r.consensus_timestamp',
  ],
  [
    'current_setting() in CASE',
    `with n as (select * from unnest($1::int8[]) as u (id)) update entity e set balance = case when e.balance is null and current_setting('a.b', true) = 'on' then null else 0 end from n where e.id = n.id`,
  ],
  [
    'current_setting() in CASE',
    `update "entity" e set "balance" = case when current_setting('a.b', true) = 'on' then null else 0 end`,
  ],
  ['current_setting() in CASE', `update record_file set index = coalesce(nullif(current_setting('a.b'), '')::int8, 3)`],
  ['now() in CASE', 'delete from entity where id = $1 and case when now() > $2 then true else false end'],
  [
    'current_setting() in CASE, COALESCE or DO UPDATE',
    `insert into entity (id, memo) values ($1, '') on conflict (id) do update set memo = current_setting('a.b', true)`,
  ],
  [
    'a value of token beside token_account',
    'select account_id, balance, (select decimals from token where token_id = $1) from token_account where token_id = $1 order by account_id limit 3',
  ],
  [
    'a value of token beside token_account',
    'select account_id, coalesce(balance, (select decimals from token where token_id = $1)) from token_account where token_id = $1',
  ],
  [
    'a value of token beside token_account',
    'select max(balance), exists (select 1 from token where token_id = $1) from token_account where token_id = $1',
  ],
  ['recursive', 'with recursive a as (select id from entity) select * from a'],
  ['to the local table', 'select 1 from entity e join account_balance b on b.account_id = e.id'],
  ['joins transaction to unnest', 'select 1 from unnest($1::int8[]) u join transaction t on t.payer_account_id = u.x'],
  [
    'without columns',
    'select exists (select from token where token_id = $2), array(select serial_number from nft where account_id = $1)',
  ],
  [
    'on conflict of contract_log without contract_id',
    'insert into contract_log (index) select 1 on conflict (consensus_timestamp, index) do nothing',
  ],
  ['is changed', 'update nft set account_id = $1, token_id = $2 where token_id = $3'],
  ['place of a row', 'delete from nft_history where ctid = any(array(select ctid from nft_history limit 1))'],
  [
    'joins ethereum_transaction by another column',
    `select coalesce((
      select e.nonce from contract_result r
      join ethereum_transaction e on e.consensus_timestamp = r.consensus_timestamp and e.payer_account_id = r.payer_account_id
      where r.sender_id = $1::int8 and r.gas_used > 0 and r.consensus_timestamp <= $2::int8
      order by r.consensus_timestamp desc limit 1
    ) + 1, 0) as "nonce"`,
  ],
  [
    'without columns',
    `select case when (select type from token where token_id = $1) = 'NON_FUNGIBLE_UNIQUE' then (
      select count(*) from (
        select from nft where token_id = $1 and account_id = $2 and lower(timestamp_range) <= $5
        union all
        select from nft_history where token_id = $1 and account_id = $2 and timestamp_range @> $5::int8
      ) owned
    ) else (select sum(amount) from token_transfer where account_id = $2 and token_id = $1) end as "amount"`,
  ],
  [
    'token_account correlated with a sub-query',
    `select entity.id, (select count(*) from token_account where account_id = entity.id and associated) as "used"
    from (select 1) a inner join lateral (select id from entity where id = $1::int8 limit 1) entity on true`,
  ],
  [
    'joins token by another column than t.token_id',
    `select a.id, exists (
      select 1 from token_account r join token t on t.token_id = r.token_id where r.account_id = a.id and t.treasury_account_id = a.id
    ) as "isTreasury" from (select $1::int8 as id) a`,
  ],
  [
    'token_transfer correlated by another column',
    `select token_id, total_supply - (
      select sum(amount) from token_transfer t where t.token_id = token.token_id and consensus_timestamp >= $2
    ) from token where token_id = any($1::int8[])`,
  ],
  [
    'to a sub-query',
    'with page as (select * from contract_log limit 25) select * from page join entity e on e.id = page.contract_id',
  ],
])('refuses: %s', (fault, text) => {
  expect(judgeStatement(text).join('; ')).toContain(fault);
});
