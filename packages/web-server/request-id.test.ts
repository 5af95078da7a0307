import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { refuse } from './request-error.ts';
import { createResponder } from './responder.ts';

/** The answer to a request that ends so, and the lines of the log. */
async function ask(headers: Record<string, string>, error: Error) {
  const lines: { requestId?: string; msg: string }[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const responder = createResponder(log);
  const app = fastify();
  app.get('/', (request, reply) => {
    void responder.respond(request, reply, () => Promise.reject(error));
  });
  const answer = await app.inject({ url: '/', headers });
  await app.close();
  return { id: answer.headers['x-request-id'], lines };
}

test("a failure is named in answer and log by the client's id", async () => {
  const { id, lines } = await ask({ 'x-request-id': 'wallet-7:42' }, new Error('a defect'));
  expect(id).toBe('wallet-7:42');
  expect(lines).toEqual([expect.objectContaining({ requestId: 'wallet-7:42', msg: 'Request failed' })]);
});

test.each([{}, { 'x-request-id': 'with space' }, { 'x-request-id': 'x'.repeat(101) }])(
  'without a usable id, one is made: %j',
  async (headers) => {
    const { id, lines } = await ask(headers as Record<string, string>, new Error('a defect'));
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(lines[0]!.requestId).toBe(id);
  },
);

test('what is refused needs no name', async () => {
  expect(await ask({ 'x-request-id': 'wallet-7' }, refuse('notFound'))).toEqual({ id: undefined, lines: [] });
});
