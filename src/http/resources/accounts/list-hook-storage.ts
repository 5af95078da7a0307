// GET accounts/{id}/hooks/{hookId}/storage: the storage of a hook, or what was written to it within a time range.

import { isAnyRange, type Range } from '../../../kit/range.ts';

import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { range } from '../../reading/query/conditions.ts';
import type { PathParameter } from '../../reading/query/parameter.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { readJavaInteger } from '../../reading/value/java-integer.ts';
import { hookIdText, slotText, timestampText } from '../../reading/value/text-kinds.ts';
import { entityId, evmWord, hex, int64, timestamp } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';
import { itemsOf, pageLinks } from '../../values/page-of.ts';
import { findLivingAccount, livingAccountInPath } from './living-account.ts';

const maxInt64 = 2n ** 63n - 1n;

const hookIdInPath: PathParameter<bigint> = {
  kind: 'hookId',
  description: 'Id of the hook.',
  example: '1',
  form: hookIdText.form,
  read(text, context) {
    if (!context.dialect.namesPathVariables) return hookIdText.read(text, context);
    const id = readJavaInteger(text);
    if (id === undefined || id > maxInt64 || id < -maxInt64 - 1n) return undefined;
    if (id < 0n) throw refuse('numberTooSmall', { name: 'hookId' });
    return id;
  },
  refuse: () => refuse('invalidParameter', { name: 'hookId' }),
};

/** 32 bytes. */
const word = { ...evmWord, schema: hex.schema };

const slot = members(
  {
    key: word,
    timestamp: value(timestamp, 'Of the last change.'),
    value: nullable(word, 'Zero where the slot was taken away, null where it was only read.'),
  },
  { name: 'HookSlot' },
);

export const listHookStorage = endpoint({
  path: '/api/v1/accounts/{ownerId}/hooks/{hookId}/storage',
  id: 'listHookStorage',
  tag: 'Accounts',
  summary: 'What the storage of a hook holds',
  description: 'With a timestamp: the last change of each slot within, deletions included.',
  peer: { java: 'arguments' },
  in: { ownerId: livingAccountInPath, hookId: hookIdInPath },
  query: {
    key: {
      ...range(slotText, 'Key of the slot. All bounds must hold; several exact keys are alternatives.', {
        accepts: ['eq', 'lt', 'lte', 'gt', 'gte'],
        most: { count: 100, name: 'keys' },
      }),
      operatorsAsTyped: true,
    },
    ...page({ order: 'asc', by: 'key' }),
    timestamp: range(timestampText, 'When slots changed. An exact time means everything until then.', {
      accepts: ['eq', 'lt', 'lte', 'gt', 'gte'],
      most: { count: 2, name: 'timestamps' },
    }),
  },
  several: ({ path }) => isLookedUp(path.ownerId),
  async ask({ path, query }, context) {
    const hook = { ownerId: await findLivingAccount(path.ownerId, context), hookId: path.hookId };
    const timestamp = isAnyRange(query.timestamp) ? null : untilEquals(query.timestamp);
    return { ...hook, ...(await context.ledger.hooks.listStorage({ ...query, ...hook, timestamp })) };
  },
  next: ['key'],
  answer: members(
    {
      hook_id: int64,
      links: pageLinks,
      owner_id: entityId,
      storage: itemsOf(slot),
    },
    { name: 'HookStorage' },
  ),
  fresh: 1,
  example: {
    text: 'the storage of a hook',
    find: ({ hook }) => hook && [hook.ownerId, hook.hookId.toString()],
    missing: 'no account has a hook yet',
  },
});

/** Exact times as upper bounds. */
function untilEquals({ from, to, equals }: Range): Range {
  const bounds = [...equals, ...(to === null ? [] : [to])];
  const upper = bounds.reduce<bigint | null>((least, one) => (least === null || one < least ? one : least), null);
  return { from, to: upper, equals: [], notEquals: [] };
}
