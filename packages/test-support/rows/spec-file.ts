// A file of the Hiero mirror node's REST specifications: rows to load, requests to make, answers to expect. One file
// becomes one case for each URL and each value of its matrix.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from '../../store/read/parse-exact-json.ts';

export type JsonObject = { [name: string]: JsonValue };

export type SpecCase = {
  url: string;
  requestHeaders: Record<string, string>;
  status: number;
  /** Text if the answer is not JSON. */
  body: JsonValue;
  /** Names in lower case; checked in answers of status 2xx only. */
  headers: Record<string, string>;
  /** Settings of this case in addition to those of its file. */
  config: JsonObject;
};

/** One value of the file's matrix: its differences in settings and rows. */
export type SpecVariant = {
  /** Empty without a matrix. */
  name: string;
  config: JsonObject;
  /** Rows of transaction_hash have no payer. */
  hashesWithoutPayer?: boolean;
  cases: SpecCase[];
};

export type SpecFile = { path: string; setup: JsonObject; variants: SpecVariant[] };

const noSpecs = 'responseHeaders.json';

/** Paths of every specification below the folder, in order. */
export function findSpecFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.json') && !name.endsWith(noSpecs)).sort();
}

export function readSpecFile(folder: string, name: string): SpecFile {
  const path = join(folder, name);
  const spec = parseExactJson(readFileSync(path, 'utf8')) as JsonObject;
  const tests = (spec.tests ?? [spec]) as JsonObject[];
  const matrix = spec.matrix === undefined ? [{ name: '', config: {} }] : matrices[String(spec.matrix)];
  if (!matrix)
    throw new Error(`${path}: unknown matrix ${String(spec.matrix)}; known: ${Object.keys(matrices).join(', ')}`);
  const seconds = cacheSeconds[dirname(name)];
  const ofFolder =
    seconds === undefined
      ? nearestHeaders(folder, dirname(path))
      : ({ 'cache-control': `public, max-age=${seconds}` } as JsonObject);
  const defaultHeaders = { ...ofFolder, ...(spec.responseHeaders as JsonObject) };
  return {
    path: name,
    setup: (spec.setup ?? {}) as JsonObject,
    variants: matrix.map((variant) => ({
      ...variant,
      cases: tests.flatMap((test) => {
        const urls = (test.urls ?? [test.url]) as string[];
        return urls.map((url) => ({
          url,
          requestHeaders: (test.requestHeaders ?? {}) as Record<string, string>,
          status: Number(test.responseStatus ?? spec.responseStatus),
          body: expectedBody(spec, test, variant.name),
          headers: toHeaders((test === spec ? undefined : test.responseHeaders) ?? defaultHeaders),
          config: (test.config ?? {}) as JsonObject,
        }));
      }),
    })),
  };
}

const matrices: Record<string, Omit<SpecVariant, 'cases'>[]> = {
  'bindTimestampRangeMatrix.js': [false, true].map((value) => ({
    name: `bindTimestampRange=${value}`,
    config: { query: { bindTimestampRange: value } },
  })),
  'topicMessageLookupMatrix.js': [false, true].map((value) => ({
    name: `topicMessageLookup=${value}`,
    config: { query: { topicMessageLookup: value } },
  })),
  'transactionHashV1Matrix.js': [
    { name: 'payerAccountId=given', config: {} },
    { name: 'payerAccountId=null', config: {}, hashesWithoutPayer: true },
  ],
};

function expectedBody(spec: JsonObject, test: JsonObject, key: string): JsonValue {
  const body = test.responseJson ?? spec.responseJson ?? {};
  const matrix = (test.responseJsonMatrix ?? spec.responseJsonMatrix ?? {}) as JsonObject;
  return matrix[key] === undefined ? body : { ...(body as JsonObject), ...(matrix[key] as JsonObject) };
}

/** For folders without the file responseHeaders.json, which the mirror node's tests have. */
const cacheSeconds: Readonly<Record<string, number>> = {
  'accounts/{id}/allowances/crypto': 1,
  'accounts/{id}/allowances/tokens': 1,
  'accounts/{id}/nfts': 1,
  'accounts/{id}/rewards': 60,
  'accounts/{id}/tokens': 1,
  'blocks/{id}': 600,
  'contracts/results/logs': 10,
  'contracts/results/{id}': 600,
  'contracts/results/{id}/actions': 600,
  'contracts/{id}/results/{id}': 600,
  'tokens/{id}/balances': 1,
  'tokens/{id}/nfts': 1,
  'tokens/{id}/nfts/{id}': 1,
  'tokens/{id}/nfts/{id}/transactions': 1,
  'topics/messages/{id}': 600,
  'topics/{id}/messages/{id}': 600,
  transactions: 2,
  'transactions/{id}': 600,
};

/** The file responseHeaders.json of the folder itself or of the nearest folder above, within the first two levels. */
function nearestHeaders(root: string, folder: string): JsonObject {
  for (let current = folder; ; current = dirname(current)) {
    const path = join(current, noSpecs);
    if (existsSync(path)) return parseExactJson(readFileSync(path, 'utf8')) as JsonObject;
    if (current === root || dirname(current) === current) return { 'cache-control': 'public, max-age=1' };
  }
}

function toHeaders(headers: JsonValue): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers as JsonObject).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
