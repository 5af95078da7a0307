// GET balances: a page of the balances of accounts and contracts, now or as of a snapshot.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { readLegacyFilters } from '../../api/reading/query/query-parameters.ts';
import { textConditions } from '../../api/reading/value/text-conditions.ts';
import { amountText, publicKeyText } from '../../api/reading/value/text-kinds.ts';
import { listOf } from '../../api/values/kind.ts';
import { entityId, int64 } from '../../api/values/kinds.ts';
import { members, nullable } from '../../api/values/members.ts';
import { accountNames, findAccounts } from './account-names.ts';
import { balancesPage, snapshotTime } from './balances-page.ts';

const balance = members(
  {
    account: entityId,
    balance: nullable(int64),
    tokens: listOf(members({ token_id: entityId, balance: int64 })),
  },
  { name: 'Balance', description: 'Tinybar, and smallest units of the tokens.' },
);

export const listBalances = endpoint({
  path: '/api/v1/balances',
  id: 'listBalances',
  tag: 'Balances',
  summary: 'Balances of accounts, now or at a time',
  query: {
    'account.balance': range(amountText, `Tinybar. ${allHold}`),
    'account.id': accountNames(
      'Id of the account, or one EVM address or alias. All bounds must hold; several exact ones are alternatives.',
    ),
    'account.publickey': textConditions(publicKeyText, `Public key of the account, in hex or DER. ${allHold}`),
    ...page({ order: 'desc', by: 'account id, of token balances too', alone: true }),
    timestamp: snapshotTime,
  },
  peer: { rule: readLegacyFilters },
  several: ({ query }) => query['account.id'].named !== null,
  async ask({ query }, { ledger, settings }) {
    const { named, equals } = query['account.id'];
    const found = await ledger.balances.list({
      ...query,
      id: await findAccounts(query['account.id'], ledger),
      balance: query['account.balance'],
      publicKey: query['account.publickey'],
      tokenBalanceLimit: settings.listedTokenBalanceLimit,
    });
    // The named account is the only item.
    return named && equals.length === 0 ? { ...found, next: null } : found;
  },
  next: ['account.id'],
  answer: balancesPage(balance, 'Balances'),
  fresh: 1,
  example: { text: 'the balances of accounts' },
});
