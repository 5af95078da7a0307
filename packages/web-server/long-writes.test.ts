import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { LineFull } from '../kit/shares/client-line.ts';
import { createLongWrites } from './long-writes.ts';

const asked = (client: string) => ({ raw: { client } }) as unknown as FastifyRequest;
const clientOf = (request: object): string => (request as { client: string }).client;

it('writes long bodies one at a time, clients in turn, and refuses the client with most where too many wait', async () => {
  const write = createLongWrites({ clientOf, thread: undefined });
  const written: string[] = [];
  const outcomes: Promise<unknown>[] = [];
  const begin = (client: string): void =>
    void outcomes.push(write(asked(client), () => written.push(client)).catch((error: unknown) => error));
  for (let count = 0; count < 250; count++) begin('many');
  begin('one');
  expect(written.length).toBeLessThanOrEqual(1);
  const refused = (await Promise.all(outcomes)).filter((error) => error instanceof LineFull);
  expect(written.indexOf('one')).toBe(1);
  expect(refused.length).toBe(50);
  expect(written.length).toBe(201);
});
