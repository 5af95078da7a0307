// Requests that name the type of a body and have none, as clients send DELETE: with a length of 0, without one, and as
// no chunk. On the port of the status service, and on that of the mirror, which hands them on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/program/free-port.ts';
import { type Product, startProduct } from '../support/program/start-product.ts';
import { openRawConnection } from './raw-connection.ts';

const token = 'a-token-of-sixteen-characters';
let product: Product;
const ports: Record<string, number> = {};
beforeAll(async () => {
  ports.status = await freePort();
  product = await startProduct([
    ...['--status-token', `kim:${token}`, '--status-port', String(ports.status), '--status-webhook-private'],
    ...['--status-reporters', 'mirror:another-token-of-a-reporter'],
  ]);
  ports.mirror = product.port;
});
afterAll(() => product?.close());

type Answered = { status: number; body: ReturnType<typeof JSON.parse> };

async function ask(port: string, start: string, type: string, rest = 'Content-Length: 0\r\n\r\n'): Promise<Answered> {
  const connection = openRawConnection(ports[port]!);
  try {
    const head = ['Host: localhost', 'Connection: close', `Authorization: Bearer ${token}`, `Content-Type: ${type}`];
    connection.send(`${start} HTTP/1.1\r\n${head.join('\r\n')}\r\n${rest}`);
    const { status, body } = (await connection.next())!;
    return { status, body: JSON.parse(body) };
  } finally {
    connection.close();
  }
}

function post(path: string, body: object): Promise<Answered> {
  const text = JSON.stringify(body);
  return ask('status', `POST ${path}`, 'application/json', `Content-Length: ${text.length}\r\n\r\n${text}`);
}

const emptyBodies: [what: string, type: string, rest: string][] = [
  ['a length of 0', 'application/json', 'Content-Length: 0\r\n\r\n'],
  ['no length', 'application/json', '\r\n'],
  ['no chunk', 'application/json', 'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a charset', 'application/json; charset=utf-8', 'Content-Length: 0\r\n\r\n'],
  ['the type of a form', 'application/x-www-form-urlencoded', 'Content-Length: 0\r\n\r\n'],
  ['the type of text', 'text/plain', 'Content-Length: 0\r\n\r\n'],
];
const incident = { name: 'Slow', body: 'We look into it.', status: 'investigating', impact: 'minor' };
const maintenance = {
  ...{ name: 'Update', body: 'As planned.', components: ['api'] },
  ...{ scheduled_for: '2099-01-01T00:00:00Z', scheduled_until: '2099-01-01T01:00:00Z' },
};

describe.each(['status', 'mirror'])('on the port of the %s', (port) => {
  it.each(emptyBodies)('with %s, DELETE deletes', async (_what, type, rest) => {
    const webhook = await post('/status/manage/webhooks', { url: 'http://127.0.0.1:1/hook' });
    const made = [
      ['incidents', (await post('/status/manage/incidents', incident)).body.id],
      ['maintenances', (await post('/status/manage/maintenances', maintenance)).body.id],
      ['webhooks', webhook.body.id],
    ];
    const tested = await ask(port, `POST /status/manage/webhooks/${webhook.body.id}/test`, type, rest);
    expect([tested.status, tested.body]).toEqual([202, { tested: webhook.body.id }]);
    for (const [kind, id] of made) {
      const { status, body } = await ask(port, `DELETE /status/manage/${kind}/${id}`, type, rest);
      expect([kind, status, body.id ?? body.removed]).toEqual([kind, 200, id]);
    }
    const { status, body } = await ask(port, 'DELETE /status/manage/reporters/none', type, rest);
    expect([status, body._status.messages]).toEqual([404, [{ message: 'No reporter has this name.' }]]);
  });

  it.each(emptyBodies)('with %s, what needs a body says so', async (_what, type, rest) => {
    for (const start of ['POST /status/manage/incidents', 'PATCH /status/manage/incidents/x']) {
      const { status, body } = await ask(port, start, type, rest);
      expect([status, body._status.messages]).toEqual([400, [{ message: 'The body must be a JSON object.' }]]);
    }
  });

  it('a body that is not JSON is refused by its type, and one that only says so by its text', async () => {
    const text = JSON.stringify(incident);
    const rest = `Content-Length: ${text.length}\r\n\r\n${text}`;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const { status, body } = await ask(port, 'POST /status/manage/incidents', type, rest);
      const message = 'The body must be JSON, sent as application/json.';
      expect([status, body._status.messages]).toEqual([415, [{ message }]]);
    }
    const broken = await ask(port, 'POST /status/manage/incidents', 'application/json', 'Content-Length: 1\r\n\r\n{');
    expect(broken.status).toBe(400);
  });
});

const place = '298/0x00000000000000000000000000000000000003e9';
it.each(emptyBodies.slice(0, 4))(
  'with %s, routes of contract checks that need no body are answered',
  async (_what, type, rest) => {
    for (const path of [`/v2/verify/similarity/${place}`, `/v2/verify/etherscan/${place}`]) {
      const { body } = await ask('mirror', `POST ${path}`, type, rest);
      expect(body.customCode).not.toBe('invalid_json');
      expect(JSON.stringify(body)).not.toMatch(/empty|must be object/);
    }
    const needy = await ask('mirror', `POST /v2/verify/${place}`, type, rest);
    expect([needy.status, needy.body.message]).toEqual([400, 'request/body must be object']);
  },
);
