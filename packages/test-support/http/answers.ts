// The real HTTP side over a database, asked without a port, in both dialects.

import type { DialectName } from '../../../src/api/dialect/find-dialect.ts';
import type { HttpSettings } from '../../../src/api/frame/http-settings.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from '../../store/read/parse-exact-json.ts';
import { openServer } from './open-server.ts';

export type JsonObject = { [name: string]: JsonValue };
/** Integers of the body are bigint. */
type Answer = { status: number; text: string; body: JsonObject };

export type Answers = {
  get(dialect: DialectName, url: string): Promise<Answer>;
  /** An HTML page, or its redirect. `headers`: of the request. */
  visit(
    url: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; location: string | undefined; text: string }>;
  close(): Promise<void>;
};

export function openAnswers(db: Database, settings: Partial<HttpSettings> = {}): Answers {
  const servers = { spec: openServer(db, 'spec', { settings }), hiero: openServer(db, 'hiero', { settings }) };
  return {
    async get(dialect, url) {
      const response = await servers[dialect].inject({ method: 'GET', url });
      return { status: response.statusCode, text: response.body, body: parseExactJson(response.body) as JsonObject };
    },
    async visit(url, headers = {}) {
      const answer = await servers.spec.inject({ method: 'GET', url, headers });
      const { statusCode: status, body: text } = answer;
      return { status, location: answer.headers.location as string | undefined, text };
    },
    async close() {
      for (const server of Object.values(servers)) await server.close();
    },
  };
}
