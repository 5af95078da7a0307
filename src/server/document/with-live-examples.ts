// Puts existing ids into the examples of the API document, so that a request sent unchanged finds something.

import { exampleValues } from '../../api/endpoint/example-values.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import { endpoints } from '../../resources/endpoints.ts';

type DocumentedParameter = { name: string; in: string; schema: object };
type Documented = { paths: Record<string, Record<string, { parameters?: DocumentedParameter[] }>> };

/** A copy; if nothing of the kind exists yet, the example is unchanged. */
export function withLiveExamples<D extends object>(document: D, examples: LedgerExamples): D {
  const copy = structuredClone(document) as D & Documented;
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    const values = exampleValues(endpoint, examples) ?? {};
    for (const parameter of copy.paths[endpoint.path]?.get?.parameters ?? []) {
      const value = parameter.in === 'path' ? values[parameter.name] : undefined;
      if (value !== undefined) parameter.schema = { ...parameter.schema, examples: [value] };
    }
  }
  return copy;
}
