// A connection whose bytes a test chooses itself, and the answers on it as they come: nothing in between tidies up.
import { connect, type Socket } from 'node:net';

export type RawAnswer = { status: number; head: string; body: string };

export type RawConnection = {
  socket: Socket;
  send(text: string | Buffer): void;
  /** Resolves with the next answer; null when the connection ended without a further one. */
  next(options?: NextOptions): Promise<RawAnswer | null>;
  /** Every answer until the other side ends the connection. */
  rest(): Promise<RawAnswer[]>;
  /** What came and is no whole answer. */
  leftOver(): string;
  close(): void;
};

type NextOptions = {
  /** Of the request that is answered: answers to HEAD have a length but no body. */
  method?: string;
  timeoutMs?: number;
};

export function openRawConnection(port: number, host = '127.0.0.1'): RawConnection {
  const socket = connect({ port, host });
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is one way for the other side to end it.
  socket.on('error', () => {});
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      isOver = true;
      wake();
    });
  }

  async function next({ method = 'GET', timeoutMs = 240_000 }: NextOptions = {}): Promise<RawAnswer | null> {
    const until = Date.now() + timeoutMs;
    for (;;) {
      const found = cutAnswer(received, method, isOver);
      if (found) {
        received = received.subarray(found.sizeBytes);
        if (found.answer.status !== 100) return found.answer;
        continue;
      }
      if (isOver) return null;
      const left = until - Date.now();
      if (left <= 0) throw new Error(`No answer in ${timeoutMs} ms; so far: ${JSON.stringify(received.toString())}`);
      await new Promise<void>((done) => {
        const timer = setTimeout(done, left);
        wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
  }

  return {
    socket,
    send(text) {
      socket.write(text);
    },
    next,
    async rest() {
      const answers: RawAnswer[] = [];
      for (;;) {
        const answer = await next();
        if (!answer) return answers;
        answers.push(answer);
      }
    },
    leftOver: () => received.toString('latin1'),
    close() {
      socket.destroy();
    },
  };
}

/** Throws where the bytes are no answer. */
function cutAnswer(bytes: Buffer, method: string, isOver: boolean): { answer: RawAnswer; sizeBytes: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const found = /^HTTP\/1\.1 (\d{3}) /.exec(head);
  if (!found) throw new Error(`No answer: ${JSON.stringify(head)}`);
  const status = Number(found[1]);
  const start = end + 4;
  const answer = (from: number, to: number, sizeBytes: number) => ({
    answer: { status, head, body: bytes.toString('utf8', from, to) },
    sizeBytes,
  });
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return answer(start, start, start);
  const length = /^content-length: *(\d+)\r?$/im.exec(head)?.[1];
  if (length !== undefined) {
    const stop = start + Number(length);
    return bytes.length >= stop ? answer(start, stop, stop) : null;
  }
  if (/^transfer-encoding: *chunked\r?$/im.test(head)) {
    const stop = bytes.indexOf('0\r\n\r\n', start);
    return stop < 0 ? null : answer(start, stop, stop + 5);
  }
  return isOver ? answer(start, bytes.length, bytes.length) : null;
}
