// What a request for a list that goes on says: whose, and from where on.
import type { FastifyRequest } from 'fastify';
import { type EntityId, encodeEntityId, maxNum } from '../../../packages/protocol/hapi/entity-id.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';

export type FollowRequest = {
  list: 'blocks' | 'messages' | 'transactions';
  /** The topic, or the account; null = all blocks, or the transactions of everyone. */
  id: EntityId | null;
  /** Consensus time, ns, inclusive; null = from now on. */
  from: bigint | null;
};

const names = {
  blocks: ['follow', 'timestamp'],
  messages: ['follow', 'timestamp'],
  transactions: ['follow', 'timestamp', 'account.id'],
};

/** Throws RequestError. */
export function readFollowRequest(
  { raw, params, headers }: FastifyRequest,
  list: FollowRequest['list'],
  system: SystemRealm,
): FollowRequest {
  const target = raw.url!;
  const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
  const unknown = [...query.keys()].find((name) => !names[list].includes(name));
  if (unknown !== undefined) throw refuse('unknownParameter', { name: unknown.slice(0, 100) });
  const repeated = [...query.keys()].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw refuse('repeatedParameter', { name: repeated });
  const id = readOwner(list, { topicId: (params as { topicId?: string }).topicId, query, system });
  return { list, id, from: readFrom(query.get('timestamp'), headers['last-event-id']) };
}

type Asked = { topicId: string | undefined; query: URLSearchParams; system: SystemRealm };

/** Throws RequestError. */
function readOwner(list: FollowRequest['list'], { topicId, query, system }: Asked): EntityId | null {
  if (list === 'blocks' || (list === 'transactions' && !query.has('account.id'))) return null;
  const [name, text] =
    list === 'messages'
      ? (['topic.id', topicId] as const)
      : (['account.id', query.get('account.id')?.replace(/^eq:/, '')] as const);
  const id = readId(text ?? '', system);
  if (id === null) throw refuse('invalidParameter', { name });
  return id;
}

/** null = no entity has it. */
function readId(text: string, { shard, realm }: SystemRealm): EntityId | null {
  const match = /^(?:(?:(\d{1,4})\.)?(\d{1,5})\.)?(\d{1,12})$/.exec(text);
  if (!match) return null;
  const [s, r, num] = [match[1] ?? shard, match[2] ?? realm, match[3]!].map(BigInt) as [bigint, bigint, bigint];
  return s < 1024n && r < 65_536n && num <= maxNum ? encodeEntityId(s, r, num) : null;
}

const ns = 1_000_000_000n;
const latest = 2n ** 63n - 1n;

/** What a client has seen counts more than what it first asked for. */
function readFrom(timestamp: string | null, lastEventId: string | string[] | undefined): bigint | null {
  const seen = typeof lastEventId === 'string' ? readMoment(lastEventId) : null;
  if (seen !== null) return seen + 1n;
  if (timestamp === null) return null;
  const [, operator, text] = /^(gte?):(.+)$/.exec(timestamp) ?? [];
  const moment = text === undefined ? null : readMoment(text);
  if (moment === null) throw refuse('invalidParameter', { name: 'timestamp' });
  return operator === 'gt' ? moment + 1n : moment;
}

function readMoment(text: string): bigint | null {
  const match = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return null;
  const moment = BigInt(match[1]!) * ns + BigInt((match[2] ?? '').padEnd(9, '0'));
  return moment < latest ? moment : latest - 1n;
}
