// Requests that two readers of HTTP may cut in different places. Each hides a second request; what a server within RFC
// 9112 makes of it is written beside it.

type AttackedRequest = { method: string; path: string; hidden: string };

export type AttackShape = {
  name: string;
  /** The bytes, as Latin-1. */
  bytes(request: AttackedRequest): string;
  /**
   * served: one answer, the hidden request is its body; refused: at most one answer, of class 4xx or 5xx, and the
   * connection ends; ended: one answer at most, which may come before the bytes that end the connection; both: the
   * hidden request is one of its own, answered second; open: one answer at most, and whatever follows on this
   * connection is still the body.
   */
  outcome: 'served' | 'refused' | 'ended' | 'both' | 'open';
};

function head(request: AttackedRequest, lines: string[], { version = 'HTTP/1.1', target = request.path } = {}): string {
  return [`${request.method} ${target} ${version}`, 'Host: localhost', ...lines, '', ''].join('\r\n');
}

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';

/** With these lines in the head, and this after it. */
function withLines(
  name: string,
  outcome: AttackShape['outcome'],
  lines: (hidden: string) => string[],
  body: (hidden: string) => string = (hidden) => hidden,
): AttackShape {
  return {
    name,
    outcome,
    bytes: (request) => head(request, lines(request.hidden)) + body(request.hidden),
  };
}

const length = (hidden: string): string => `Content-Length: ${hidden.length}`;
const chunked = 'Transfer-Encoding: chunked';
const inChunks = (hidden: string): string => chunk(hidden) + lastChunk;
const afterLastChunk = (hidden: string): string => lastChunk + hidden;

export const attackShapes: readonly AttackShape[] = [
  // CL.0 and its kin: a length that a route does not read.
  withLines('CL.0: a body with its length', 'served', (hidden) => [length(hidden)]),
  withLines('CL.0: a body of a type', 'served', (hidden) => ['Content-Type: application/json', length(hidden)]),
  withLines(
    'a length without a body',
    'open',
    () => ['Content-Length: 700'],
    () => '',
  ),
  withLines('a length with half a body', 'open', (hidden) => [`Content-Length: ${2 * hidden.length}`]),
  withLines('a length that its header Connection names', 'served', (hidden) => [
    'Connection: content-length',
    length(hidden),
  ]),
  withLines('a length of nothing', 'both', () => ['Content-Length: 0']),
  withLines('a length with leading zeros', 'served', (hidden) => [`Content-Length: 000${hidden.length}`]),
  ...['-1', '+5', '0x5', '5a', '5 5', '1e1', '18446744073709551617', '', '5;'].map((text) =>
    withLines(`a length of ${JSON.stringify(text)}`, 'refused', () => [`Content-Length: ${text}`]),
  ),
  // CL.CL
  withLines('CL.CL: twice the same', 'refused', (hidden) => [length(hidden), length(hidden)]),
  withLines('CL.CL: two lengths', 'refused', (hidden) => ['Content-Length: 0', length(hidden)]),
  withLines('CL.CL: in one line', 'refused', (hidden) => [`Content-Length: 0, ${hidden.length}`]),
  // CL.TE and TE.CL
  withLines('CL.TE', 'refused', (hidden) => [`Content-Length: ${hidden.length + 5}`, chunked], afterLastChunk),
  withLines('TE.CL', 'refused', () => [chunked, 'Content-Length: 4'], inChunks),
  withLines('TE.0: chunks', 'served', () => [chunked], inChunks),
  withLines('chunks, then another request', 'both', () => [chunked], afterLastChunk),
  // TE.TE
  withLines('TE.TE: twice', 'refused', () => [chunked, chunked], afterLastChunk),
  ...[
    'xchunked',
    'chunked, identity',
    'identity',
    'chunked;q=1',
    '"chunked"',
    'chunked chunked',
    '\x0bchunked',
    '',
  ].map((text) =>
    withLines(
      `TE.TE: ${JSON.stringify(text)}`,
      'refused',
      (hidden) => [`Transfer-Encoding: ${text}`, length(hidden)],
      afterLastChunk,
    ),
  ),
  withLines('a space before the colon', 'refused', () => ['Transfer-Encoding : chunked'], afterLastChunk),
  withLines('chunked in capitals', 'served', () => ['Transfer-Encoding: CHUNKED'], inChunks),
  // Chunks
  withLines(
    'chunk extensions',
    'served',
    () => [chunked],
    (hidden) => `${hidden.length.toString(16)};a=b;c="d"\r\n${hidden}\r\n${lastChunk}`,
  ),
  withLines(
    'a chunk extension with a bare LF',
    'ended',
    () => [chunked],
    (hidden) => `0;a\n\r\n${hidden}`,
  ),
  withLines(
    'a chunk size too large for a number',
    'ended',
    () => [chunked],
    (hidden) => `10000000000000000\r\n${hidden}`,
  ),
  withLines(
    'a chunk size below zero',
    'ended',
    () => [chunked],
    (hidden) => `-1\r\n${hidden}`,
  ),
  withLines(
    'a chunk size with 0x',
    'ended',
    () => [chunked],
    (hidden) => `0x5\r\n${hidden}`,
  ),
  withLines(
    'a chunk that is longer than it says',
    'ended',
    () => [chunked],
    (hidden) => `2\r\n${hidden}\r\n${lastChunk}`,
  ),
  withLines(
    'chunks with bare LF',
    'ended',
    () => [chunked],
    (hidden) => `0\n\n${hidden}`,
  ),
  withLines(
    'a trailer that gives a length',
    'both',
    () => [chunked, 'Trailer: Content-Length'],
    (hidden) => `0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  ),
  // Lines
  withLines('obs-fold of a value', 'refused', (hidden) => ['X: a', ` ${length(hidden)}`, length(hidden)]),
  withLines('obs-fold of the coding', 'refused', () => ['Transfer-Encoding:', ' chunked'], afterLastChunk),
  withLines('a folded first line', 'refused', () => [' X: a']),
  withLines('a line without a colon', 'refused', () => ['Content-Length 5']),
  withLines('a header without a name', 'refused', () => [': x']),
  withLines('a bare CR in a value', 'refused', (hidden) => [`X: a\r${length(hidden)}`]),
  withLines('a bare LF between headers', 'refused', (hidden) => [`X: a\n${length(hidden)}`]),
  withLines('NUL in a value', 'refused', () => ['X: a\0b']),
  withLines('NUL in a name', 'refused', () => ['X\0: a']),
  withLines('a name with an underscore', 'both', () => ['Content_Length: 5']),
  withLines('a name with a vertical tab', 'refused', () => ['Content-Length\x0b: 5']),
  withLines('a long head', 'refused', () => [`X: ${'a'.repeat(20_000)}`]),
  withLines('two thousand and one headers', 'both', () => Array.from({ length: 2001 }, () => 'A: ')),
  {
    name: 'bare LF everywhere',
    outcome: 'refused',
    bytes: (request) => head(request, []).replaceAll('\r\n', '\n') + request.hidden,
  },
  {
    name: 'NUL in the path',
    outcome: 'refused',
    bytes: (request) => head({ ...request, path: `${request.path}\0` }, []),
  },
  {
    name: 'a space in the path',
    outcome: 'refused',
    bytes: (request) => head({ ...request, path: `${request.path} x` }, []),
  },
  {
    name: 'an encoded line end in the path',
    outcome: 'both',
    bytes: (request) => head(request, [], { target: `${request.path}?a=%0d%0aX:%20b` }) + request.hidden,
  },
  // Versions
  {
    name: 'HTTP/1.0',
    outcome: 'served',
    bytes: (request) => head(request, [], { version: 'HTTP/1.0' }) + request.hidden,
  },
  {
    name: 'HTTP/1.0, to be kept alive',
    outcome: 'both',
    bytes: (request) => head(request, ['Connection: keep-alive'], { version: 'HTTP/1.0' }) + request.hidden,
  },
  {
    name: 'HTTP/1.0 with a length',
    outcome: 'served',
    bytes: (request) =>
      head(request, ['Connection: keep-alive', length(request.hidden)], { version: 'HTTP/1.0' }) + request.hidden,
  },
  {
    name: 'HTTP/1.0 with chunks, which it does not have',
    outcome: 'refused',
    bytes: (request) =>
      head(request, ['Connection: keep-alive', chunked], { version: 'HTTP/1.0' }) + inChunks(request.hidden),
  },
  {
    name: 'HTTP/1.0 with chunks, then another request',
    outcome: 'refused',
    bytes: (request) =>
      head(request, ['Connection: keep-alive', chunked], { version: 'HTTP/1.0' }) + lastChunk + request.hidden,
  },
  { name: 'HTTP/0.9', outcome: 'refused', bytes: ({ path, hidden }) => `GET ${path}\r\n${hidden}` },
  {
    name: 'HTTP/1.2',
    outcome: 'refused',
    bytes: (request) => head(request, [], { version: 'HTTP/1.2' }) + request.hidden,
  },
  {
    name: 'HTTP/2.0',
    outcome: 'refused',
    bytes: (request) => head(request, [], { version: 'HTTP/2.0' }) + request.hidden,
  },
  {
    name: 'the preface of HTTP/2',
    outcome: 'refused',
    bytes: ({ hidden }) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`,
  },
  // Targets and hosts
  {
    name: 'absolute form',
    outcome: 'both',
    bytes: (request) => head(request, [], { target: `http://other.example${request.path}` }) + request.hidden,
  },
  {
    name: 'absolute form with a body',
    outcome: 'served',
    bytes: (request) =>
      head(request, [length(request.hidden)], { target: `http://other.example${request.path}` }) + request.hidden,
  },
  {
    name: 'a target that is no path',
    outcome: 'refused',
    bytes: (request) => head(request, [], { target: 'x' }) + request.hidden,
  },
  {
    name: 'CONNECT',
    outcome: 'refused',
    bytes: (request) => head({ ...request, method: 'CONNECT' }, [], { target: 'x:80' }) + request.hidden,
  },
  {
    name: 'a method in lower case',
    outcome: 'refused',
    bytes: (request) => head({ ...request, method: request.method.toLowerCase() }, []) + request.hidden,
  },
  withLines('two hosts', 'refused', () => ['Host: y']),
  {
    name: 'no host',
    outcome: 'refused',
    bytes: ({ method, path, hidden }) => `${method} ${path} HTTP/1.1\r\n\r\n${hidden}`,
  },
  // What asks the server for something else
  withLines('Upgrade to a WebSocket', 'both', () => [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version: 13',
  ]),
  withLines('Upgrade to HTTP/2 with a body', 'served', (hidden) => [
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABkAAQAAP__',
    length(hidden),
  ]),
  withLines('Expect: 100-continue', 'served', (hidden) => ['Expect: 100-continue', length(hidden)]),
  withLines(
    'Expect: 100-continue, and no body',
    'open',
    () => ['Expect: 100-continue', 'Content-Length: 700'],
    () => '',
  ),
  withLines('another method in a header', 'both', () => ['X-HTTP-Method-Override: POST']),
  withLines('headers of the forwarding server', 'both', () => [
    'X-Status-Client: x',
    'X-Status-Forward: x',
    'X-Status-Secret: x',
    'X-Status-By: x',
  ]),
  withLines('headers that Connection takes away', 'both', () => [
    'Connection: keep-alive, x-status-client, x-status-forward, host',
  ]),
  // Pipelining
  withLines('pipelining', 'both', () => []),
];
