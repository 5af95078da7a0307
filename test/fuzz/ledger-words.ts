// What a database holds that requests can name: so that many requests find something.

import { encodeBase32 } from '../../src/kit/base32.ts';
import { formatEntityId } from '../../src/protocol/hapi/entity-id.ts';
import type { Database } from '../../src/store/wire/database.ts';

export type LedgerWords = {
  accountIds: bigint[];
  tokenIds: bigint[];
  contractIds: bigint[];
  scheduleIds: bigint[];
  topicIds: bigint[];
  /** Hex without 0x. */
  evmAddresses: string[];
  aliases: string[];
  /** Consensus times, ns. */
  timestamps: bigint[];
  blockNumbers: bigint[];
  blockHashes: string[];
};

export async function readLedgerWords(db: Database): Promise<LedgerWords> {
  const list = async <T>(name: string, text: string): Promise<T[]> => {
    const rows = await db.query<{ value: T }>({ name: `fuzz words: ${name}`, text });
    if (rows.length === 0) throw new Error(`The database has no ${name} that requests could name`);
    return rows.map(({ value }) => value);
  };
  const ofType = (type: string) => `select id as value from entity where type = '${type}' order by id limit 300`;
  const aliases = await list<Buffer>('aliases', 'select alias as value from entity where alias is not null limit 100');
  const addresses = `select encode(evm_address, 'hex') as value from entity where evm_address is not null limit 100`;
  return {
    accountIds: await list('accounts', ofType('ACCOUNT')),
    tokenIds: await list('tokens', 'select token_id as value from token order by 1 limit 300'),
    contractIds: await list('contracts', ofType('CONTRACT')),
    scheduleIds: await list('schedules', 'select schedule_id as value from schedule order by 1 limit 300'),
    topicIds: await list('topics', ofType('TOPIC')),
    evmAddresses: await list('EVM addresses', addresses),
    aliases: aliases.map(encodeBase32),
    timestamps: [
      ...(await list<bigint>('transactions', 'select consensus_timestamp as value from transaction limit 200')),
      ...(await list<bigint>('results', 'select consensus_timestamp as value from contract_result limit 100')),
      ...(await list<bigint>('entities', 'select lower(timestamp_range) as value from entity limit 100')),
    ],
    blockNumbers: await list('blocks', 'select index as value from record_file order by 1 limit 100'),
    blockHashes: await list('block hashes', 'select hash as value from record_file order by 1 limit 100'),
  };
}

export function describeWords(words: LedgerWords): string {
  const { accountIds, tokenIds, contractIds, scheduleIds, blockNumbers } = words;
  return `${blockNumbers.length} blocks, ${accountIds.length} accounts from ${formatEntityId(accountIds[0]!)}, ${contractIds.length} contracts, ${tokenIds.length} tokens, ${scheduleIds.length} schedules`;
}
