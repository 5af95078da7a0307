// An account's stored holding of a token, for the few import rules that depend on it.
import type { Database } from '../wire/database.ts';
import { selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

/**
 * `nonFungible`: whether the token is an NFT class, false also for an unknown token. `serialNumbers`: NFTs of the token that
 * the account owns.
 */
export type StoredHolding = RowOf<typeof storedHolding>;

const storedHolding = selectAll(
  expression(
    'associated',
    'bool',
    'coalesce((select associated from token_account where account_id = $1 and token_id = $2), false)',
  ),
  expression(
    'nonFungible',
    'bool',
    "exists (select 1 from token where token_id = $2 and type = 'NON_FUNGIBLE_UNIQUE')",
  ),
  expression(
    'serialNumbers',
    'int8[]',
    `array(select serial_number from nft where account_id = $1 and token_id = $2 and deleted is not true
    order by serial_number)`,
  ),
);

export async function selectHolding(db: Database, accountId: bigint, tokenId: bigint): Promise<StoredHolding> {
  return (await selectOne(db, {
    name: 'select-holding',
    select: storedHolding,
    values: [accountId, tokenId],
  }))!;
}
