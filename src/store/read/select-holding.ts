// What is stored of an account's holding of a token, for the few import rules that depend on it.
import type { Database } from '../wire/database.ts';

export type StoredHolding = {
  associated: boolean;
  /** Whether the token is an NFT class; false also for an unknown token. */
  nonFungible: boolean;
  /** Living NFTs of the token that the account owns. */
  serialNumbers: bigint[];
};

export async function selectHolding(db: Database, accountId: bigint, tokenId: bigint): Promise<StoredHolding> {
  const [row] = await db.query<StoredHolding>({
    name: 'select-holding',
    text: `select
  coalesce((select associated from token_account where account_id = $1 and token_id = $2), false) as associated,
  exists (select from token where token_id = $2 and type = 'NON_FUNGIBLE_UNIQUE') as "nonFungible",
  array(select serial_number from nft where account_id = $1 and token_id = $2 and deleted is not true
    order by serial_number) as "serialNumbers"`,
    values: [accountId, tokenId],
  });
  return row!;
}
