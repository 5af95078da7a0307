// A topic in a path, by number only. Whether an entity can have that number is validated after the query.
import { refuse } from '../../frame/request-error.ts';
import { referenceInPath } from '../../reading/value/entity-id.ts';
import type { EntityReference } from '../../reading/value/entity-reference.ts';

export const topicInPath = referenceInPath({
  form: 'number',
  kind: 'topic',
  refusedAs: 'topic.id',
  description: 'Id of the topic.',
});

/** Throws RequestError if no entity can have the id. */
export function toTopicId(reference: EntityReference): bigint {
  if (reference.kind !== 'id') throw refuse('invalidEntityId', { id: reference.padded });
  return reference.id;
}
