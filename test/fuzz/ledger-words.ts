// Ids, hashes and times of a database for requests, so that many requests find something.

import { encodeBase32 } from '../../packages/kit/base32.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';

export type LedgerWords = {
  accountIds: bigint[];
  tokenIds: bigint[];
  contractIds: bigint[];
  scheduleIds: bigint[];
  topicIds: bigint[];
  /** Hex without 0x. */
  evmAddresses: string[];
  aliases: string[];
  /** Hex. */
  publicKeys: string[];
  /** Consensus times, ns. */
  timestamps: bigint[];
  blockNumbers: bigint[];
  blockHashes: string[];
  /** Of contract results and other transactions: hex of 32 or 48 bytes. */
  transactionHashes: string[];
  /** `shard.realm.num-seconds-nanoseconds` */
  transactionIds: string[];
  /** Hex without leading zeros; may be empty. */
  slotsAndTopics: string[];
};

/** The same of the same ledger, wherever its rows lie. */
export async function readLedgerWords(db: Database): Promise<LedgerWords> {
  const list = async <T>(name: string, text: string): Promise<T[]> => {
    const rows = await db.query<{ value: T }>({ name: `fuzz words: ${name}`, text });
    if (rows.length === 0) throw new Error(`The database has no ${name} that requests could name`);
    return rows.map(({ value }) => value);
  };
  const ofType = (type: string) => `select id as value from entity where type = '${type}' order by id limit 300`;
  const aliases = await list<Buffer>(
    'aliases',
    'select alias as value from entity where alias is not null order by 1 limit 100',
  );
  const addresses = `select encode(evm_address, 'hex') as value from entity where evm_address is not null order by 1 limit 100`;
  return {
    accountIds: await list('accounts', ofType('ACCOUNT')),
    tokenIds: await list('tokens', 'select token_id as value from token order by 1 limit 300'),
    contractIds: await list('contracts', ofType('CONTRACT')),
    scheduleIds: await list('schedules', 'select schedule_id as value from schedule order by 1 limit 300'),
    topicIds: await list('topics', ofType('TOPIC')),
    evmAddresses: await list('EVM addresses', addresses),
    aliases: aliases.map(encodeBase32),
    publicKeys: await list(
      'public keys',
      'select public_key as value from entity where public_key is not null order by 1 limit 100',
    ),
    timestamps: [
      ...(await list<bigint>(
        'transactions',
        'select consensus_timestamp as value from transaction order by 1 limit 200',
      )),
      ...(await list<bigint>(
        'results',
        'select consensus_timestamp as value from contract_result order by 1 limit 100',
      )),
      ...(await list<bigint>('entities', 'select lower(timestamp_range) as value from entity order by 1 limit 100')),
    ],
    blockNumbers: await list('blocks', 'select index as value from record_file order by 1 limit 100'),
    blockHashes: await list('block hashes', 'select hash as value from record_file order by 1 limit 100'),
    transactionHashes: [
      ...(await list<string>(
        'hashes of results',
        `select encode(transaction_hash, 'hex') as value from contract_result where transaction_hash is not null order by 1 limit 100`,
      )),
      ...(await list<string>(
        'transaction hashes',
        `select encode(transaction_hash, 'hex') as value from transaction where transaction_hash is not null order by 1 limit 50`,
      )),
    ],
    transactionIds: (
      await list<[bigint, bigint]>(
        'ids of transactions with results',
        `select array[t.payer_account_id, t.valid_start_ns] as value from contract_result r
         join transaction t using (consensus_timestamp) order by consensus_timestamp limit 200`,
      )
    ).map(([payer, start]) => `${formatEntityId(payer)}-${start / 1_000_000_000n}-${start % 1_000_000_000n}`),
    slotsAndTopics: [
      ...(await list<string>(
        'slots',
        `select ltrim(encode(slot, 'hex'), '0') as value from contract_state order by 1 limit 100`,
      )),
      ...(await list<string>(
        'topics of logs',
        `select distinct ltrim(encode(topic, 'hex'), '0') as value
         from (select unnest(array[topic0, topic1, topic2, topic3]) as topic from contract_log order by consensus_timestamp, index limit 400) t
         where topic is not null order by 1 limit 100`,
      )),
    ],
  };
}

export function describeWords(words: LedgerWords): string {
  const { accountIds, tokenIds, contractIds, scheduleIds, blockNumbers } = words;
  return `${blockNumbers.length} blocks, ${accountIds.length} accounts from ${formatEntityId(accountIds[0]!)}, ${contractIds.length} contracts, ${tokenIds.length} tokens, ${scheduleIds.length} schedules`;
}
