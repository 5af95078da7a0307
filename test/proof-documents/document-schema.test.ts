// The schema of proof documents in the API document and in the package for others: the same facts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { createApiDocument } from '../../src/server/document/api-document.ts';

const path = join(import.meta.dirname, '../../clients/verify-proof/proof-document.schema.json');

type Schema = { title: string; description: string; oneOf: object[]; definitions: Record<string, object> };

const nameOf = (name: string) => `Proof${name[0]!.toUpperCase()}${name.slice(1)}`;

it('is that of the package', () => {
  const text = readFileSync(path, 'utf8').replaceAll(
    /"#\/definitions\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${nameOf(name)}"`,
  );
  const { definitions, title, description, oneOf } = JSON.parse(text) as Schema;
  const expected = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [nameOf(name), schema]));
  const { schemas } = createApiDocument({ dialect: findDialect('spec'), settings: defaultHttpSettings }).components;
  const found = Object.entries(schemas).filter(([name]) => name.startsWith('Proof'));
  expect(sorted(Object.fromEntries(found))).toEqual(
    sorted({ ...expected, ProofDocument: { title, description, oneOf } }),
  );
});

/** The order of names in `required` means nothing. */
function sorted(schemas: object): unknown {
  return JSON.parse(JSON.stringify(schemas), (name, value: unknown) =>
    name === 'required' ? (value as string[]).toSorted() : value,
  );
}
