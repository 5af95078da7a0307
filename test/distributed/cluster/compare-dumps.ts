// What two databases hold, compared table by table.
import { dumpDatabase } from '../../../packages/test-support/postgres/dump-database.ts';

/** Tables in all, and a line for each that differs. */
export async function compareDatabases(
  expected: string,
  actual: string,
): Promise<{ tables: number; rows: number; different: string[] }> {
  const [one, other] = [await dumpDatabase(expected), await dumpDatabase(actual)];
  const names = new Set([...one.keys(), ...other.keys()]);
  // Written by the command alone: what imports within the test leaves it empty.
  names.delete('import_revision');
  let rows = 0;
  const different: string[] = [];
  for (const name of names) {
    // The two servers may sort texts differently.
    const [wanted, found] = [one, other].map((dump) => (dump.get(name) ?? ['no such table']).toSorted());
    rows += wanted!.length;
    const at = wanted!.findIndex((line, place) => line !== found![place]);
    if (at < 0 && wanted!.length === found!.length) continue;
    const place = at < 0 ? wanted!.length : at;
    different.push(
      `${name}: ${wanted!.length} rows, ${found!.length} there; first ${cut(wanted![place])} / ${cut(found![place])}`,
    );
  }
  return { tables: names.size, rows, different };
}

function cut(line: string | undefined): string {
  return line === undefined ? 'none' : line.slice(0, 300);
}
