// GET accounts: a page of current accounts and contracts.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { readLegacyFilters } from '../../api/reading/query/query-parameters.ts';
import { accountRange } from '../../api/reading/value/entity-id.ts';
import { flag } from '../../api/reading/value/flag.ts';
import { textConditions } from '../../api/reading/value/text-conditions.ts';
import { amountText, publicKeyText } from '../../api/reading/value/text-kinds.ts';
import { createAccountsKind } from './account-members.ts';

export const listAccounts = endpoint({
  path: '/api/v1/accounts',
  id: 'listAccounts',
  tag: 'Accounts',
  summary: 'Accounts with their balances',
  query: {
    'account.balance': range(amountText, `Tinybar; without effect where \`balance\` is false. ${allHold}`),
    'account.id': accountRange('Id of the account. All bounds must hold; several exact ids are alternatives.', {
      alternatives: true,
    }),
    'account.publickey': textConditions(publicKeyText, `Public key of the account, in hex or DER. ${allHold}`),
    balance: flag('false omits the balances.', { default: true, alone: true }),
    ...page({ order: 'asc', by: 'account id, of token balances too', alone: true }),
  },
  peer: { rule: readLegacyFilters },
  ask: ({ query }, { ledger, settings }) =>
    ledger.accounts.list({
      ...query,
      id: query['account.id'],
      balance: query['account.balance'],
      publicKey: query['account.publickey'],
      withBalance: query.balance,
      tokenBalanceLimit: settings.listedTokenBalanceLimit,
    }),
  next: ['account.id'],
  answer: createAccountsKind,
  fresh: 10,
  example: { text: 'accounts with their balances' },
});
