// Contracts to be called, added to the large ledger: an ERC-20 whose holders have a history, a transaction of a million
// gas, and code that wants too much. Rows of earlier runs are replaced.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import { notifyReaders } from '../../packages/schema/block-channel.ts';
import { assemble } from '../../packages/test-support/evm/assemble.ts';
import { arithmetic, balanceOf, hostile } from './contract-texts.ts';
import { firstId, firstTimestamp, type LedgerSize } from './large-ledger.ts';

export type CalledContracts = {
  coin: bigint;
  /** Addresses of those who have coins. */
  holders: bigint[];
  /** Tokens, and who has some. */
  relations: { token: bigint; holder: bigint }[];
  hostile: { name: string; id: bigint }[];
  /** Path of a transaction that used a million gas. */
  heavyPath: string;
  newestBlock: number;
  /** Adds an empty block: nothing that servers know of the present holds any more. */
  addBlock(): Promise<void>;
  close(): Promise<void>;
};

/** Beyond all ids of the ledger. */
const firstContract = 980_000n;
const coins = 2_000;
/** Of each holder's slot. */
const changes = 6;
const heavySeconds = firstTimestamp / 1_000_000_000n + 101n;
const heavyHash = createHash('sha256').update('heavy').digest('hex');
const heavyAt = heavySeconds * 1_000_000_000n + 77n;

export async function addCalledContracts(connectionString: string, size: LedgerSize): Promise<CalledContracts> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const texts = [balanceOf, arithmetic, ...Object.values(hostile)];
  const ids = texts.map((_, place) => firstContract + BigInt(place));
  const heavy = ids[1]!;
  await client.query('begin');
  await removeOld(client, size);
  await client.query(
    `insert into entity (id, num, realm, shard, type, created_timestamp, timestamp_range, deleted, memo, balance)
     select id, id, 0, 0, 'CONTRACT', $2::int8, int8range($2, null), false, '', 0 from unnest($1::int8[]) id`,
    [ids, firstTimestamp],
  );
  await client.query(
    'insert into contract (id, initcode, runtime_bytecode) select * from unnest($1::int8[], $2::bytea[], $2::bytea[])',
    [ids, texts.map((text) => Buffer.from(assemble(text)))],
  );
  const holders = Array.from({ length: coins }, (_, place) => BigInt(firstId.account + place));
  await addSlots(client, ids[0]!, holders, size);
  await addHeavy(client, heavy);
  await client.query('commit');
  await client.query('analyze');
  const { rows } = await client.query<{ token: string; holder: string }>(
    'select token_id as token, account_id as holder from token_account order by md5(token_id || $$ $$ || account_id) limit 40000',
  );
  let newest = BigInt(size.blocks) - 1n;
  return {
    coin: ids[0]!,
    holders,
    relations: rows.map(({ token, holder }) => ({ token: BigInt(token), holder: BigInt(holder) })),
    hostile: Object.keys(hostile).map((name, place) => ({ name, id: ids[place + 2]! })),
    heavyPath: `/api/v1/contracts/results/0x${heavyHash}/opcodes`,
    newestBlock: size.blocks - 1,
    async addBlock() {
      const { rows: added } = await client.query<{ end: string }>(
        `insert into record_file (consensus_start, consensus_end, count, digest_algorithm, file_hash, hash, index, load_start,
           load_end, name, prev_hash, version)
         select consensus_end + 1, consensus_end + 2000000000, 0, 0, hash, md5(hash) || md5(hash) || md5(hash), index + 1, 0, 0,
           'block ' || index + 1, hash, 6
         from record_file where index = $1 returning consensus_end as end`,
        [newest],
      );
      newest += 1n;
      await notifyReaders(client, BigInt(added[0]!.end));
    },
    close: () => client.end(),
  };
}

async function removeOld(client: pg.Client, { blocks }: LedgerSize): Promise<void> {
  await client.query('delete from record_file where index >= $1', [blocks]);
  for (const table of ['entity', 'contract'])
    await client.query(`delete from ${table} where id >= $1`, [firstContract]);
  for (const table of ['contract_state', 'contract_state_change']) {
    await client.query(`delete from ${table} where contract_id >= $1`, [firstContract]);
  }
  for (const table of ['transaction', 'contract_result', 'contract_transaction_hash']) {
    await client.query(`delete from ${table} where consensus_timestamp = $1`, [heavyAt]);
  }
}

/** Every slot was changed several times over the whole time. */
async function addSlots(
  client: pg.Client,
  contract: bigint,
  holders: readonly bigint[],
  { blocks }: LedgerSize,
): Promise<void> {
  const slots = holders.map((holder) => {
    const key = Buffer.alloc(64);
    key.writeBigUInt64BE(holder, 24);
    return Buffer.from(keccak256(key));
  });
  const stored = slots.map((slot) => slot.subarray(slot.findIndex((byte) => byte !== 0)));
  await client.query(
    `insert into contract_state (contract_id, slot, value, created_timestamp, modified_timestamp)
     select $1, slot, '\\x0f4240', $3::int8, $3 from unnest($2::bytea[]) slot`,
    [contract, slots, firstTimestamp],
  );
  await client.query(
    `insert into contract_state_change (consensus_timestamp, contract_id, payer_account_id, slot, value_read, value_written)
     select $3::int8 + k * $4::int8 + place, $1, 2, slot, '\\x0f4240', '\\x0f4240'
     from unnest($2::bytea[]) with ordinality s (slot, place), generate_series(0, $5::int8 - 1) k`,
    [contract, stored, firstTimestamp + 13n, (BigInt(blocks) * 2_000_000_000n) / BigInt(changes), changes],
  );
}

async function addHeavy(client: pg.Client, contract: bigint): Promise<void> {
  await client.query(
    `insert into transaction (consensus_timestamp, payer_account_id, type, result, valid_start_ns, valid_duration_seconds,
       entity_id, node_account_id, charged_tx_fee, max_fee, transaction_hash, index, nonce)
     values ($1, $2, 7, 22, $3, 120, $4, 3, 84000, 100000000, sha256($$heavy$$), 19, 0)`,
    [heavyAt, firstId.account, heavySeconds * 1_000_000_000n, contract],
  );
  await client.query(
    `insert into contract_result (consensus_timestamp, contract_id, sender_id, payer_account_id, function_parameters, gas_limit,
       gas_used, gas_consumed, transaction_nonce, transaction_result, transaction_index, transaction_hash, created_contract_ids,
       amount, call_result)
     values ($1, $3, $2, $2, '', 2000000, 1600000, 1021021, 0, 22, 19, sha256($$heavy$$), '{}', 0, '')`,
    [heavyAt, firstId.account, contract],
  );
  await client.query(
    `insert into contract_transaction_hash (consensus_timestamp, entity_id, hash, payer_account_id, transaction_result)
     values ($1, $3, sha256('heavy'), $2, 22)`,
    [heavyAt, firstId.account, contract],
  );
}
