// The filters of lists of contract results, across all contracts and of one: the parameters, their conflicts, and their
// meaning.

import { type TSchema, Type } from '@sinclair/typebox';
import type { ResultsFilter } from '../../../packages/store/read/contract-result-parts.ts';
import { type Refusal, RequestError, refuse } from '../../../packages/web-server/request-error.ts';
import type { QueryValues } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { anyOf, last, range } from '../../api/reading/query/conditions.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import { type EntityCondition, entityConditions } from '../../api/reading/value/entity-id.ts';
import { isLookedUp } from '../../api/reading/value/entity-reference.ts';
import { flag } from '../../api/reading/value/flag.ts';
import {
  blockHashText,
  blockNumberText,
  timestampText,
  transactionIndexText,
} from '../../api/reading/value/text-kinds.ts';
import { findAccount } from '../accounts/account-path.ts';

export const resultFilters = {
  from: entityConditions(
    'Account id or EVM address of the sender. Several without an operator are alternatives.',
    { form: 'sender', kind: 'account', accepts: ({ senderOperators }) => senderOperators },
    refuseOutOfRange,
  ),
  'block.hash': last(
    blockHashText,
    'Hash of the block: all of it, or its first 64 digits. Of several the last counts. Not together with `block.number`.',
  ),
  'block.number': last(
    blockNumberText,
    'Number of the block, decimal or hexadecimal after `0x`. Of several the last counts.',
  ),
  internal: flag('Whether results of child transactions are listed too.', { default: false }),
  ...page({ order: 'desc', by: 'consensus timestamp' }),
  timestamp: range(timestampText, 'Time or bound. All bounds must hold; several exact times are alternatives.'),
  'transaction.index': anyOf(
    transactionIndexText,
    'Position of the transaction in its block. Only together with `block.number` or `block.hash`, which select the block: without them it is refused with 400. Several are alternatives.',
    { item: ({ dialect }) => toIndexSchema(dialect.maxTransactionIndex) },
  ),
};

function toIndexSchema(max: bigint): TSchema {
  const isInt32 = max < 2n ** 31n;
  return Type.Integer({
    format: isInt32 ? 'int32' : 'int64',
    minimum: 0,
    ...(isInt32 ? { maximum: Number(max) } : {}),
  });
}

interface ResultFilters extends QueryValues<typeof resultFilters> {}

function refuseOutOfRange(conditions: EntityCondition[]): EntityCondition[] {
  if (conditions.some(({ reference }) => reference.kind === 'outOfRange')) {
    throw refuse('invalidParameter', { name: 'from' });
  }
  return conditions;
}

export function refuseUsage(values: ResultFilters): void {
  const hash = values['block.hash'] !== null;
  const number = values['block.number'] !== null;
  const refusals: Refusal[] = [];
  if (values['transaction.index'].length > 0 && !hash && !number) {
    const text = 'transaction.index requires block.number or block.hash filter to be specified';
    refusals.push({ code: 'invalidUsage', data: { name: 'transaction.index', text } });
  }
  if (hash && number) {
    const text = 'cannot combine block.number and block.hash';
    refusals.push({ code: 'invalidUsage', data: { name: 'block.hash', text } });
  }
  if (refusals.length > 0) throw new RequestError(refusals);
}

export function looksUpSenders({ from }: Pick<ResultFilters, 'from'>): boolean {
  return from.some(({ reference }) => isLookedUp(reference));
}

/** Senders given by address are looked up: throws RequestError if nothing has it. */
export async function toResultsQuery(values: ResultFilters, ledger: RouteContext['ledger']): Promise<ResultsFilter> {
  const sender = await findSenders(values.from, ledger);
  return { ...values, sender, block: toBlock(values), transactionIndexes: values['transaction.index'] };
}

async function findSenders(
  conditions: readonly EntityCondition[],
  ledger: RouteContext['ledger'],
): Promise<ResultsFilter['sender']> {
  const equals = new Set<bigint>();
  const others: ResultsFilter['sender']['others'][number][] = [];
  for (const { operator, reference } of conditions) {
    // Impossible ids were refused before.
    if (reference.kind === 'outOfRange') continue;
    const id = await findAccount(reference, ledger);
    if (operator === 'eq') equals.add(id);
    else others.push({ operator, id });
  }
  return { equals: [...equals], others };
}

function toBlock(values: ResultFilters): ResultsFilter['block'] {
  const number = values['block.number'];
  if (number !== null) return { number };
  const hashPrefix = values['block.hash'];
  return hashPrefix === null ? null : { hashPrefix };
}
