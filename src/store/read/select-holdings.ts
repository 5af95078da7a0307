// Associations of accounts and tokens: the tokens of an account, with columns of the token.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { foundBy } from './joined.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns } from './statement/columns.ts';

type AccountHoldingsFilter = PageFilter & { accountId: bigint; token: Range };

/** By token. A status that the account does not have is the token's; columns of an unknown token are null. */
export async function selectHoldingsOfAccount(db: Database, { accountId, token, ...page }: AccountHoldingsFilter) {
  const query = {
    name: 'select-holdings-of-account',
    select: holding,
    from: 'token_account where account_id = $1 and associated',
    values: [accountId],
    keys: { token_id: token },
  };
  const rows = await selectPage(db, page, query, tokenOfHolding);
  for (const row of rows) {
    row.freezeStatus ??= row.tokenFreezeStatus;
    row.kycStatus ??= row.tokenKycStatus;
  }
  return rows;
}

const holding = columns('token_account', [
  'automatic_association',
  'balance',
  'created_timestamp',
  'freeze_status',
  'kyc_status',
  'token_id',
]);
const tokenOfHolding = foundBy({
  name: 'find-tokens',
  table: 'token',
  alias: 't',
  select: columns('token', {
    decimals: 'decimals',
    token_freeze_status: 'freeze_status',
    token_kyc_status: 'kyc_status',
  }),
  keys: { token_id: 'token_id' },
});
