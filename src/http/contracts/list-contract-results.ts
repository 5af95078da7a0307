// GET contracts/results: a page of results across all contracts. Refusals come in the order that clients know: values and
// names, senders out of range, parameters that do not go together, `hbar`.
import { Type } from '@sinclair/typebox';
import { isEmptyRange } from '../../kit/range.ts';
import type { ContractResultsQuery } from '../../ledger/contracts/contract-result.ts';
import { emptyPage } from '../../ledger/page.ts';
import { findAccount } from '../accounts/account-path.ts';
import { endpoint } from '../endpoint.ts';
import { type Refusal, RequestError, refuse } from '../frame/request-error.ts';
import { bareFlag } from '../parameters/bare-flag.ts';
import { anyOf, last, range } from '../parameters/conditions.ts';
import { type EntityCondition, entityConditions } from '../parameters/entity-id.ts';
import { flag } from '../parameters/flag.ts';
import { page } from '../parameters/page.ts';
import { blockHashText, blockNumberText, timestampText, transactionIndexText } from '../parameters/text-kinds.ts';
import { closeTimestampRange } from '../parameters/timestamp-guard.ts';
import type { RouteContext } from '../route.ts';
import { type ContractResultPage, createContractResultsKind } from './contract-result-members.ts';

export const listContractResults = endpoint({
  path: '/api/v1/contracts/results',
  id: 'listContractResults',
  tag: 'Contracts',
  summary: 'Results across all contracts',
  query: {
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
    hbar: bareFlag('true for amounts and prices in tinybar, false for weibar.', { default: true }),
    internal: flag('Whether results of child transactions are listed too.', { default: false }),
    ...page({ order: 'desc', by: 'consensus timestamp' }),
    timestamp: range(timestampText, 'Time or bound. All bounds must hold; several exact times are alternatives.'),
    'transaction.index': anyOf(
      transactionIndexText,
      'Position of the transaction in its block; needs `block.hash` or `block.number`. Several are alternatives.',
      { item: Type.Integer({ format: 'int64', minimum: 0 }) },
    ),
  },
  check: refuseUsage,
  async ask({ query }, context): Promise<ContractResultPage> {
    const { ledger, settings } = context;
    const { internal, order, limit } = query;
    const hbar = query.hbar.read();
    const sender = await findSenders(query.from, ledger);
    const { range: timestamp, cut } = await closeTimestampRange(query.timestamp, order, context);
    const found = isEmptyRange(timestamp)
      ? emptyPage
      : await ledger.contractResults.list({
          sender,
          block: toBlock(query),
          transactionIndexes: query['transaction.index'],
          internal,
          timestamp,
          synthetic: settings.syntheticResults,
          order,
          limit,
        });
    return { items: found.items, next: found.next ?? (found.items.length > 0 ? cut : null), hbar };
  },
  next: ['timestamp'],
  answer: createContractResultsKind,
  fresh: 10,
  missing: true,
  example: { text: 'the latest contract results' },
});

function refuseOutOfRange(conditions: EntityCondition[]): EntityCondition[] {
  if (conditions.some(({ reference }) => reference.kind === 'outOfRange')) {
    throw refuse('invalidParameter', { name: 'from' });
  }
  return conditions;
}

type BlockValues = { 'block.hash': string | null; 'block.number': bigint | null };

function refuseUsage(values: BlockValues & { 'transaction.index': bigint[] }): void {
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

async function findSenders(
  conditions: readonly EntityCondition[],
  ledger: RouteContext['ledger'],
): Promise<ContractResultsQuery['sender']> {
  const equals = new Set<bigint>();
  const others: ContractResultsQuery['sender']['others'] = [];
  for (const { operator, reference } of conditions) {
    // Those that no entity can have were refused before.
    if (reference.kind === 'outOfRange') continue;
    const id = await findAccount(reference, ledger);
    if (operator === 'eq') equals.add(id);
    else others.push({ operator, id });
  }
  return { equals: [...equals], others };
}

function toBlock(values: BlockValues): ContractResultsQuery['block'] {
  const number = values['block.number'];
  if (number !== null) return { number };
  const hashPrefix = values['block.hash'];
  return hashPrefix === null ? null : { hashPrefix };
}
