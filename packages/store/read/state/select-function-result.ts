// The stored function result of a transaction, which says the nonces of contracts after it.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { columns } from '../statement/columns.ts';

export async function selectFunctionResult(db: Database, timestamp: bigint): Promise<Buffer | null> {
  const found = await selectOne(db, {
    name: 'select-function-result',
    select: columns('contract_result', ['function_result']),
    from: 'from contract_result where consensus_timestamp = $1 limit 1',
    values: [timestamp],
  });
  return found?.functionResult ?? null;
}
