// GET accounts/{id}/hooks/{hookId}/storage: the current storage of a hook, or its changes within a time range.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { equalOrBound, range } from '../../api/reading/query/conditions.ts';
import { readJavaInteger } from '../../api/reading/value/java-integer.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { hookIdText, slotText, timestampText } from '../../api/reading/value/text-kinds.ts';
import { entityId, evmWord, hex, int64, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';
import { itemsOf, pageLinks } from '../../api/values/page-of.ts';
import { findLivingAccount, listOfLivingAccount } from './living-account.ts';

const hookIdInPath = textInPath(
  {
    ...hookIdText,
    read(text, context) {
      if (!context.dialect.namesPathVariables) return hookIdText.read(text, context);
      const id = readJavaInteger(text, 64);
      if (id !== undefined && id < 0n) throw refuse('numberTooSmall', { name: 'hookId' });
      return id;
    },
  },
  { refusedAs: 'hookId', description: 'Id of the hook.', example: '1' },
);

/** 32 bytes. */
const word = { ...evmWord, schema: hex.schema };

const slot = members(
  {
    key: word,
    timestamp: value(timestamp, 'Of the last change.'),
    value: nullable(word, 'Zero if the slot was removed, null if it was only read.'),
  },
  { name: 'HookSlot' },
);

const ofOwner = listOfLivingAccount('ownerId');

export const listHookStorage = endpoint({
  ...ofOwner,
  path: '/api/v1/accounts/{ownerId}/hooks/{hookId}/storage',
  id: 'listHookStorage',
  summary: 'The storage of a hook',
  description: 'With a timestamp: the last change of each slot in that range, including deletions.',
  in: { ...ofOwner.in, hookId: hookIdInPath },
  query: {
    key: range(slotText, 'Key of the slot. All bounds must hold; several exact keys are alternatives.', {
      accepts: equalOrBound,
      most: { count: 100, name: 'keys' },
      operatorsAsTyped: true,
    }),
    ...page({ order: 'asc', by: 'key' }),
    timestamp: range(timestampText, 'When slots changed. An exact time means everything until then.', {
      accepts: equalOrBound,
      most: { count: 2, name: 'timestamps' },
    }),
  },
  async ask({ path, query }, context) {
    const hook = { ownerId: await findLivingAccount(path.ownerId, context), hookId: path.hookId };
    return { ...hook, ...(await context.ledger.hooks.listStorage({ ...query, ...hook })) };
  },
  next: ['key'],
  answer: members(
    { hook_id: int64, links: pageLinks, owner_id: entityId, storage: itemsOf(slot) },
    { name: 'HookStorage' },
  ),
  fresh: 1,
  example: {
    text: 'the storage of a hook',
    find: ({ hook }) => hook && [hook.ownerId, hook.hookId.toString()],
    missing: 'no account has a hook yet',
  },
});
