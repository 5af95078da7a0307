import { expect, test } from 'vitest';
import type { Database, NamedQuery } from '../../wire/database.ts';
import { asDistributed } from './as-distributed.ts';

test('a question with a form for several machines is asked in it, also within a snapshot; others are asked as they are', async () => {
  const texts: string[] = [];
  const stored = {
    async query<Row>({ text }: NamedQuery<Row>): Promise<Row[]> {
      texts.push(text);
      return [];
    },
    snapshot: (work) => work(stored),
  } as Pick<Database, 'query' | 'snapshot'> as Database;
  const db = asDistributed(stored, {
    pages: (machines, { limit }: { limit: number }) => machines.query({ name: 'ids', text: `ids, ${limit}` }),
  });
  const pages: NamedQuery = { name: 'pages', text: 'one statement', asked: { limit: 3 } };
  await db.query(pages);
  await db.snapshot((own) => own.query(pages));
  await db.query({ name: 'others', text: 'as it is' });
  expect(texts).toEqual(['ids, 3', 'ids, 3', 'as it is']);
});
