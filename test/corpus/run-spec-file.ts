// Runs one specification: its rows alone in the database, its requests over HTTP to a server of ours in this process.
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { parseExactJson } from '../../packages/store/read/parse-exact-json.ts';
import { type AnswerValidator, createAnswerValidator } from '../../packages/test-support/http/validate-answer.ts';
import { openRowLoader, type RowLoader } from '../../packages/test-support/rows/load-rows.ts';
import { toSetupRows } from '../../packages/test-support/rows/setup-rows.ts';
import { toJsonText } from '../../packages/test-support/rows/setup-values.ts';
import type { JsonObject, SpecCase, SpecFile, SpecVariant } from '../../packages/test-support/rows/spec-file.ts';
import { hieroDialect } from '../../src/api/dialect/hiero-dialect.ts';
import { createCalls } from '../../src/calls/create-calls.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { createServer } from '../../src/server/server.ts';
import { differences } from './compare-answers.ts';
import { toClock, toHttpSettings } from './corpus-settings.ts';
import { takeLaterMembers } from './later-members.ts';

export type CaseResult = { name: string; problems: string[] };

export type CorpusDatabase = { loader: RowLoader; db: Database; close(): Promise<void> };

/**
 * @param writer connection string of a database with the ledger's tables; what they hold is deleted
 * @param reader the one that the server reads with, where it is another
 */
export async function openCorpusDatabase(writer: string, reader = writer): Promise<CorpusDatabase> {
  const loader = await openRowLoader(writer);
  const db = openDatabase({ connectionString: reader, maxConnections: 2 });
  return {
    loader,
    db,
    async close() {
      await db.close();
      await loader.close();
    },
  };
}

/** Shard and realm are the default 0.0: that is what the specifications are written for. */
export async function runSpecFile(spec: SpecFile, { loader, db }: CorpusDatabase): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const variant of spec.variants) {
    await loader.load(toSetupRows(spec.setup, { shard: 0n, realm: 0n }, variant));
    results.push(...(await runVariant(db, spec, variant)));
  }
  return results;
}

/** One server for each set of settings that the cases ask for. */
async function runVariant(db: Database, spec: SpecFile, variant: SpecVariant): Promise<CaseResult[]> {
  const servers = new Map<string, SpecServer>();
  const results: CaseResult[] = [];
  try {
    for (const specCase of variant.cases) {
      const key = toJsonText(specCase.config)!;
      const configs = [variant.config, (spec.setup.config ?? {}) as JsonObject, specCase.config];
      const server = servers.get(key) ?? (await startServer(db, spec.setup, configs));
      servers.set(key, server);
      const response = await fetch(`${server.address}${specCase.url}`, { headers: specCase.requestHeaders });
      const problems = await compare(response, specCase, server.validator);
      const suffix = variant.name === '' ? '' : ` (${variant.name})`;
      results.push({ name: `${spec.path} ${specCase.url}${suffix}`, problems });
    }
    return results;
  } finally {
    for (const { app } of servers.values()) await app.close();
  }
}

type SpecServer = { app: FastifyInstance; address: string; validator: AnswerValidator };

/** By what the specifications configure: most of them nothing, and each takes a while to be compiled. */
const validators = new Map<string, AnswerValidator>();

async function startServer(db: Database, setup: JsonObject, configs: readonly JsonObject[]): Promise<SpecServer> {
  const clock = toClock(setup.features);
  const settings = toHttpSettings(configs, clock);
  const app = createServer({
    ledger: createLedger({ db, clock, system: settings.system }),
    calls: createCalls({ db, ...settings }),
    dialect: hieroDialect,
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    network: { name: 'corpus' },
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const key = toJsonText(configs as JsonObject[])!;
  const validator = validators.get(key) ?? createAnswerValidator({ dialect: hieroDialect, settings });
  validators.set(key, validator);
  return { app, address, validator };
}

/** With the specification, and with our own API document. */
async function compare(
  response: Response,
  { url, status, body, headers }: SpecCase,
  validator: AnswerValidator,
): Promise<string[]> {
  const text = await response.text();
  const problems: string[] = [];
  if (response.status !== status) problems.push(`status: ${response.status}, expected ${status}`);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (isJson) {
    const answer = parseExactJson(text === '' ? '{}' : text);
    problems.push(...takeLaterMembers(url, answer), ...differences(body, answer));
  }
  if (isJson) problems.push(...validator.validate(url, { status: response.status, text }));
  else if (text !== body) problems.push(`body: ${JSON.stringify(text)}, expected ${JSON.stringify(body)}`);
  if (status >= 200 && status < 300) {
    for (const [name, expected] of Object.entries(headers)) {
      const actual = response.headers.get(name);
      if (actual !== expected) problems.push(`header ${name}: ${actual}, expected ${expected}`);
    }
  }
  return problems;
}
