// The services of a mirror node over gRPC: messages of a topic as they are written, and the nodes of an address book
// (docs/reference/grpc.md).
import { isIPv4 } from 'node:net';
import Long from 'long';
import { anyRange } from '../../../packages/kit/range.ts';
import { decodeEntityId, encodeEntityId, formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { readTransactionId, type TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { followTopic } from '../feed/follow-topic.ts';
import type { TopicHub } from '../feed/topic-hub.ts';
import { grpcError } from './grpc-error.ts';

export type ServiceContext = {
  ledger: Ledger;
  hub: TopicHub;
  system: SystemRealm;
  /** ns since 1970 */
  clock: () => bigint;
  /** A topic that does not exist is waited for. */
  allowsUnknownTopics: boolean;
};

type Number64 = Long | number;
type Time = { seconds?: Number64; nanos?: number };
export type TopicQuery = {
  topicID?: { shardNum?: Number64; realmNum?: Number64; topicNum?: Number64 } | null;
  consensusStartTime?: Time | null;
  consensusEndTime?: Time | null;
  limit?: Number64;
};
export type BookQuery = {
  file_id?: { shardNum?: Number64; realmNum?: Number64; fileNum?: Number64 } | null;
  limit?: number;
};

/** Messages that wait for a client. */
const maxWaiting = 16_384;
const ns = 1_000_000_000n;
const latestMoment = 2n ** 63n - 1n;
/** How long messages before an end are waited for when it has passed, ns. */
const endGrace = 30n * ns;

/** Throws GrpcError for what it refuses. */
export async function* subscribeTopic(
  context: ServiceContext,
  query: TopicQuery,
  signal: AbortSignal,
  fail: (error: Error) => void,
): AsyncGenerator<object> {
  const { ledger, hub, clock } = context;
  const { topicID: topic, consensusStartTime, consensusEndTime } = query;
  const topicId = topic ? toId(topic.shardNum, topic.realmNum, topic.topicNum) : null;
  const now = clock();
  const from = consensusStartTime ? toMoment(consensusStartTime) : now;
  const until = consensusEndTime ? toMoment(consensusEndTime) : null;
  // An unsigned number, of which half are negative as the peer reads them.
  const limit = BigInt.asIntN(64, toBigInt(query.limit ?? 0));
  refuseWhere('subscribeTopic.filter', {
    'topicId: must not be null': topicId === null,
    'startTime: must be greater than or equal to 0': from < 0n,
    'limit: must be greater than or equal to 0': limit < 0n,
    'validEndTime: End time must be after start time': until !== null && until <= from,
    'validStartTime: Start time must be before the current time': from > now,
  });
  const inTurn: InTurn = (read) => hub.reads.pass(read, signal);
  await checkTopic(context, topicId!, inTurn);
  const end = until === null ? null : await giveUpAt(context, until, now, inTurn);
  const span = { topicId: topicId!, from, until, limit: limit === 0n ? null : limit };
  const messages = followTopic(span, {
    ...{ ledger, hub, signal, maxWaiting, onLag: grpcError.lagging, fail },
    ...(end !== null && { leftMs: () => Number((end - clock()) / 1_000_000n) }),
  });
  let last: bigint | null = null;
  for await (const message of messages) {
    if (last !== null && message.sequenceNumber !== last + 1n && !(await inTurn(() => isFiltered(ledger))))
      throw new Error(`message ${message.sequenceNumber} of topic ${formatEntityId(topicId!)} follows ${last}`);
    last = message.sequenceNumber;
    yield toResponse(message);
  }
}

/**
 * Many calls that come together leave room for others at the database, whatever they read. Throws when the call is
 * over.
 */
type InTurn = <T>(read: () => Promise<T>) => Promise<T>;

async function checkTopic(
  { ledger, allowsUnknownTopics }: ServiceContext,
  topicId: bigint,
  inTurn: InTurn,
): Promise<void> {
  const kind = await inTurn(() => ledger.topics.kindOf(topicId));
  if (kind === null && allowsUnknownTopics) return;
  if (kind === null) throw grpcError.notFound(`${formatEntityId(topicId)} does not exist`);
  if (kind !== 'TOPIC') throw grpcError.invalid('Not a valid topic');
}

/**
 * Consensus time, ns. An end that has passed is not waited for where the mirror does not follow the network closely.
 */
async function giveUpAt({ ledger }: ServiceContext, until: bigint, now: bigint, inTurn: InTurn): Promise<bigint> {
  if (until > now) return until + endGrace;
  const newest = await inTurn(ledger.newestEnd);
  return newest !== null && newest > now - endGrace ? until + endGrace : until;
}

/** Whether messages of a topic may be missing as intended. */
async function isFiltered(ledger: Ledger): Promise<boolean> {
  const extent = await ledger.extent();
  if (extent === null) return false;
  return extent.included !== null || extent.excluded !== null || extent.leftOut.length > 0;
}

/** By rule, whether it is broken: the texts of all that are. */
function refuseWhere(what: string, broken: Readonly<Record<string, boolean>>): void {
  const texts = Object.entries(broken).flatMap(([rule, isBroken]) => (isBroken ? [`${what}.${rule}`] : []));
  if (texts.length > 0) throw grpcError.invalid(texts.join(', '));
}

/** Throws GrpcError for what it refuses. */
export async function* getNodes(
  { ledger, hub, system }: ServiceContext,
  { file_id: file, limit = 0 }: BookQuery,
  signal: AbortSignal,
): AsyncGenerator<object> {
  const fileId = file ? toId(file.shardNum, file.realmNum, file.fileNum) : null;
  refuseWhere('getNodes.addressBookFilter', {
    'fileId: must not be null': fileId === null,
    'limit: must be greater than or equal to 0': limit < 0,
  });
  const books = [systemEntityId('addressBook', system), systemEntityId('nodeDetails', system)];
  if (!books.includes(fileId!)) throw grpcError.invalid('Not a valid address book file');
  let left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  let from = 0n;
  while (left > 0 && !signal.aborted) {
    const size = Math.min(pageSize, left);
    const asked = { fileId: fileId!, nodeId: { ...anyRange, from }, order: 'asc', limit: size } as const;
    const page = await hub.reads.pass(() => ledger.network.nodes(asked), signal);
    if (page.items.length === 0 && from === 0n) throw grpcError.notFound(`${formatEntityId(fileId!)} does not exist`);
    for (const node of page.items) yield toNodeAddress(node);
    left -= page.items.length;
    if (page.next === null) break;
    from = page.next + 1n;
  }
}

const pageSize = 100;

type NetworkNode = Awaited<ReturnType<Ledger['network']['nodes']>>['items'][number];

function toNodeAddress(node: NetworkNode): object {
  return {
    ...(node.memo && { memo: Buffer.from(node.memo) }),
    RSA_PubKey: node.publicKey ?? '',
    nodeId: toLong(node.nodeId),
    nodeAccountId: toAccountId(node.nodeAccountId),
    nodeCertHash: node.nodeCertHash ?? Buffer.alloc(0),
    serviceEndpoint: node.serviceEndpoints.map(({ domainName, ipAddressV4, port }) => ({
      ipAddressV4: isIPv4(ipAddressV4) ? Buffer.from(ipAddressV4.split('.').map(Number)) : Buffer.alloc(0),
      ...{ port, domain_name: domainName },
    })),
    description: node.description ?? '',
    stake: toLong(node.stake ?? 0n),
  };
}

function toResponse(message: TopicMessage): object {
  const { chunkInfo, runningHash } = message;
  return {
    consensusTimestamp: toTime(message.consensusTimestamp),
    message: message.message,
    runningHash: runningHash ?? Buffer.alloc(0),
    sequenceNumber: toLong(message.sequenceNumber),
    runningHashVersion: message.runningHashVersion,
    ...(chunkInfo && { chunkInfo: toChunkInfo(message) }),
  };
}

/** Of the transaction that submitted the first part: as its bytes are stored, and otherwise what the last one says. */
function toChunkInfo({ chunkInfo, initialTransactionId, payerAccountId, validStartTimestamp }: TopicMessage): object {
  const { number, total } = chunkInfo!;
  const stored = initialTransactionId && readTransactionId(initialTransactionId);
  const own = payerAccountId !== null &&
    validStartTimestamp !== null && {
      transactionValidStart: toTime(validStartTimestamp),
      accountID: toAccountId(payerAccountId),
    };
  const id = stored ?? own;
  return { ...(id && { initialTransactionID: id }), total: total ?? 0, number };
}

function toAccountId(id: bigint): object {
  const { shard, realm, num } = decodeEntityId(id);
  return { shardNum: toLong(shard), realmNum: toLong(realm), accountNum: toLong(num) };
}

function toTime(moment: bigint): object {
  return { seconds: toLong(moment / ns), nanos: Number(moment % ns) };
}

function toLong(value: bigint): Long {
  return Long.fromBigInt(value);
}

/** Times beyond the clock of the ledger are its last moment. */
function toMoment({ seconds = 0, nanos = 0 }: Time): bigint {
  const moment = toBigInt(seconds) * ns + BigInt(nanos);
  return moment > latestMoment ? latestMoment : moment;
}

/** Throws GrpcError where no entity has this number. */
function toId(shard: Number64 = 0, realm: Number64 = 0, num: Number64 = 0): bigint {
  const parts = [shard, realm, num].map((part) => toBigInt(part)) as [bigint, bigint, bigint];
  const [largestShard, largestRealm, largestNum] = [2n ** 10n, 2n ** 16n, 2n ** 38n];
  const fits = parts[0] < largestShard && parts[1] < largestRealm && parts[2] < largestNum;
  if (!fits || parts.some((part) => part < 0n)) throw grpcError.invalid(`Invalid entity ID: ${parts.join('.')}`);
  return encodeEntityId(...parts);
}
