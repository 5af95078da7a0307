// Clients that ask and ask again, on connections that they keep.
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Asked = { path: string; body?: string; headers?: Record<string, string> };
/** `cookie`: of a session, to be sent with later requests. */
export type Told = { status: number; retryAfter?: string | undefined; cookie?: string | undefined; body: string };

/** HTTP from one address; status 0 = the connection was ended. */
export function openClient(url: string, localAddress: string, connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress });
  const ask = ({ path, body, headers = {} }: Asked): Promise<Told> =>
    new Promise((resolve) => {
      const method = body === undefined ? 'GET' : 'POST';
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const asked = request(`${url}${path}`, { agent, method, headers: { ...type, ...headers } }, (answer) => {
        readText(answer).then((text) =>
          resolve({
            ...{ status: answer.statusCode!, body: text, retryAfter: answer.headers['retry-after'] },
            cookie: answer.headers['set-cookie']?.[0]?.split(';')[0],
          }),
        );
      });
      asked.on('error', ({ message }) => resolve({ status: 0, body: message }));
      asked.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

async function readText(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  try {
    for await (const part of answer) parts.push(part as Buffer);
  } catch {
    // It was cut off: what came counts.
  }
  return Buffer.concat(parts).toString();
}

export type Load = { answers: Told[]; end(): Promise<Told[]> };

/**
 * Asks on all connections, one after the other on each, until the test says so. `everyMs`: between two of a connection.
 */
export function keepAsking(
  url: string,
  localAddress: string,
  asks: readonly Asked[],
  { connections = 1, everyMs = 0 } = {},
): Load {
  const client = openClient(url, localAddress, connections);
  const answers: Told[] = [];
  let isOver = false;
  const run = async (place: number): Promise<void> => {
    for (let turn = place; !isOver; turn += connections) {
      answers.push(await client.ask(asks[turn % asks.length]!));
      await sleep(everyMs);
    }
  };
  const running = Promise.all(Array.from({ length: connections }, (_, place) => run(place)));
  return {
    answers,
    async end() {
      isOver = true;
      await running;
      client.close();
      return answers;
    },
  };
}
