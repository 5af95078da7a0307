// Ids, hashes and times of the ledger of the plans.

import { encodeBase32 } from '../../packages/kit/base32.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import { nftToken } from '../../packages/test-support/rows/fill-accounts.ts';
import {
  firstTimestamp,
  hotAccount,
  hotContract,
  hotTopic,
  quietAccount,
} from '../../packages/test-support/rows/fill-ledger.ts';
import type { LedgerWords } from '../fuzz/ledger-words.ts';

export async function readPlanWords(db: Database, lastTimestamp: bigint): Promise<LedgerWords> {
  const list = async <T>(text: string): Promise<T[]> =>
    (await db.query<{ value: T }>({ name: '', text })).map(({ value }) => value);
  const hex = (column: string, from: string) =>
    `select encode(${column}, 'hex') as value from ${from} order by 1 limit 4`;
  const times = [1n, 2n, 3n].map((part) => firstTimestamp + ((lastTimestamp - firstTimestamp) * part) / 4n);
  return {
    accountIds: [hotAccount, hotAccount, quietAccount, 98n, 800n, 1105n, 1200n],
    tokenIds: [nftToken, nftToken, 100_001n, 100_700n],
    contractIds: [hotContract, hotContract, 1510n, 5000n],
    scheduleIds: [103_010n, 104_000n],
    topicIds: [hotTopic, hotTopic, hotTopic + 7n],
    evmAddresses: await list<string>(hex('evm_address', 'entity where evm_address is not null')),
    aliases: (await list<Buffer>('select alias as value from entity where alias is not null order by 1 limit 4')).map(
      encodeBase32,
    ),
    publicKeys: [
      'ab'.repeat(32),
      ...(await list<string>('select public_key as value from entity where public_key is not null order by 1 limit 2')),
    ],
    timestamps: times,
    blockNumbers: [1n, 5000n, 9000n],
    blockHashes: await list<string>('select hash as value from record_file where index in (5, 5000) order by 1'),
    transactionHashes: await list<string>(
      hex(
        'transaction_hash',
        'contract_result where consensus_timestamp > (select max(consensus_end) - 1000000000000 from record_file)',
      ),
    ),
    transactionIds: times.flatMap((at) =>
      [hotAccount, quietAccount].map(
        (id) => `${formatEntityId(id)}-${(at - 1n) / 1_000_000_000n}-${(at - 1n) % 1_000_000_000n}`,
      ),
    ),
    slotsAndTopics: ['5', '', 'ab'.repeat(32)],
  };
}
