// GET accounts: a page of accounts and contracts as they are now.
import { endpoint } from '../endpoint.ts';
import { range } from '../parameters/conditions.ts';
import { idRange } from '../parameters/entity-id.ts';
import { flag } from '../parameters/flag.ts';
import { page } from '../parameters/page.ts';
import { readLegacyFilters } from '../parameters/query-parameters.ts';
import { textConditions } from '../parameters/text-conditions.ts';
import { amountText, publicKeyText } from '../parameters/text-kinds.ts';
import { createAccountsKind } from './account-members.ts';

const allHold = 'Of several, all must hold.';

export const listAccounts = endpoint({
  path: '/api/v1/accounts',
  id: 'listAccounts',
  tag: 'Accounts',
  summary: 'Accounts with their balances',
  query: {
    'account.balance': range(amountText, `Tinybar; without effect where \`balance\` is false. ${allHold}`),
    'account.id': idRange('Id of the account. All bounds must hold; several exact ids are alternatives.', {
      form: 'entity',
      kind: 'account',
      alternatives: true,
    }),
    'account.publickey': textConditions(publicKeyText, `Public key of the account, in hex or DER. ${allHold}`),
    balance: flag('false leaves the balances out.', { default: true, alone: true }),
    ...page({ order: 'asc', by: 'account id, of token balances too', alone: true }),
  },
  rule: readLegacyFilters,
  ask: ({ query }, { ledger, settings }) =>
    ledger.accounts.list({
      id: query['account.id'],
      balance: query['account.balance'],
      publicKey: query['account.publickey'],
      withBalance: query.balance,
      tokenBalanceLimit: settings.listedTokenBalanceLimit,
      order: query.order,
      limit: query.limit,
    }),
  next: ['account.id'],
  answer: createAccountsKind,
  fresh: 10,
  example: { text: 'accounts with their balances' },
});
