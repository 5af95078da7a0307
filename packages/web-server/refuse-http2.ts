// The answer to a client that begins with HTTP/2 on a port of HTTP/1.1, as gRPC does (prior knowledge, RFC 9113 §3.3).
// Bytes of HTTP/1.1 show it "protocol error" at most, and it tries again for ever: it gets the reason in its own
// protocol. Node's HTTP/2 reads and writes; Node's parser of HTTP/1.1 keeps the socket, and hands over what it refuses.
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createClientPlaces, type Place } from '../kit/shares/client-places.ts';
import type { OwnerOf } from './client-of.ts';
import { formatErrorBody, refuse } from './request-error.ts';

/** Of Node's parser. `rawPacket`: a Buffer of what came; the parser took `bytesParsed` of it. */
export type ParserError = { code?: string; rawPacket?: unknown; bytesParsed?: number };

type Options = {
  ownerOf: OwnerOf;
  clusterId: string | null;
  /** Where HTTP/2 is spoken instead, a sentence; default: nothing. */
  elsewhere?: string;
};

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Of all that a client sends: as much as the head of a request of HTTP/1.1. */
const maxBytes = 16_384;
/** From the preface until the connection ends: time for a call to come and for its answer to be read. */
const maxMs = 2000;
/** Connections at a time, and in `placeMs`; others get the answer to any bytes that are no request. */
const maxAtOnce = 64;
/** A place is held so long, also by a shorter connection: one costs 0.6 ms of CPU, five times as much as other refused ones. */
const placeMs = 1000;
/** UNIMPLEMENTED of gRPC. */
const unimplemented = '12';

/** Whether the socket belongs to HTTP/2, and is answered here. */
export type RefuseHttp2 = (socket: Socket, error: ParserError) => boolean;

export function createRefuseHttp2({ ownerOf, clusterId, elsewhere }: Options): RefuseHttp2 {
  const places = createClientPlaces({ max: maxAtOnce });
  const streams = new WeakMap<Socket, Duplex>();
  const { status, messages } = refuse('httpVersionNotSpoken', { elsewhere: elsewhere ? ` ${elsewhere}` : '' });
  const headers = {
    'access-control-allow-origin': '*',
    ...(clusterId === null ? {} : { 'x-cluster-id': clusterId }),
  };

  return (socket, error) => {
    const open = streams.get(socket);
    if (open) {
      if (Buffer.isBuffer(error.rawPacket) && socket.bytesRead <= maxBytes) open.push(error.rawPacket);
      else socket.destroy();
      return true;
    }
    const sent = bytesAfterPreface(socket, error);
    if (!sent || socket.bytesRead > maxBytes) return false;
    const place = places.tryEnter(ownerOf(socket).client, { withdraw: () => socket.destroy() });
    if (!place) return false;
    const stream = toDuplex(socket);
    streams.set(socket, stream);
    endWith(socket, stream, place);
    stream.push(Buffer.concat([preface, sent]));
    const session = performServerHandshake(stream, {
      maxHeaderListPairs: 64,
      settings: { enablePush: false, maxHeaderListSize: maxBytes, maxConcurrentStreams: 16 },
    });
    // Whatever a client does wrong ends its connection, and nothing else.
    session.on('error', () => socket.destroy());
    session.on('stream', (call, { 'content-type': type }) => {
      call.on('error', () => {});
      if (call.destroyed) return;
      if (type?.startsWith('application/grpc')) answerCall(call);
      else answerRequest(call);
      session.close();
    });
    return true;
  };

  /** Trailers only: a call that has failed. */
  function answerCall(call: ServerHttp2Stream): void {
    const trailers = { 'grpc-status': unimplemented, 'grpc-message': messages.join(' ') };
    call.respond({ ':status': 200, 'content-type': 'application/grpc', ...headers, ...trailers }, { endStream: true });
  }

  function answerRequest(call: ServerHttp2Stream): void {
    call.respond({ ':status': status, 'content-type': 'application/json; charset=utf-8', ...headers });
    call.end(formatErrorBody(messages));
  }
}

/** null = these bytes are something else, or something came before them: what follows a request is never read so. */
function bytesAfterPreface({ bytesRead }: Socket, { code, rawPacket, bytesParsed = 0 }: ParserError): Buffer | null {
  if (code !== 'HPE_PAUSED_H2_UPGRADE' || !Buffer.isBuffer(rawPacket)) return null;
  return bytesRead - rawPacket.length + bytesParsed === preface.length ? rawPacket.subarray(bytesParsed) : null;
}

function endWith(socket: Socket, stream: Duplex, place: Place): void {
  const timer = setTimeout(() => socket.destroy(), maxMs).unref();
  const leaveAtMs = performance.now() + placeMs;
  socket.once('close', () => {
    clearTimeout(timer);
    stream.destroy();
    setTimeout(place.leave, Math.max(0, leaveAtMs - performance.now())).unref();
  });
}

/** What is written to it goes to the socket; what came is pushed by who reads. */
function toDuplex(socket: Socket): Duplex {
  return new Duplex({
    read() {},
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroySoon();
      done(error);
    },
  });
}
