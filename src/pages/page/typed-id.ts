// The id that a path names as `0.0.5`, so that what is asked of an entity need not wait for the question what it is.

import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { parseEntityReference } from '../../api/reading/value/entity-reference.ts';

const idForm = /^\d{1,10}(?:\.\d{1,10}){0,2}$/;

/** null = the text is an alias or an address, or there is no such id: the endpoint looks it up, or refuses it. */
export function typedId(text: string, system: SystemRealm): bigint | null {
  if (!idForm.test(text)) return null;
  const reference = parseEntityReference(text, system);
  return reference.kind === 'id' ? reference.id : null;
}
