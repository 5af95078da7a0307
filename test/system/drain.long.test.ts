// A `serve` that is told to end: nobody sends it a request that is not answered.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createAnswerReader } from '../../bench/support/http-load.ts';
import { serveWithWorkers } from './serve-workers.ts';

type End = { answered: number; saidClose: boolean; unanswered: boolean };

it.each([1, 2])('each connection ends with an answer that says so (%d workers)', async (workers) => {
  const serving = await serveWithWorkers(workers, { flags: ['--drain-time', '30000'] });
  try {
    const port = Number(new URL(serving.url).port);
    let started = 0;
    const running = Promise.withResolvers<void>();
    const clients = Array.from({ length: 16 }, () =>
      askUntilClosed(port, () => {
        started += 1;
        if (started === 16 * 3) running.resolve();
      }),
    );
    await running.promise;
    serving.mirror.child.kill('SIGTERM');
    for (const end of await Promise.all(clients)) expect(end).toMatchObject({ saidClose: true, unanswered: false });
    expect(await serving.mirror.ended).toBe(0);
    expect(serving.mirror.output()).not.toMatch(/ error /);
  } finally {
    await serving.close();
  }
});

/** One request after the other on one connection, until the server says that it was the last, or ends it. */
async function askUntilClosed(port: number, onAnswer: () => void): Promise<End> {
  const socket = connect({ port, host: '127.0.0.1' });
  const reader = createAnswerReader();
  const end: End = { answered: 0, saidClose: false, unanswered: false };
  const ask = (): void => {
    end.unanswered = true;
    socket.write('GET /api/v1/blocks HTTP/1.1\r\nhost: a\r\n\r\n');
  };
  socket.on('connect', ask);
  socket.on('data', (chunk) => {
    if (!reader.add(chunk)) return;
    end.unanswered = false;
    end.answered += 1;
    end.saidClose = reader.header('connection') === 'close';
    onAnswer();
    if (!end.saidClose) ask();
  });
  // A reset is an end without a word: what was asked is then unanswered.
  socket.on('error', () => {});
  await new Promise((done) => socket.once('close', done));
  return end;
}
