// A body in another coding than chunks: this service has none of them, and a proxy in front could take its end for
// another place. Refused before anything is read, and the connection ends.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/program/free-port.ts';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { openRawConnection } from './raw-connection.ts';

let product: Product;
const ports: Record<string, number> = {};
beforeAll(async () => {
  for (const name of ['rpc', 'status', 'metrics']) ports[name] = await freePort();
  product = await startProduct([
    ...[
      '--rpc-port',
      String(ports.rpc),
      '--status-port',
      String(ports.status),
      '--metrics-port',
      String(ports.metrics),
    ],
  ]);
  ports.service = product.port;
});
afterAll(() => product?.close());

const codings = [
  ...['gzip', 'GZIP', 'gzip, chunked', 'chunked, gzip', 'deflate', 'identity', 'identity, chunked', 'chunked, chunked'],
  ...['x', 'chunked;q=1', 'chunked, ', 'xchunked', '"chunked"', 'chunked\r\nTransfer-Encoding: gzip'],
  'gzip\r\nTransfer-Encoding: chunked',
];
const places: [port: string, method: string, path: string][] = [
  ['service', 'POST', '/rpc'],
  ['service', 'POST', '/api/v1/contracts/call'],
  ['service', 'POST', '/verify/explorer'],
  ['service', 'POST', '/status/manage/incidents'],
  ['service', 'GET', '/api/v1/blocks'],
  ['service', 'GET', '/status'],
  ['service', 'POST', '/nothing'],
  ['rpc', 'POST', '/'],
  ['status', 'POST', '/status/report'],
  ['metrics', 'GET', '/metrics'],
];
const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';

async function exchange(port: string, text: string): Promise<{ statuses: number[]; body: string }> {
  const connection = openRawConnection(ports[port]!);
  try {
    connection.send(text);
    const answers = await connection.rest();
    return { statuses: answers.map(({ status }) => status), body: answers[0]?.body ?? '' };
  } finally {
    connection.close();
  }
}

describe.each(places)('on the port %s, %s %s', (port, method, path) => {
  it.each(codings)('with the coding %j is refused, and nothing after it is answered', async (coding) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}`;
    const body = `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`;
    const { statuses, body: said } = await exchange(
      port,
      `${head}\r\n\r\n${body}GET /api/v1/blocks HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect(statuses).toEqual([400]);
    expect(JSON.parse(said)).toEqual({ _status: { messages: [{ message: 'Bad request' }] } });
  });
});

it.each(['chunked', 'Chunked', ' chunked '])('the coding %j is read', async (coding) => {
  const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding:${coding}`;
  const { statuses, body } = await exchange(
    'rpc',
    `${head}\r\n\r\n${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`,
  );
  expect([statuses, JSON.parse(body)]).toEqual([[200], { jsonrpc: '2.0', id: 1, result: '0x128' }]);
});

it('a web socket is not opened with one', async () => {
  const head =
    'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  expect((await exchange('rpc', `${head}Transfer-Encoding: gzip\r\n\r\n`)).statuses).toEqual([400]);
});
