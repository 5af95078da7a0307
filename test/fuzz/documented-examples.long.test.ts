// Every parameter of the document has an example, and every example is answered as the document says: on a ledger of
// the simulated network, and on an empty one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { openFuzzDatabases } from './fuzz-databases.ts';

type Schema = { examples?: unknown[]; items?: Schema };
type Parameter = { name: string; in: string; schema: Schema };
type Operation = { parameters?: Parameter[]; responses: Record<string, object> };
type Document = { paths: Record<string, { get?: Operation; post?: Operation }> };

let empty: StoredRows;
let filled: Awaited<ReturnType<typeof openFuzzDatabases>>;
let databases: Record<string, Database>;
beforeAll(async () => {
  empty = await storeRows([]);
  filled = await openFuzzDatabases({ seed: 'examples', blocks: 15 });
  databases = { empty: empty.db, network: filled.list.find(({ name }) => name === 'network')!.db };
});
afterAll(async () => {
  await filled?.close();
  await empty?.close();
});

/** What only means something together with another parameter. */
const companions: Readonly<Record<string, string>> = {
  'transaction.index': 'block.number=1',
  serialnumber: 'token.id=0.0.1001',
};
/** Allowances of a token are those of a spender, or of the other account. */
const ofAllowances = ['spender.id', 'account.id'];

describe.each(['empty', 'network'])('on the ledger: %s', (ledger) => {
  it.each(['spec', 'hiero'] as const)('%s', async (dialect) => {
    const app = openServer(databases[ledger]!, dialect);
    const { paths } = (await app.inject('/api/v1/docs/openapi.json')).json<Document>();
    const wrong: unknown[] = [];
    for (const [template, { get }] of Object.entries(paths)) {
      if (!get) continue;
      const { parameters = [], responses } = get;
      const exampleOf = ({ schema, name }: Parameter): string => {
        const [example] = (schema.items ?? schema).examples ?? [];
        if (example === undefined) wrong.push([template, name, 'has no example']);
        return encodeURIComponent(String(example));
      };
      let path = template;
      for (const one of parameters) if (one.in === 'path') path = path.replace(`{${one.name}}`, exampleOf(one));
      const queries = parameters
        .filter((one) => one.in === 'query')
        .map((one) =>
          [`${one.name}=${exampleOf(one)}`, companionOf(one, parameters, template)].filter(Boolean).join('&'),
        );
      for (const query of ['', ...queries]) {
        const url = query === '' ? path : `${path}?${query}`;
        const { statusCode } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
        const isRight = statusCode === 200 || (statusCode !== 400 && String(statusCode) in responses);
        if (!isRight) wrong.push([path, query, statusCode]);
      }
    }
    expect(wrong).toEqual([]);
    await app.close();
  });
});

function companionOf({ name }: Parameter, parameters: readonly Parameter[], path: string): string | undefined {
  if (name === 'token.id' && path.includes('/allowances/')) {
    const other = parameters.find((one) => ofAllowances.includes(one.name))!;
    return `${other.name}=gte:0.0.1`;
  }
  const companion = companions[name];
  if (companion && parameters.some((one) => companion.startsWith(`${one.name}=`))) return companion;
  return /^(?:topic\d|index)$/.test(name) && parameters.some((one) => one.name === 'timestamp')
    ? 'timestamp=1700000000.000000000'
    : undefined;
}
