// Runs one specification: its rows in a fresh database, its requests over HTTP to a server of ours in this process.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { hieroDialect } from '../../src/http/hiero-dialect.ts';
import { createServer } from '../../src/http/server.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { parseExactJson } from '../../src/store/queries/parse-exact-json.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';
import { differences } from './compare-answers.ts';
import { toClock, toHttpSettings } from './corpus-settings.ts';
import { loadRows } from './load-rows.ts';
import { toSetupRows } from './setup-rows.ts';
import type { JsonObject, SpecCase, SpecFile } from './spec-file.ts';

export type CaseResult = { name: string; problems: string[] };

/** Shard and realm are the default 0.0: that is what the specifications are written for. */
export async function runSpecFile(spec: SpecFile): Promise<CaseResult[]> {
  const scratch = await createScratchDatabase();
  const db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  try {
    await loadRows(scratch.connectionString, toSetupRows(spec.setup, { shard: 0n, realm: 0n }));
    const results: CaseResult[] = [];
    for (const specCase of spec.cases) {
      const variant = specCase.bindTimestampRange ? ' (bindTimestampRange)' : '';
      const problems = await runCase(db, spec.setup, specCase);
      results.push({ name: `${spec.path} ${specCase.url}${variant}`, problems });
    }
    return results;
  } finally {
    await db.close();
    await scratch.close();
  }
}

async function runCase(db: Database, setup: JsonObject, specCase: SpecCase): Promise<string[]> {
  const clock = toClock(setup.features);
  const settings = toHttpSettings(
    [
      { query: { bindTimestampRange: specCase.bindTimestampRange } },
      (setup.config ?? {}) as JsonObject,
      specCase.config,
    ],
    clock,
  );
  const app = createServer({
    ledger: createLedger({ db, clock, shard: settings.shard, realm: settings.realm }),
    dialect: hieroDialect,
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    networkName: 'corpus',
  });
  try {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${address}${specCase.url}`, { headers: specCase.requestHeaders });
    return await compare(response, specCase);
  } finally {
    await app.close();
  }
}

async function compare(response: Response, { status, body, headers }: SpecCase): Promise<string[]> {
  const text = await response.text();
  const problems: string[] = [];
  if (response.status !== status) problems.push(`status: ${response.status}, expected ${status}`);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (isJson) problems.push(...differences(body, parseExactJson(text === '' ? '{}' : text)));
  else if (text !== body) problems.push(`body: ${JSON.stringify(text)}, expected ${JSON.stringify(body)}`);
  if (status >= 200 && status < 300) {
    for (const [name, expected] of Object.entries(headers)) {
      const actual = response.headers.get(name);
      if (actual !== expected) problems.push(`header ${name}: ${actual}, expected ${expected}`);
    }
  }
  return problems;
}
