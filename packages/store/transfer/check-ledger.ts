// What must be true of a whole ledger, no matter who published its export: an export is not signed.
import type pg from 'pg';
import { quoteName } from '../../schema/sql-names.ts';
import type { BootstrapCheck } from './bootstrap-run.ts';
import { transferTables } from './transfer-tables.ts';

/** Tinybars of a Hiero network. */
const totalSupply = 5_000_000_000_000_000_000n;

export async function checkLedger(client: pg.Client): Promise<BootstrapCheck[]> {
  return [
    await checkSupply(client),
    await checkSums(client, tokenSums),
    await checkSums(client, serialCounts),
    await checkLastBlock(client),
    await checkTimes(client),
  ];
}

async function checkSupply(client: pg.Client): Promise<BootstrapCheck> {
  const name = 'hbar supply';
  // Deleted ones count, too: a contract may get hbar in the transaction that destroys it.
  const { rows } = await client.query<{ sum: string | null; unknown: string }>(
    `select sum(balance)::text as sum,
  count(*) filter (where balance is null and type in ('ACCOUNT', 'CONTRACT') and deleted is not true)::text as unknown
from entity`,
  );
  const { sum, unknown } = rows[0]!;
  if (sum === null) return { name, holds: null, sentence: 'No balance is known.' };
  const knows = await client.query(`select from mirror_extent where knows_beginning = false`);
  if (knows.rowCount !== 0) {
    return {
      name,
      holds: null,
      sentence: `Balances of ${unknown} accounts are unknown: the exporting mirror began later.`,
    };
  }
  const sentence = `All balances together are ${sum} tinybars, ${BigInt(sum) === totalSupply ? 'as they must be' : `not ${totalSupply}`}.`;
  return { name, holds: BigInt(sum) === totalSupply, sentence };
}

/** `statement` selects token, expected and found where they differ, and counts all. */
type SumCheck = { name: string; what: string; statement: string };

const livingTokens = `token t left join entity e on e.id = t.token_id
where coalesce(e.deleted, false) = false`;

const tokenSums: SumCheck = {
  name: 'token supply',
  what: 'the balances of its holders',
  statement: `select t.token_id, t.total_supply as expected, coalesce(s.found, 0) as found
from (select t.* from ${livingTokens} and t.type = 'FUNGIBLE_COMMON') t
left join (select token_id, sum(balance) as found from token_account group by token_id) s using (token_id)`,
};

const serialCounts: SumCheck = {
  name: 'NFT serials',
  what: 'its serials that exist',
  statement: `select t.token_id, t.total_supply as expected, coalesce(s.found, 0) as found
from (select t.* from ${livingTokens} and t.type = 'NON_FUNGIBLE_UNIQUE') t
left join (select token_id, count(*) as found from nft where deleted is not true group by token_id) s using (token_id)`,
};

async function checkSums(client: pg.Client, { name, what, statement }: SumCheck): Promise<BootstrapCheck> {
  const { rows } = await client.query<{ all: string; wrong: string; first: string | null }>(
    `select count(*)::text as all, count(*) filter (where expected <> found)::text as wrong,
  (array_agg(token_id || ' has ' || expected || ' and ' || found order by token_id) filter (where expected <> found))[1] as first
from (${statement}) compared`,
  );
  const { all, wrong, first } = rows[0]!;
  if (all === '0') return { name, holds: null, sentence: 'There is no such token.' };
  const sentence =
    wrong === '0'
      ? `Of ${all} tokens each has the supply that ${what} add up to.`
      : `Of ${all} tokens ${wrong} have another supply than ${what} add up to: token id ${first}.`;
  return { name, holds: wrong === '0', sentence };
}

async function checkLastBlock(client: pg.Client): Promise<BootstrapCheck> {
  const name = 'last block';
  const { rows } = await client.query<{ index: string; name: string; hash: string }>(
    'select index::text, name, hash from record_file order by consensus_end desc limit 1',
  );
  if (!rows[0]) return { name, holds: false, sentence: 'The export has no block: no import can go on from it.' };
  const { index, name: file, hash } = rows[0];
  const holds = /^(?:[0-9a-f]{64}|[0-9a-f]{96})$/.test(hash);
  return { name, holds, sentence: `It is ${index} (${file}) with the hash ${hash}.` };
}

async function checkTimes(client: pg.Client): Promise<BootstrapCheck> {
  const name = 'nothing later';
  const late: string[] = [];
  for (const { name: table, past } of transferTables.values()) {
    if (past === null || past.includes('(') || table === 'record_file') continue;
    const column = quoteName(past);
    const { rowCount } = await client.query(
      `select from ${quoteName(table)} where ${column} > (select max(consensus_end) from record_file)
order by ${column} desc limit 1`,
    );
    if (rowCount !== 0) late.push(table);
  }
  const sentence =
    late.length === 0
      ? 'No row is later than the last block.'
      : `Rows are later than the last block: ${late.join(', ')}.`;
  return { name, holds: late.length === 0, sentence };
}
