// Fills questions with what a ledger has.
import pg from 'pg';
import type { Question } from './question.ts';

/**
 * The paths of each question; none where the ledger has nothing of the kind. The same in every run over the same
 * tables.
 */
export async function drawPaths(connectionString: string, questions: readonly Question[]): Promise<string[][]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const paths: string[][] = [];
    for (const { path, draw, write } of questions) {
      if (draw === null) {
        paths.push([path]);
        continue;
      }
      await client.query('select setseed(0.5)');
      const { rows } = await client.query<unknown[]>({ text: draw, rowMode: 'array' });
      paths.push(
        rows.map((values) => {
          const left = values.map(String);
          return path.replaceAll(/\{\w+\}/g, () => write(left.shift()!));
        }),
      );
    }
    return paths;
  } finally {
    await client.end();
  }
}
