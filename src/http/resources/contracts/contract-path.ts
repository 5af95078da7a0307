// The contract in a path under contracts/{contractIdOrAddress}. Its form is validated before the query, the entity is looked
// up after it. Accounts are found too: they can delegate to code.
import { refuse } from '../../frame/request-error.ts';
import type { RouteContext } from '../../reading/query/context.ts';
import { referenceInPath } from '../../reading/value/entity-id.ts';
import type { EntityReference } from '../../reading/value/entity-reference.ts';

export const contractInPath = referenceInPath({
  form: 'contract',
  kind: 'contract',
  refusedAs: 'contractid',
  description: 'Id or EVM address of the contract.',
});

/** null = nothing is at the address. Throws RequestError if no entity can have the id. */
export async function findContract(reference: EntityReference, { ledger }: RouteContext): Promise<bigint | null> {
  if (reference.kind === 'outOfRange') throw refuse('invalidParameter', { name: 'contractid' });
  return ledger.contracts.resolve(reference);
}
