// Runs one specification: its rows alone in the database, its requests over HTTP to a server of ours in this process.
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

export type CorpusDatabase = {
  loader: RowLoader;
  db: Database;
  /** By what the specifications configure: most of them nothing, and each takes a while to be made. */
  servers: Map<string, SpecServer>;
  close(): Promise<void>;
};

/**
 * @param writer connection string of a database with the ledger's tables; what they hold is deleted
 * @param reader the one that the server reads with, where it is another
 */
export async function openCorpusDatabase(writer: string, reader = writer): Promise<CorpusDatabase> {
  const loader = await openRowLoader(writer);
  const db = openDatabase({ connectionString: reader, maxConnections: 2 });
  const servers: CorpusDatabase['servers'] = new Map();
  return {
    loader,
    db,
    servers,
    async close() {
      for (const server of servers.values()) await server.close();
      await db.close();
      await loader.close();
    },
  };
}

/** Shard and realm are the default 0.0: that is what the specifications are written for. */
export async function runSpecFile(spec: SpecFile, database: CorpusDatabase): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const variant of spec.variants) {
    await database.loader.load(toSetupRows(spec.setup, { shard: 0n, realm: 0n }, variant));
    results.push(...(await runVariant(database, spec, variant)));
  }
  return results;
}

async function runVariant(database: CorpusDatabase, spec: SpecFile, variant: SpecVariant): Promise<CaseResult[]> {
  const servers = new Map<string, SpecServer>();
  const results: CaseResult[] = [];
  for (const specCase of variant.cases) {
    const key = toJsonText(specCase.config)!;
    const configs = [variant.config, (spec.setup.config ?? {}) as JsonObject, specCase.config];
    const server = servers.get(key) ?? (await findServer(database, configs));
    if (!servers.has(key)) await server.begin(toClock(spec.setup.features));
    servers.set(key, server);
    const response = await fetch(`${server.address}${specCase.url}`, { headers: specCase.requestHeaders });
    const problems = await compare(response, specCase, server.validator);
    const suffix = variant.name === '' ? '' : ` (${variant.name})`;
    results.push({ name: `${spec.path} ${specCase.url}${suffix}`, problems });
  }
  return results;
}

type SpecServer = {
  address: string;
  validator: AnswerValidator;
  /** From here on it answers from a new ledger, at another time: nothing is known of the rows before. */
  begin(clock: () => bigint): Promise<void>;
  close(): Promise<void>;
};

async function findServer({ db, servers }: CorpusDatabase, configs: readonly JsonObject[]): Promise<SpecServer> {
  const key = toJsonText(configs as JsonObject[])!;
  const server = servers.get(key) ?? (await startServer(db, configs));
  servers.set(key, server);
  return server;
}

async function startServer(db: Database, configs: readonly JsonObject[]): Promise<SpecServer> {
  let clock = (): bigint => 0n;
  const settings = toHttpSettings(configs, () => clock());
  const open = () => ({
    ledger: createLedger({ db, clock, system: settings.system }),
    calls: createCalls({ db, ...settings }),
  });
  let now = open();
  const app = createServer({
    ledger: forwardTo(() => now.ledger),
    calls: forwardTo(() => now.calls),
    dialect: hieroDialect,
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    network: { name: 'corpus' },
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    address,
    validator: createAnswerValidator({ dialect: hieroDialect, settings }),
    async begin(next) {
      await now.calls.close();
      clock = next;
      now = open();
    },
    async close() {
      await app.close();
      await now.calls.close();
    },
  };
}

/** Has the members that the current value has, at every depth: parts that were taken of it follow to the next one. */
function forwardTo<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const memberNow = (): unknown => Reflect.get(current(), name);
      const member = memberNow();
      if (typeof member === 'function') {
        return (...given: unknown[]) => Reflect.apply(memberNow() as typeof member, current(), given);
      }
      return typeof member === 'object' && member !== null ? forwardTo(() => memberNow() as object) : member;
    },
  });
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
