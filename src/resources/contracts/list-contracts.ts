// GET contracts: a page of contracts without their code, including deleted ones, by id.

import { type Condition, type Range, toRange } from '../../../packages/kit/range.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import type { QueryParameter } from '../../api/reading/query/parameter.ts';
import { type EntityCondition, entityConditions } from '../../api/reading/value/entity-id.ts';
import { contractsKind } from './contract-members.ts';

type ContractIds = Range & { addresses: readonly Buffer[] };

const contractId: QueryParameter<ContractIds> = {
  ...entityConditions(
    'Id or EVM address (40 digits without `0x`, and without an operator) of the contract. Several without an operator are alternatives; all others must hold.',
    { form: 'contractCondition', kind: 'contract', exactAddresses: true },
    toContractIds,
  ),
  formatKey: formatEntityId,
};

export const listContracts = endpoint({
  path: '/api/v1/contracts',
  id: 'listContracts',
  tag: 'Contracts',
  summary: 'Contracts, including deleted ones',
  query: { 'contract.id': contractId, ...page({ order: 'desc', by: 'contract id' }) },
  several: ({ query }) => query['contract.id'].addresses.length > 0,
  ask: ({ query }, { ledger }) => ledger.contracts.list({ ...query, id: query['contract.id'] }),
  next: ['contract.id'],
  answer: contractsKind,
  fresh: 10,
  example: { text: 'the latest contracts' },
});

/**
 * An address is represented among the exact values by an id that nothing has, so that it alone counts as an exact
 * value, too.
 */
function toContractIds(conditions: readonly EntityCondition[]): ContractIds {
  const ids: Condition[] = [];
  const addresses: Buffer[] = [];
  for (const { operator, reference } of conditions) {
    if (reference.kind === 'outOfRange') throw refuse('invalidParameter', { name: 'contractid' });
    if (reference.kind === 'evmAddress') addresses.push(reference.address);
    ids.push({ operator, value: reference.kind === 'id' ? reference.id : -1n });
  }
  return { ...toRange(ids), addresses };
}
