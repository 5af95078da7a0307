// Associations of accounts and tokens: the tokens of an account, with columns of the token.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { foundBy } from './joined.ts';
import { knownPageReader } from './known-page.ts';
import type { PageFilter, Wanted } from './select-page.ts';
import { columns, everyColumn } from './statement/columns.ts';

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

type AccountHoldingsFilter = { accountId: bigint; token: Range };

const selectHoldings = knownPageReader(
  everyColumn('token_account'),
  ['freezeStatus', 'kycStatus', 'tokenId'],
  ({ accountId, token }: AccountHoldingsFilter) => ({
    name: 'select-holdings-of-account',
    from: 'token_account',
    owner: 'account_id',
    condition: ' and associated',
    values: [accountId],
    keys: { token_id: token },
  }),
  tokenOfHolding,
);

/**
 * By token; null = the account is unknown. A status missing from the row is the token's; columns of an unknown token
 * are null.
 */
export async function selectHoldingsOfAccount<Name extends string>(
  db: Database,
  filter: AccountHoldingsFilter & PageFilter & Wanted<Name>,
) {
  const rows = await selectHoldings(db, filter);
  for (const row of rows ?? []) {
    row.freezeStatus ??= row.tokenFreezeStatus;
    row.kycStatus ??= row.tokenKycStatus;
  }
  return rows;
}
