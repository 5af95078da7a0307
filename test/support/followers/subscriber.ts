// A client of web sockets that comes back after each break, and fetches by number of block what it missed.
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

type Json = ReturnType<typeof JSON.parse>;
type Socket = InstanceType<typeof WebSocket> & Json;

export type Subscriber = {
  /** Numbers of blocks, and logs as `block:index`, in the order in which they came. */
  heads: { number: number; hash: string }[];
  logs: string[];
  connections(): number;
  /** Codes with which connections ended (RFC 6455, 7.4), 1006 = without a word. */
  ends: number[];
  /** Breaks the connection without a word. */
  cut(): void;
  close(): void;
};

/** @param url of the moment; `from`: the first block that it wants. */
export function openSubscriber(url: () => string, from: number): Subscriber {
  const heads: Subscriber['heads'] = [];
  const logs: string[] = [];
  const ends: number[] = [];
  let [socket, isOver, connections] = [null as Socket | null, false, 0];
  let lastHead = from - 1;
  let lastLog: readonly [number, number] = [from, -1];

  void run();
  return {
    ...{ heads, logs, ends, connections: () => connections },
    cut: () => socket?.terminate(),
    close() {
      isOver = true;
      socket?.terminate();
    },
  };

  async function run(): Promise<void> {
    while (!isOver) {
      try {
        await live();
      } catch {
        // The connection is lost, or the server starts.
      }
      await sleep(20);
    }
  }

  async function live(): Promise<void> {
    const { ask, events, ended } = await open();
    await Promise.all([ask('eth_subscribe', ['newHeads']), ask('eth_subscribe', ['logs', {}])]);
    const newest = Number(await ask('eth_blockNumber', []));
    for (let number = lastHead + 1; number <= newest; number++) {
      takeHead(await ask('eth_getBlockByNumber', [toHex(number), false]));
    }
    if (lastLog[0] <= newest) {
      const range = { fromBlock: toHex(lastLog[0]), toBlock: toHex(newest) };
      for (const log of await ask('eth_getLogs', [range])) takeLog(log);
    }
    // Others came meanwhile.
    const take = (event: Json): void => {
      if ('parentHash' in event && Number(event.number) > newest) takeHead(event);
      else if ('logIndex' in event && Number(event.blockNumber) > newest) takeLog(event, true);
    };
    events.take(take);
    await ended;
  }

  function takeHead({ number, hash }: Json): void {
    heads.push({ number: Number(number), hash });
    lastHead = Number(number);
  }

  /** `isNew`: from the subscription, where none comes that was fetched. */
  function takeLog({ blockNumber, logIndex }: Json, isNew = false): void {
    const at = [Number(blockNumber), Number(logIndex)] as const;
    const isSeen = at[0] < lastLog[0] || (at[0] === lastLog[0] && at[1] <= lastLog[1]);
    if (isSeen && !isNew) return;
    logs.push(at.join(':'));
    lastLog = at;
  }

  async function open() {
    connections += 1;
    const own: Socket = new (WebSocket as Json)(url(), { handshakeTimeout: 5000 });
    socket = own;
    const answers = new Map<number, (answer: Json) => void>();
    let waiting: Json[] = [];
    let take: ((event: Json) => void) | null = null;
    const ended = new Promise<void>((done) => {
      own.on('close', (code: number) => {
        if (!isOver) ends.push(code);
        done();
      });
    });
    own.on('error', () => {});
    own.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString());
      if (message.method !== 'eth_subscription') answers.get(message.id)?.(message);
      else if (take) take(message.params.result);
      else waiting.push(message.params.result);
    });
    await Promise.race([new Promise((done) => own.on('open', done)), ended]);
    let id = 0;
    const ask = async (method: string, params: unknown[]): Promise<Json> => {
      id += 1;
      const asked = id;
      const answer = new Promise<Json>((done) => answers.set(asked, done));
      own.send(JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }));
      const { result, error } = (await Promise.race([answer, ended])) ?? { error: 'closed' };
      if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
      return result;
    };
    const events = {
      take(given: (event: Json) => void) {
        for (const event of waiting) given(event);
        waiting = [];
        take = given;
      },
    };
    return { ask, events, ended };
  }
}

const toHex = (number: number): string => `0x${number.toString(16)}`;
