// The schema that the package has of its documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';

const path = join(import.meta.dirname, '../../clients/verify-proof/proof-document.schema.json');
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
  JSON.parse(readFileSync(path, 'utf8')),
);

/** What the schema refuses of the document; null: nothing. */
export function findSchemaErrors(document: unknown): string | null {
  return validate(document) ? null : JSON.stringify(validate.errors);
}
