// Contracts in the ledger of a benchmark whose explorer records lie in a folder: every one with its own sources, so
// that each check compiles.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };

/** Beyond all ids of the ledger. */
const firstId = 900_000;

/** Addresses, in order of creation. Results of earlier runs are deleted. */
export async function addCheckableContracts(
  connectionString: string,
  recordFolder: string,
  count: number,
): Promise<string[]> {
  const initcode = Buffer.from(artifacts.contracts.Coin.initcode, 'hex');
  const runtimeCode = initcode.subarray(initcode.indexOf('f3fe', 0, 'hex') + 2);
  const source = readFileSync(new URL('../../packages/simulated-network/contracts/Coin.sol', import.meta.url), 'utf8');
  const ids = Array.from({ length: count }, (_, i) => firstId + i);
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query('truncate verified_contract, verification_check, verification_job');
    for (const table of ['entity', 'contract']) await client.query(`delete from ${table} where id >= $1`, [firstId]);
    await client.query(
      `insert into entity (id, num, realm, shard, type, created_timestamp, timestamp_range, deleted, memo)
       select id, id, 0, 0, 'CONTRACT', id, int8range(id, null), false, '' from unnest($1::int8[]) id`,
      [ids],
    );
    await client.query(
      'insert into contract (id, initcode, runtime_bytecode) select id, $2, $3 from unnest($1::int8[]) id',
      [ids, Buffer.concat([initcode, Buffer.alloc(32)]), runtimeCode],
    );
  } finally {
    await client.end();
  }
  mkdirSync(recordFolder, { recursive: true });
  return ids.map((id) => {
    const address = `0x${id.toString(16).padStart(40, '0')}`;
    const record = {
      SourceCode: `${source}// ${id}\n`,
      ContractName: 'Coin',
      CompilerVersion: `v${artifacts.compiler.split('.Emscripten')[0]}`,
      OptimizationUsed: '1',
      Runs: String(artifacts.settings.optimizer.runs),
      EVMVersion: artifacts.settings.evmVersion,
    };
    writeFileSync(
      join(recordFolder, `${address}.json`),
      JSON.stringify({ status: '1', message: 'OK', result: [record] }),
    );
    return address;
  });
}
