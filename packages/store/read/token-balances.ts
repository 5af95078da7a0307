// Token balances as one value of a row: 8 bytes each for the token and its balance, in the order of the answer. An
// account may hold hundreds; as text they took a quarter of the time of its answer.
import { expression, type Selection } from './statement/columns.ts';

export type TokenBalance = { tokenId: bigint; balance: bigint };

/** `rows`: SQL that selects token_id and balance. `readTokenBalances` reads the value. */
export function tokenBalances(rows: string, order: 'asc' | 'desc'): Selection<{ tokens: Buffer | null }> {
  const sql = `(select string_agg(int8send(held.token_id) || int8send(held.balance), ''::bytea order by held.token_id ${order}) from (
    ${rows}
  ) held)`;
  return expression('tokens', 'bytea', sql).nullable();
}

export function readTokenBalances(bytes: Buffer | null): TokenBalance[] {
  if (bytes === null) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const balances: TokenBalance[] = [];
  for (let position = 0; position < bytes.length; position += pairBytes) {
    balances.push({ tokenId: view.getBigInt64(position), balance: view.getBigInt64(position + 8) });
  }
  return balances;
}

const pairBytes = 16;
