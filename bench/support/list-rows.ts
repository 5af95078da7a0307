// Rows of the large ledger for the lists of accounts, tokens, topics and the network: NFTs, allowances, airdrops,
// rewards, balances, hooks, messages, nodes, system files. Like the rest made by SQL, with few ids that have most of
// everything.

import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { encodeFeeSchedule } from '../../packages/simulated-network/formats/encode-fee-schedule.ts';
import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import { simpleFees } from '../../packages/simulated-network/ledger/simple-fees.ts';

export type ListRows = {
  accounts: number;
  tokens: number;
  transactions: number;
  firstAccount: number;
  hotAccount: number;
  firstContract: number;
  firstToken: number;
  firstTopic: number;
  topics: number;
  messageBytes: number;
  firstTimestamp: bigint;
  /** SQL: some bytes that follow from a text; the time of a transaction; an id of a power law. */
  bytes(key: string, length: number): string;
  at(index: string): string;
  skewed(first: number, count: number): string;
  series(count: number): string;
};

/** NFTs of the hot collection, the first token; further ones are spread. */
export const hotSerials = 2_000;
export const hookOwners = 100;
const snapshotNs = 900_000_000_000;

export function listStatements(rows: ListRows): string[] {
  const { accounts, tokens, transactions, firstAccount, hotAccount, firstContract, firstToken, firstTopic, topics } =
    rows;
  const { firstTimestamp, messageBytes, bytes, at, skewed, series } = rows;
  const since = `int8range(${firstTimestamp}, null)`;
  const owner = `case when i % 20 = 0 then ${hotAccount} else ${skewed(firstAccount, accounts)} end`;
  const spender = `${firstAccount} + (i * 7) % ${accounts}`;
  const token = `${firstToken} + (i * 3) % ${tokens}`;
  const snapshot = (part: string) => `${firstTimestamp} + (${part})::int8 * ${snapshotNs}`;
  const key = (text: string) => `'\\x1220'::bytea || ${bytes(text, 32)}`;
  return [
    `insert into nft (token_id, serial_number, account_id, created_timestamp, metadata, spender, timestamp_range)
     select case when i < ${hotSerials} then ${firstToken} else ${firstToken} + i % ${tokens} end, 1 + i, ${owner},
       ${firstTimestamp}, ${bytes(`'nft' || i`, 40)}, case when i % 5 = 0 then ${spender} end, int8range(${at('i')}, null)
     from ${series(hotSerials + accounts)}`,
    `insert into nft_history (token_id, serial_number, account_id, created_timestamp, timestamp_range)
     select ${firstToken}, 1 + i, ${hotAccount}, ${firstTimestamp}, int8range(${at('i')} - 1000000 * (k + 1), ${at('i')} - 1000000 * k)
     from ${series(hotSerials)}, generate_series(0, 4) k`,
    `insert into crypto_allowance (owner, spender, amount, amount_granted, payer_account_id, timestamp_range)
     select ${owner}, ${spender}, i, i, ${hotAccount}, ${since} from ${series(accounts)} on conflict do nothing`,
    `insert into token_allowance (owner, spender, token_id, amount, amount_granted, payer_account_id, timestamp_range)
     select ${owner}, ${spender}, ${token}, i, i, ${hotAccount}, ${since} from ${series(accounts)} on conflict do nothing`,
    `insert into nft_allowance (owner, spender, token_id, approved_for_all, payer_account_id, timestamp_range)
     select ${spender}, ${owner}, ${token}, true, ${hotAccount}, ${since} from ${series(accounts)} on conflict do nothing`,
    `insert into token_airdrop (sender_account_id, receiver_account_id, token_id, serial_number, amount, state, timestamp_range)
     select ${owner}, ${spender}, ${token}, 0, i, 'PENDING', ${since} from ${series(accounts)} on conflict do nothing`,
    `insert into staking_reward_transfer (account_id, consensus_timestamp, amount, payer_account_id)
     select ${owner}, ${at('i')}, i, ${hotAccount} from ${series(Math.min(accounts, transactions))}`,
    // The system accounts, which hold the unreleased hbar.
    `insert into entity (id, num, realm, shard, type, memo, timestamp_range, created_timestamp, deleted, balance, balance_timestamp)
     select i, i, 0, 0, 'ACCOUNT', '', ${since}, ${firstTimestamp}, false, i, ${firstTimestamp} from generate_series(3, 750) i`,
    `insert into account_balance (account_id, consensus_timestamp, balance)
     select i, ${snapshot('k')}, i from generate_series(3, 750) i, generate_series(1, 3) k`,
    `insert into account_balance (account_id, consensus_timestamp, balance)
     select case when i = 0 then 2 else ${firstAccount} + i - 1 end, ${snapshot('k')}, i
     from ${series(accounts)}, generate_series(1, 3) k`,
    `insert into token_balance (account_id, token_id, consensus_timestamp, balance)
     select account_id, token_id, ${snapshot('k')}, balance from token_account, generate_series(1, 3) k`,
    `insert into entity (id, num, realm, shard, type, memo, timestamp_range, created_timestamp, key, deleted)
     select ${firstTopic} + i, ${firstTopic} + i, 0, 0, 'TOPIC', 'topic ' || i, ${since}, ${firstTimestamp}, ${key(`'o' || i`)}, false
     from ${series(topics)}`,
    `insert into topic (id, admin_key, submit_key, created_timestamp, timestamp_range)
     select ${firstTopic} + i, ${key(`'o' || i`)}, ${key(`'u' || i`)}, ${firstTimestamp}, ${since} from ${series(topics)}`,
    `insert into custom_fee (entity_id, timestamp_range) select ${firstTopic} + i, ${since} from ${series(topics)}`,
    `insert into topic_message (consensus_timestamp, topic_id, sequence_number, message, running_hash, running_hash_version,
       payer_account_id, valid_start_timestamp)
     select at, topic, row_number() over (partition by topic order by at), ${bytes(`'m' || i`, messageBytes)}, ${bytes(`'h' || i`, 48)}, 3,
       payer, at - 1000
     from made where topic is not null`,
    `insert into hook (owner_id, hook_id, contract_id, created_timestamp, admin_key, timestamp_range)
     select ${firstAccount} + i % ${hookOwners}, i, ${firstContract}, ${firstTimestamp}, ${key(`'w' || i`)}, ${since} from ${series(hookOwners * 30)}`,
    `insert into hook_storage (owner_id, hook_id, key, created_timestamp, modified_timestamp, value, deleted)
     select ${firstAccount} + i % ${hookOwners}, i % ${hookOwners}, decode(lpad(to_hex(i), 64, '0'), 'hex'), ${firstTimestamp},
       ${at('i')}, ${bytes(`'v' || i`, 32)}, false from ${series(hookOwners * 100)}`,
    `insert into hook_storage_change (owner_id, hook_id, key, consensus_timestamp, value_read, value_written)
     select owner_id, hook_id, key, modified_timestamp + k, value, value from hook_storage, generate_series(0, 2) k`,
    `insert into registered_node (registered_node_id, admin_key, timestamp_range, type, service_endpoints)
     select i, ${key(`'n' || i`)}, ${since}, array[1 + i % 4]::int2[],
       '[{"domain_name": "node.example.com", "port": 443, "requires_tls": true, "type": "MIRROR_NODE"}]' from ${series(500)}`,
    `insert into address_book (start_consensus_timestamp, file_id, file_data)
     select ${firstTimestamp} + i, 101 + i % 2, ''::bytea from ${series(10)}`,
    `insert into address_book_entry (consensus_timestamp, node_id, node_account_id, public_key, description)
     select ${firstTimestamp} + i, n, n + 3, repeat('ab', 400), 'node ' || n from ${series(10)}, generate_series(0, 29) n`,
    `insert into address_book_service_endpoint (consensus_timestamp, node_id, ip_address_v4, port)
     select ${firstTimestamp} + i, n, '10.0.' || e || '.' || n, 50211 + e from ${series(10)}, generate_series(0, 29) n, generate_series(0, 3) e`,
    `insert into node (node_id, admin_key, timestamp_range) select i, ${key(`'d' || i`)}, ${since} from ${series(30)}`,
    `insert into node_stake (consensus_timestamp, epoch_day, max_stake, min_stake, node_id, reward_rate, stake, stake_not_rewarded,
       stake_rewarded, staking_period)
     select ${firstTimestamp} + i, i, 1, 1, n, 1, 1, 1, 1, ${firstTimestamp} from ${series(100)}, generate_series(0, 29) n`,
    `insert into network_stake (consensus_timestamp, epoch_day, max_staking_reward_rate_per_hbar, node_reward_fee_denominator,
       node_reward_fee_numerator, stake_total, staking_period, staking_period_duration, staking_periods_stored,
       staking_reward_fee_denominator, staking_reward_fee_numerator, staking_reward_rate, staking_start_threshold)
     select ${firstTimestamp} + i, i, 1, 100, 10, 1, ${firstTimestamp}, 1440, 365, 100, 10, 1, 1 from ${series(100)}`,
    ...Object.entries(systemFiles()).map(
      ([id, content]) => `insert into file_data (entity_id, consensus_timestamp, transaction_type, file_data)
       values (${id}, ${firstTimestamp + BigInt(id)}, 17, '\\x${Buffer.from(content).toString('hex')}')`,
    ),
  ];
}

function systemFiles(): Record<number, Uint8Array> {
  const never = { seconds: toLong(4_000_000_000n) };
  const rate = { hbarEquiv: 1, centEquiv: 12, expirationTime: never };
  const { ContractCall, ContractCreate, EthereumTransaction } = proto.HederaFunctionality;
  const transactionFeeSchedule = [ContractCall, ContractCreate, EthereumTransaction].map((hederaFunctionality) => ({
    hederaFunctionality,
    fees: [{ servicedata: { gas: toLong(852_000n) } }],
  }));
  const currentFeeSchedule = { expiryTime: never, transactionFeeSchedule };
  return {
    111: proto.CurrentAndNextFeeSchedule.encode({ currentFeeSchedule }).finish(),
    112: proto.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate }).finish(),
    113: encodeFeeSchedule(simpleFees),
  };
}
