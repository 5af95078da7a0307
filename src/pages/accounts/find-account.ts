// The account that the path of a page names, as the API finds it.
import { getAccount } from '../../resources/accounts/get-account.ts';
import type { PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';

/** Members of lists may be of no account; of one account its id is known. */
export type FoundAccount = Omit<NonNullable<(typeof getAccount)['finds']>, 'id'> & { id: bigint };

/** Of paths with `:accountId`. */
export function accountParams({ params }: PageRequest): { idOrAliasOrEvmAddress: string } {
  return { idOrAliasOrEvmAddress: params.accountId! };
}

/** Throws RequestError if there is none. */
export async function findAccount(context: PageContext, request: PageRequest): Promise<FoundAccount> {
  const { found } = await context.ask(getAccount, { params: accountParams(request), queryText: 'transactions=false' });
  return found as FoundAccount;
}
