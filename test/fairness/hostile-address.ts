// Clients of one machine with addresses of their own: Linux answers to all of 127.0.0.0/8.
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const hostileAddress = '127.0.0.66';
export const honestAddresses = Array.from({ length: 8 }, (_, place) => `127.0.1.${place + 1}`);

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

/** Asks on all connections, one after the other on each, until the test says so. `everyMs`: between two of a connection. */
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

/** A call of gRPC by hand, with a message that is made already. Resolves with its status. */
export async function callGrpc(address: string, localAddress: string, path: string, message: Buffer): Promise<string> {
  const [host, port] = address.split(':');
  const session = connect(`http://${address}`, {
    createConnection: () => connectSocket({ host, port: Number(port), localAddress }),
  });
  try {
    return await new Promise<string>((resolve, reject) => {
      session.on('error', reject);
      const stream = session.request({
        ...{ ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' },
      });
      let said = '';
      const note = (headers: Record<string, unknown>): void => {
        said = String(headers['grpc-status'] ?? said);
      };
      stream.on('response', note);
      stream.on('trailers', note);
      stream.on('error', reject);
      stream.on('close', () => resolve(said));
      stream.resume();
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(message.length, 1);
      stream.end(Buffer.concat([prefix, message]));
    });
  } finally {
    session.destroy();
  }
}
