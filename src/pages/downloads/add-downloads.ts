// The routes of files. A file is made a piece at a time, while its client reads: each piece is admitted like the
// question of a page, only a few are made at once of all files together, where clients take turns, and nothing is made
// for a client that is gone or does not read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { createPacedWriter, type PacedWriter } from '../../../packages/kit/paced-writer.ts';
import { pause } from '../../../packages/kit/pause.ts';
import { createClientLine } from '../../../packages/kit/shares/client-line.ts';
import { type Place, PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { createDoorPlaces } from '../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { whenThereIsRoom } from '../../../packages/kit/when-there-is-room.ts';
import type { Admission } from '../../../packages/web-server/admission.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { refusePlace } from '../../../packages/web-server/refuse-place.ts';
import type { AnswerForm, Responder } from '../../../packages/web-server/responder.ts';
import { splitTarget } from '../../api/frame/asked-dialect.ts';
import { authorize } from '../../api/frame/basic-auth.ts';
import { ofNetwork, pagesStart } from '../frame/network-slug.ts';
import type { PageDownload, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';

type Frame = { responder: Responder; admission: Admission; clientOf: ClientOf; form: AnswerForm; registry: Registry };

export type DownloadLimits = {
  /** Files that are open at a time. Default: as docs/reference/shares.md says. */
  maxOpen?: number;
  /** Pieces that are made at a time. */
  maxMaking: number;
  /** How long a client may leave what was sent unread. */
  readWithinMs: number;
};

export const defaultDownloadLimits: DownloadLimits = {
  maxMaking: doorShares.downloadPieces.places,
  readWithinMs: 60_000,
};

/** Behind each piece. */
const maxRestMs = 100;

export function addDownloads(
  app: FastifyInstance,
  downloads: readonly PageDownload[],
  context: PageContext,
  { responder, admission, clientOf, form, registry }: Frame,
  { maxOpen, maxMaking, readWithinMs } = defaultDownloadLimits,
): void {
  const places = createDoorPlaces('downloads', { registry, ...(maxOpen !== undefined && { max: maxOpen }) });
  // Files are bounded, and each waits for one piece at a time. A piece may wait to be admitted: another client's does
  // not.
  const making = createClientLine({
    concurrent: maxMaking,
    waiting: { count: Number.POSITIVE_INFINITY },
    perClient: { running: doorShares.downloadPieces.share },
  });

  for (const download of downloads) {
    app.get(
      `${pagesStart}${download.path}`,
      ofNetwork('mirrored'),
      (request, reply) => void answer(download, request, reply),
    );
  }

  async function answer(download: PageDownload, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const asked = toPageRequest(request);
    const writer = createPacedWriter(reply.raw, readWithinMs);
    const refuseAs = (error: unknown) => responder.respond(request, reply, () => Promise.reject(error), form);
    const client = clientOf(request.raw);
    let place: Place;
    try {
      // The client sees that its file is not whole.
      place = places.enter(client, { withdraw: () => reply.raw.destroy() });
    } catch (error) {
      return void refuseAs(error instanceof PlacesFull ? refusePlace(error, 'files that are open') : error);
    }
    const lines = download.lines(asked, context)[Symbol.asyncIterator]();
    const next = () => admission.run(client, () => lines.next());
    const pieces: Pieces = {
      next: () => making.pass(client, next, { signal: writer.signal }),
      end: () => lines.return?.(),
    };
    try {
      authorize(request.headers.authorization, context.settings);
      const first = await pieces.next();
      begin(request, reply, toFileName(asked.path));
      if (request.method !== 'HEAD') await sendAll(reply, writer, pieces, first);
      reply.raw.end();
    } catch (error) {
      if (writer.signal.aborted) return;
      if (!reply.raw.headersSent) return void refuseAs(error);
      // The client sees that the file is not whole: its last chunk is missing.
      request.log.error({ err: error, path: asked.path }, 'A download failed');
      reply.raw.destroy();
    } finally {
      place.leave();
      await pieces.end();
    }
  }

  async function sendAll(reply: FastifyReply, writer: PacedWriter, pieces: Pieces, first: Piece): Promise<void> {
    let piece = first;
    while (!piece.done) {
      reply.bodyBytes += Buffer.byteLength(piece.value);
      if (!(await writer.write(piece.value))) return;
      const began = performance.now();
      piece = await whenThereIsRoom(() => pieces.next(), writer.signal);
      // Others have threads and database for as long: with no pause p99 of the API rose to 1.4 times that without a
      // file.
      if (!(await pause(Math.min(performance.now() - began, maxRestMs), writer.signal))) return;
    }
  }
}

/** `next` throws RequestError before anything is made if there is no room. */
type Pieces = { next(): Promise<Piece>; end(): Promise<unknown> | undefined };
type Piece = IteratorResult<string, unknown>;

function begin({ raw: { socket }, server }: FastifyRequest, reply: FastifyReply, fileName: string): void {
  // A whole ledger takes longer than an answer may.
  server.handOverConnection(socket);
  reply.hijack();
  reply.raw.writeHead(200, [
    ...['Access-Control-Allow-Origin', '*'],
    ...['Cache-Control', 'no-store'],
    ...['Content-Type', 'text/csv; charset=utf-8; header=present'],
    ...['Content-Disposition', `attachment; filename="${fileName}"`],
    ...['X-Content-Type-Options', 'nosniff'],
  ]);
}

/**
 * `/demo/account/0.0.5/nfts.csv` → `demo-account-0.0.5-nfts.csv`, with nothing that a header, a shell or a file system
 * minds.
 */
function toFileName(path: string): string {
  const name = path
    .replace(/\.csv$/i, '')
    .replaceAll(/[^\w.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return `${name.slice(0, 100)}.csv`;
}

function toPageRequest({ raw, params }: FastifyRequest): PageRequest {
  return { ...splitTarget(raw.url!), params: params as Record<string, string> };
}
