// A page of another site, and a page whose name was pointed at this machine after it was loaded: what a browser would
// send of them, to every route that does more than read, on every port, of the real service and its status service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/program/free-port.ts';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { openRawConnection, type RawAnswer } from './raw-connection.ts';

const token = 'a-token-of-sixteen-characters';
let product: Product;
let ports: Record<string, number>;
beforeAll(async () => {
  const [hiero, rpc, status] = await Promise.all([freePort(), freePort(), freePort()]);
  ports = { hiero: hiero!, rpc: rpc!, status: status! };
  product = await startProduct([
    ...['--port-hiero', String(hiero), '--rpc-port', String(rpc), '--status-port', String(status)],
    ...['--status-token', `kim:${token}`],
  ]);
  ports.service = product.port;
});
afterAll(() => product?.close());

const call = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}';
const place = '298/0x00000000000000000000000000000000000003e9';
const changing: [port: string, method: string, path: string, type?: string][] = [
  ['service', 'POST', '/rpc'],
  ['service', 'POST', '/RPC/'],
  ['service', 'POST', '/'],
  ['service', 'POST', '/api/v1/contracts/call'],
  ['service', 'POST', '/hiero/api/v1/contracts/call'],
  ['service', 'POST', '/verify/explorer'],
  ['service', 'POST', `/v2/verify/${place}`],
  ['service', 'POST', `/v2/verify/etherscan/${place}`],
  ['service', 'POST', `/v2/verify/similarity/${place}`],
  ['service', 'POST', '/verify', 'multipart/form-data; boundary=x'],
  ['service', 'POST', '/session/input-files', 'multipart/form-data; boundary=x'],
  ['service', 'POST', '/session/clear'],
  ['service', 'POST', '/api', 'application/x-www-form-urlencoded'],
  ['service', 'POST', '/v2/api?chainid=298', 'application/x-www-form-urlencoded'],
  ['service', 'POST', '/testnet/contract/0.0.1001/source', 'multipart/form-data; boundary=x'],
  ['service', 'POST', '/status/manage/incidents'],
  ['service', 'PATCH', '/status/manage/components/api'],
  ['service', 'DELETE', '/status/manage/incidents/1'],
  ['hiero', 'POST', '/rpc'],
  ['hiero', 'POST', '/api/v1/contracts/call'],
  ['hiero', 'POST', '/status/manage/incidents'],
  ['rpc', 'POST', '/'],
  ['rpc', 'POST', '/verify/explorer'],
  ['status', 'POST', '/status/manage/incidents'],
  ['status', 'DELETE', '/status/manage/webhooks/1'],
];

async function ask(port: string, head: string, body = ''): Promise<RawAnswer> {
  const connection = openRawConnection(ports[port]!);
  try {
    connection.send(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return (await connection.next())!;
  } finally {
    connection.close();
  }
}

const hostSentence = (host: string) =>
  `This service may not be asked by the name ${host}; --allowed-hosts says by which names it may`;
const originSentence = (origin: string) =>
  `Pages of ${origin} may not ask for this here; --allowed-origins says whose pages may`;

function messageOf({ body }: RawAnswer): string {
  const { error, _status } = JSON.parse(body);
  return error ? error.message : _status.messages[0].message;
}

describe.each(changing)('on the port %s, %s %s', (port, method, path, type = 'application/json') => {
  const head = (host: string, more = '') =>
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}${more}`;

  it('is refused to a page whose name was pointed here', async () => {
    const host = `evil.example:${ports[port]}`;
    const answer = await ask(port, head(host, `\r\nOrigin: http://${host}\r\nSec-Fetch-Site: same-origin`), call);
    expect([answer.status, messageOf(answer)]).toEqual([403, hostSentence(host)]);
  });

  it('is refused to a page of another site', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await ask(port, head(`127.0.0.1:${ports[port]}`, `\r\nOrigin: ${origin}`), call);
      expect([answer.status, messageOf(answer)]).toEqual([403, originSentence(origin)]);
    }
  });

  it('is not refused so to programs, pages of this machine and extensions', async () => {
    const callers = ['', '\r\nOrigin: http://localhost:3000', '\r\nOrigin: chrome-extension://abc'];
    const hosts = ['localhost', '127.0.0.1', '[::1]', 'mirror.localhost', '10.0.0.7'];
    for (const [index, host] of hosts.entries()) {
      const answer = await ask(port, head(`${host}:${ports[port]}`, callers[index % callers.length]), call);
      expect(answer.status).not.toBe(403);
    }
  });
});

it('a refusal has the form of JSON-RPC where that is asked', async () => {
  const { status, body } = await ask('rpc', `POST / HTTP/1.1\r\nHost: evil.example`, call);
  expect([status, JSON.parse(body)]).toEqual([
    403,
    { jsonrpc: '2.0', id: null, error: { code: -32600, message: hostSentence('evil.example') } },
  ]);
});

it.each(['/health/liveness', '/health/readiness', '/metrics', '/api/v1/blocks', '/status', '/api/v2/status.json', '/'])(
  'GET %s is answered to whoever asks, by any name',
  async (path) => {
    for (const host of ['10.244.0.7:5551', 'evil.example', 'kubernetes.default.svc']) {
      const { status } = await ask('service', `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://evil.example`);
      expect([200, 503]).toContain(status);
    }
  },
);

it('a link that starts a check is refused', async () => {
  const query = 'module=contract&action=verifysourcecode&contractaddress=0x00000000000000000000000000000000000003e9';
  const { body } = await ask('service', `GET /api?${query} HTTP/1.1\r\nHost: 127.0.0.1`);
  expect(JSON.parse(body)).toMatchObject({ status: '0', result: 'Error! verifysourcecode must be sent with POST' });
});

it('a report to the status service is not refused for its name', async () => {
  const answer = await ask('status', 'POST /status/report HTTP/1.1\r\nHost: status.internal', '{}');
  expect(answer.status).not.toBe(403);
});

describe('a web socket', () => {
  const upgrade = (host: string, more = '') =>
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==${more}\r\n\r\n`;
  const open = async (bytes: string) => {
    const connection = openRawConnection(ports.rpc!);
    try {
      connection.send(bytes);
      const answers = connection.next({ method: 'HEAD' });
      return (await answers)!.status;
    } finally {
      connection.close();
    }
  };

  it.each([
    ['localhost', '', 101],
    ['127.0.0.1:8546', '\r\nOrigin: http://localhost:3000', 101],
    ['127.0.0.1:8546', '\r\nOrigin: moz-extension://0a-1b', 101],
    ['127.0.0.1:8546', '\r\nOrigin: https://evil.example', 403],
    ['127.0.0.1:8546', '\r\nOrigin: null', 403],
    ['evil.example', '', 403],
    ['evil.example', '\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: same-origin', 403],
  ])('asked of %s with %j gets %s', async (host, more, status) => {
    expect(await open(upgrade(host, more))).toBe(status);
  });
});
