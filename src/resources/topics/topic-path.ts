// A topic in a path, by number only, and a message of it. Whether an entity can have that number is validated after the
// query.
import { refuse } from '../../../packages/web-server/request-error.ts';
import { referenceInPath } from '../../api/reading/value/entity-id.ts';
import type { EntityReference } from '../../api/reading/value/entity-reference.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { sequenceNumberText } from '../../api/reading/value/text-kinds.ts';

export const topicInPath = referenceInPath({
  form: 'number',
  kind: 'topic',
  refusedAs: 'topic.id',
  description: 'Id of the topic.',
});

export const sequenceNumberInPath = textInPath(sequenceNumberText, {
  refusedAs: 'sequencenumber',
  description: 'Number of the message in its topic; the first one is 1.',
  example: '1',
});

/** Throws RequestError if no entity can have the id. */
export function toTopicId(reference: EntityReference): bigint {
  if (reference.kind !== 'id') throw refuse('invalidEntityId', { id: reference.padded });
  return reference.id;
}
