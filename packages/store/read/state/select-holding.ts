// An account's stored holding of a token before a moment, for the few import rules that depend on it.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { expression, type RowOf, selectAll } from '../statement/columns.ts';
import { latestVersion } from '../statement/statement-parts.ts';
import { selectNewestBlockEnd } from './select-state-block.ts';

/**
 * `nonFungible`: whether the token is an NFT class, false also for an unknown token. `serialNumbers`: NFTs of the token
 * that the account owned.
 */
export type StoredHolding = RowOf<typeof newestHolding>;

/** `before`: ns. */
export type HoldingQuestion = { accountId: bigint; tokenId: bigint; before: bigint };

export async function selectHolding(
  db: Database,
  { accountId, tokenId, before }: HoldingQuestion,
): Promise<StoredHolding> {
  const newest = await selectNewestBlockEnd(db);
  // At the head of the stream, which is the usual case, nothing is later: histories, which are long, are not read.
  const question =
    newest === null || newest < before
      ? { name: 'select-holding', select: newestHolding, values: [accountId, tokenId] }
      : { name: 'select-holding-before', select: pastHolding, values: [accountId, tokenId, before] };
  return (await selectOne(db, question))!;
}

const ofAccount = 'account_id = $1 and token_id = $2';
const owned = `${ofAccount} and deleted is not true`;

const newestHolding = selectAll(
  expression('associated', 'bool', `coalesce((select associated from token_account where ${ofAccount}), false)`),
  nonFungible(''),
  expression('serialNumbers', 'int8[]', `array(select serial_number from nft where ${owned} order by serial_number)`),
);

const pastHolding = selectAll(
  expression(
    'associated',
    'bool',
    `coalesce((select v.associated from ${latestVersion('token_account', ['associated', 'timestamp_range'], `${ofAccount} and lower(timestamp_range) < $3`)} v), false)`,
  ),
  nonFungible(' and (created_timestamp is null or created_timestamp < $3)'),
  expression(
    'serialNumbers',
    'int8[]',
    `array(select serial_number from (
    select serial_number from nft where ${owned} and lower(timestamp_range) < $3
    union all
    select serial_number from nft_history
    where ${owned} and lower(timestamp_range) < $3 and upper(timestamp_range) >= $3
  ) n order by serial_number)`,
  ),
);

function nonFungible(condition: string) {
  return expression(
    'nonFungible',
    'bool',
    `exists (select 1 from token where token_id = $2 and type = 'NON_FUNGIBLE_UNIQUE'${condition})`,
  );
}
