// Rows for the plans of lists of accounts and tokens: one account with thousands of everything, one token with
// thousands of NFTs, one NFT with thousands of versions.
export const nftToken = 100_500n;
export const busySerial = 7n;

const series = (count: number) => `generate_series(0, ${count - 1}) i`;

type Ledger = { hotAccount: bigint; firstTimestamp: bigint };

export const accountStatements = ({ hotAccount, firstTimestamp }: Ledger): string[] => [
  `insert into nft (token_id, serial_number, account_id, created_timestamp, spender, timestamp_range)
   select case when i < 20000 then ${nftToken} else 100000 + i % 3000 end, 1 + i,
     case when i % 2 = 0 then ${hotAccount} else 1100 + i % 9000 end, ${firstTimestamp},
     case when i % 3 = 0 then 1100 + i % 50 end, int8range(${firstTimestamp} + i, null)
   from ${series(40_000)}`,
  `insert into nft_history (token_id, serial_number, account_id, created_timestamp, timestamp_range)
   select ${nftToken}, ${busySerial}, 1100 + i % 100, ${firstTimestamp},
     int8range(${firstTimestamp} + i::int8 * 1000000000, ${firstTimestamp} + (i + 1)::int8 * 1000000000)
   from ${series(6_000)}`,
  `update entity set public_key = case when id % 1000 = 0 then repeat('ab', 32) else md5(id::text) || md5(id::text) end
   where type in ('ACCOUNT', 'TOKEN')`,
  `insert into token_airdrop (sender_account_id, receiver_account_id, token_id, serial_number, amount, state, timestamp_range)
   select case when i % 2 = 0 then ${hotAccount} else 1100 + i % 500 end, case when i % 2 = 1 then ${hotAccount} else 1100 + i % 500 end,
     100000 + i % 3000, 0, i, 'PENDING', int8range(${firstTimestamp}, null)
   from ${series(12_000)} on conflict do nothing`,
  // Of spenders with one thousand owners.
  `insert into nft_allowance (owner, spender, token_id, approved_for_all, payer_account_id, timestamp_range)
   select case when i < 6000 then ${hotAccount} else 1100 + i % 5000 end, 1000 + i % 60, 100000 + i % 3000, true, 1001,
     int8range(${firstTimestamp}, null)
   from ${series(12_000)} on conflict do nothing`,
  `insert into crypto_allowance (owner, spender, amount, payer_account_id, timestamp_range)
   select case when i < 6000 then ${hotAccount} else 1100 + i % 5000 end, 1000 + i, i % 5, 1001, int8range(${firstTimestamp}, null)
   from ${series(12_000)}`,
  `insert into token_allowance (owner, spender, token_id, amount, payer_account_id, timestamp_range)
   select case when i < 6000 then ${hotAccount} else 1100 + i % 5000 end, 1000 + i % 60, 100000 + i % 3000, i % 5, 1001,
     int8range(${firstTimestamp}, null)
   from ${series(12_000)} on conflict do nothing`,
  // At most one a day for each account: a few thousand over the life of a ledger.
  `insert into staking_reward_transfer (account_id, consensus_timestamp, amount, payer_account_id)
   select case when i % 10 = 0 then ${hotAccount} else 1100 + i % 5000 end, ${firstTimestamp} + i::int8 * 1000000000, i, 1001
   from ${series(20_000)}`,
];
