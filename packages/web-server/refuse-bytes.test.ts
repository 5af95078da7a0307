// What is no HTTP request, over a socket: an answer in the API's own form, then the end of the connection.
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseBytes } from './refuse-bytes.ts';

const app = fastify({ clientErrorHandler: refuseBytes({ clusterId: null }) });
app.get('/', async () => 'good');
let port: number;

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

function exchange(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const answer = (status: string, message: string) => {
  const body = `{"_status":{"messages":[{"message":"${message}"}]}}`;
  return `HTTP/1.1 ${status}\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
};

it.each([
  ['no HTTP at all', 'hello\r\n\r\n', answer('400 Bad Request', 'Bad request')],
  ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', answer('400 Bad Request', 'Bad request')],
  [
    'a long head',
    `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    answer('431 Request Header Fields Too Large', 'Request header fields too large'),
  ],
])('%s', async (_, text, expected) => {
  expect(await exchange(text)).toBe(expected);
});

it('after a good answer on the same connection too', async () => {
  let text = '';
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', resolve);
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('good')) socket.write('hello\r\n\r\n');
    });
  });
  expect(text.slice(text.indexOf('good'))).toBe(`good${answer('400 Bad Request', 'Bad request')}`);
});
