import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClientConnections } from './client-connections.ts';
import { defaultConnectionLimits } from './connection-limits.ts';
import { createListener } from './create-listener.ts';

test('requests of one connection begin one after the other, each when the answer before it has ended', async () => {
  const begun: string[] = [];
  const answers: ServerResponse[] = [];
  const connections = createClientConnections(defaultConnectionLimits);
  const server = createListener(
    (request, answer) => {
      begun.push(request.url!);
      answers.push(answer);
      server.emit('begun');
    },
    defaultConnectionLimits,
    connections,
    { clusterId: null },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    let received = '';
    client.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    const paths = ['/first', '/second', '/third'];
    // In one piece: Node reads them all at once.
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
    for (const count of [1, 2, 3]) {
      if (begun.length < count) await once(server, 'begun');
      await setImmediate();
      expect(begun).toEqual(paths.slice(0, count));
      answers[count - 1]!.end(`answer ${count}`);
    }
    while (!received.includes('answer 3')) await once(client, 'data');
    expect(received.match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  } finally {
    client.destroy();
    connections.close();
    server.close();
  }
});
