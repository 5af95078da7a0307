// GET accounts/{id}/hooks: the hooks of an account or contract, including deleted ones.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { range } from '../../api/reading/query/conditions.ts';
import { hookIdText } from '../../api/reading/value/text-kinds.ts';
import { boolean, entityId, int64, key, timestamp, word } from '../../api/values/kinds.ts';
import { members, value } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { validity } from '../../api/values/validity.ts';
import { exampleOfAccount } from './account-path.ts';
import { findLivingAccount, listOfLivingAccount } from './living-account.ts';

const hook = members(
  {
    admin_key: key,
    contract_id: value(entityId, 'The contract that runs.'),
    created_timestamp: timestamp,
    deleted: boolean,
    extension_point: word(['ACCOUNT_ALLOWANCE_HOOK']),
    hook_id: int64,
    owner_id: entityId,
    timestamp_range: validity,
    type: word(['EVM']),
  },
  { name: 'Hook' },
);

export const listHooks = endpoint({
  ...listOfLivingAccount('ownerId'),
  path: '/api/v1/accounts/{ownerId}/hooks',
  id: 'listHooks',
  summary: 'The hooks of an account',
  query: {
    'hook.id': range(hookIdText, 'Id of the hook. All bounds must hold; several exact ids are alternatives.', {
      most: { count: 100, name: 'hookId' },
    }),
    ...page({ order: 'desc', by: 'id' }),
  },
  ask: async ({ path, query }, context) =>
    context.ledger.hooks.list({
      ...query,
      members: hook.members,
      ownerId: await findLivingAccount(path.ownerId, context),
      hookId: query['hook.id'],
    }),
  next: ['hook.id'],
  answer: pageOf('hooks', hook, 'Hooks'),
  fresh: 1,
  example: exampleOfAccount('the hooks of an account'),
});
