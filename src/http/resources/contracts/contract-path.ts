// Which contract a path under contracts/{contractIdOrAddress} means. Its form is judged before the query, what lives there
// is looked up after it. Accounts are found too: they can delegate to code.
import type { EndpointExample } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import type { RouteContext } from '../../reading/query/context.ts';
import { referenceInPath } from '../../reading/value/entity-id.ts';
import { type EntityReference, isLookedUp } from '../../reading/value/entity-reference.ts';

export const contractInPath = referenceInPath({
  form: 'contract',
  kind: 'contract',
  refusedAs: 'contractid',
  description: 'Id or EVM address of the contract.',
});

/** What the lists of one contract have in common. */
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

/** null = nothing lives at the address. Throws RequestError where no entity can have the id. */
export async function findContract(reference: EntityReference, { ledger }: RouteContext): Promise<bigint | null> {
  if (reference.kind === 'outOfRange') throw refuse('invalidParameter', { name: 'contractid' });
  return ledger.contracts.resolve(reference);
}
