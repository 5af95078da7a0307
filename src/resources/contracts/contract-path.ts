// The contract in a path under contracts/{contractIdOrAddress}. Its form is validated before the query, the entity is
// looked up after it. Accounts are found too: they can delegate to code.

import { refuse } from '../../../packages/web-server/request-error.ts';
import type { EndpointExample } from '../../api/endpoint/endpoint.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import { referenceInPath } from '../../api/reading/value/entity-id.ts';
import { type EntityReference, isLookedUp } from '../../api/reading/value/entity-reference.ts';

export const contractInPath = referenceInPath({
  form: 'contract',
  kind: 'contract',
  refusedAs: 'contractid',
  description: 'Id or EVM address of the contract.',
});

/** Shared by the lists of one contract. */
export function listOfContract(example: string) {
  return {
    tag: 'Contracts',
    in: { contractIdOrAddress: contractInPath },
    several: ({ path }: { path: { contractIdOrAddress: EntityReference } }) => isLookedUp(path.contractIdOrAddress),
    example: exampleOfContract(example),
  };
}

export function exampleOfContract(text: string): EndpointExample {
  return { text, find: ({ contractId }) => contractId, missing: 'no contract has been created yet' };
}

/** null = there is nothing at the address. Throws RequestError if no entity can have the id. */
export async function findContract(reference: EntityReference, { ledger }: RouteContext): Promise<bigint | null> {
  if (reference.kind === 'outOfRange') throw refuse('invalidParameter', { name: 'contractid' });
  return ledger.contracts.resolve(reference);
}
