// Lists that go on: `follow=true` at blocks, at transactions and at the messages of a topic answers with server-sent
// events, each with its consensus time as id, so that a client that comes back goes on behind the last one it has seen
// (docs/reference/live-feeds.md). In the dialect `spec` alone.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { isOverload } from '../../../packages/kit/shares/cause.ts';
import { type Place, PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import { createDoorPlaces } from '../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { refusePlace } from '../../../packages/web-server/refuse-place.ts';
import { RequestError, refuse } from '../../../packages/web-server/request-error.ts';
import { writeAnswer } from '../../../packages/web-server/write-answer.ts';
import { dialectAskedFor, findDialect } from '../../api/dialect/find-dialect.ts';
import { authorize } from '../../api/frame/basic-auth.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';
import { liveFeedsMark } from '../../api/frame/live-feeds-mark.ts';
import type { Dialect } from '../../api/reading/query/dialect.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import type { TopicHub } from '../feed/topic-hub.ts';
import { type EventStream, openEventStream } from './event-stream.ts';
import { type FollowRequest, readFollowRequest } from './follow-request.ts';
import { createHeldReads } from './held-reads.ts';
import { LagError, liveBlocks, liveMessages, liveTransactions } from './live-lists.ts';

export type LiveFeedsOptions = {
  ledger: Ledger;
  feed: LedgerFeed;
  hub: TopicHub;
  settings: HttpSettings;
  /** Of `/api/v1`. */
  dialect: Dialect;
  registry: Registry;
  clientOf: ClientOf;
  onFailure(error: unknown): void;
  maxStreams?: number;
};

export type LiveFeeds = { close(): void };

/** By the route that answers without it. */
const lists = {
  '/api/v1/blocks': 'blocks',
  '/api/v1/topics/:topicId/messages': 'messages',
  '/api/v1/transactions': 'transactions',
} as const;
const followers = { blocks: liveBlocks, messages: liveMessages, transactions: liveTransactions };
const follows = /[?&]follow=true(?:&|$)/;

/** To be called before the service listens. */
export function addLiveFeeds(app: FastifyInstance, options: LiveFeedsOptions): LiveFeeds {
  const { settings, dialect, registry, clientOf, onFailure, maxStreams } = options;
  app.decorate(liveFeedsMark, true);
  const open = new Set<EventStream>();
  const places = createDoorPlaces('liveFeeds', { registry, ...(maxStreams !== undefined && { max: maxStreams }) });
  addGauge(registry, { name: 'live_streams_open', help: 'Open streams of server-sent events.', read: () => open.size });
  const reads = createHeldReads(options.hub.reads);
  const events = new Counter({ name: 'live_events_total', help: 'Server-sent events.', registers: [registry] });

  app.addHook('onRequest', (request, reply, done) => {
    const list = findList(request);
    if (list === null) return done();
    reply.hijack();
    try {
      begin(request, reply, list);
    } catch (error) {
      const refusal = error instanceof RequestError ? error : refuse('unavailable');
      if (refusal !== error) onFailure(error);
      const { status, retryAfterSeconds, outcome } = refusal;
      reply.refusedAs = outcome;
      void writeAnswer(request, reply, { status, body: plainShapes.formatErrorBody(refusal), retryAfterSeconds });
    }
  });
  return {
    close() {
      for (const stream of open) stream.end();
    },
  };

  function findList(request: FastifyRequest): FollowRequest['list'] | null {
    const { raw, method, routeOptions } = request;
    if (method !== 'GET' || !raw.url?.includes('follow=true') || !follows.test(raw.url)) return null;
    if (dialectAskedFor(raw, dialect) !== findDialect('spec')) return null;
    return lists[routeOptions.url as keyof typeof lists] ?? null;
  }

  /** Throws RequestError before anything is written. */
  function begin(request: FastifyRequest, reply: FastifyReply, list: FollowRequest['list']): void {
    authorize(request.headers.authorization, settings);
    const asked = readFollowRequest(request, list, settings.system);
    const client = clientOf(request.raw);
    const place = enter(client, () => stream.withdraw(1000 * doorShares.liveFeeds.retryAfterSeconds));
    app.handOverConnection(request.raw.socket);
    const stream = openEventStream(reply.raw);
    void runAs(client, () => run(asked, stream, place));
  }

  function enter(client: string, withdraw: () => void): Place {
    try {
      return places.enter(client, { withdraw });
    } catch (error) {
      throw error instanceof PlacesFull ? refusePlace(error, 'streams of events') : error;
    }
  }

  async function run(asked: FollowRequest, stream: EventStream, place: Place): Promise<void> {
    open.add(stream);
    const context = { ...options, reads, signal: stream.signal };
    try {
      for await (const { id, text } of followers[asked.list](context, asked)) {
        events.inc();
        if (!(await stream.send(id, text))) return;
      }
    } catch (error) {
      // The client comes back by itself, and goes on where it was.
      const isExpected = error instanceof LagError || isOverload(error) || stream.signal.aborted;
      if (!isExpected) onFailure(error);
    } finally {
      open.delete(stream);
      place.leave();
      stream.end();
    }
  }
}
