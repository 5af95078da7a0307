// GET accounts/{id}/hooks: the hooks of an account or contract, deleted ones included.

import type { Hook } from '../../../ledger/accounts/create-hooks.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { range } from '../../reading/query/conditions.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { hookIdText } from '../../reading/value/text-kinds.ts';
import { boolean, entityId, int64, key, timestamp, word } from '../../values/kinds.ts';
import { members, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { validity } from '../../values/validity.ts';
import { findLivingAccount, livingAccountInPath } from './living-account.ts';

const hook = members<Hook>(
  {
    admin_key: value(key, (item) => item.adminKey),
    contract_id: value(entityId, (item) => item.contractId, 'The contract that runs.'),
    created_timestamp: value(timestamp, (item) => item.createdTimestamp),
    deleted: value(boolean, (item) => item.deleted),
    extension_point: value(word(['ACCOUNT_ALLOWANCE_HOOK']), (item) => item.extensionPoint),
    hook_id: value(int64, (item) => item.hookId),
    owner_id: value(entityId, (item) => item.ownerId),
    timestamp_range: value(validity, (item) => item.valid),
    type: value(word(['EVM']), (item) => item.type),
  },
  { name: 'Hook' },
);

export const listHooks = endpoint({
  path: '/api/v1/accounts/{ownerId}/hooks',
  id: 'listHooks',
  tag: 'Accounts',
  summary: 'The hooks of an account',
  java: 'arguments',
  in: { ownerId: livingAccountInPath },
  query: {
    'hook.id': range(hookIdText, 'Id of the hook. All bounds must hold; several exact ids are alternatives.', {
      most: { count: 100, name: 'hookId' },
    }),
    ...page({ order: 'desc', by: 'id' }),
  },
  several: ({ path }) => isLookedUp(path.ownerId),
  ask: async ({ path, query }, { ledger, settings }) =>
    ledger.hooks.list({
      ownerId: await findLivingAccount(path.ownerId, { ledger, settings }),
      hookId: query['hook.id'],
      order: query.order,
      limit: query.limit,
    }),
  next: ['hook.id'],
  answer: pageOf('hooks', hook, 'Hooks'),
  fresh: 1,
  example: {
    text: 'the hooks of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});
