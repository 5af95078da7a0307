// The document and its page over HTTP; the page in a real browser, where there is one, that can reach nothing but us.
import type { FastifyInstance } from 'fastify';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { hasBrowser, openBrowser } from '../../../packages/test-support/http/open-browser.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import {
  createScratchDatabase,
  type ScratchDatabase,
} from '../../../packages/test-support/postgres/scratch-database.ts';

let scratch: ScratchDatabase;
let db: Database;
let app: FastifyInstance;
let address: string;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  db = openDatabase(scratch);
  app = openServer(db, 'spec');
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
});

describe('files', () => {
  it.each([
    ['/api/v1/docs/openapi.json', 'application/json; charset=utf-8'],
    ['/api/v1/docs/openapi.yml', 'application/yaml; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/api/v1/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/accessible.js', 'text/javascript; charset=utf-8'],
    ['/docs/docs.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ])('%s', async (path, contentType) => {
    const response = await fetch(address + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
    const page = contentType.startsWith('text/html');
    expect(response.headers.get('content-security-policy')?.startsWith("default-src 'none'") ?? false).toBe(page);
    await response.arrayBuffer();
  });

  it('JSON and YAML say the same', async () => {
    const [json, yaml] = await Promise.all(
      ['json', 'yml'].map((type) => fetch(`${address}/api/v1/docs/openapi.${type}`)),
    );
    expect(parse(await yaml!.text())).toEqual(await json!.json());
  });
});

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('shows every endpoint and tries one, from this server alone and within its policy', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(240_000);
    const problems: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(address)) elsewhere.push(request.url());
    });
    await page.goto(`${address}/docs`);
    const operations = page.locator('.opblock');
    await operations.first().waitFor();
    const document = (await (await fetch(`${address}/api/v1/docs/openapi.json`)).json()) as { paths: object };
    const documented = Object.values(document.paths).flatMap((path: object) => Object.keys(path));
    expect(documented.length).toBeGreaterThan(7);
    expect(await operations.locator('.opblock-summary-path').allInnerTexts()).toHaveLength(documented.length);
    expect(await page.locator('.errors-wrapper').count()).toBe(0);

    await page.locator('#operations-Schedules-listSchedules .opblock-summary-control').click();
    await page.locator('#operations-Schedules-listSchedules .execute').click();
    const answer = page
      .locator('#operations-Schedules-listSchedules .live-responses-table .response-col_status')
      .last();
    await answer.waitFor();
    expect(await answer.innerText()).toContain('200');

    // An answer of int64 values: every digit, as it was sent.
    const sent = '{"schedules":[{"amount":4974459999533203655,"list":[-9223372036854775808]}],"links":{"next":null}}';
    await page.route('**/api/v1/schedules*', (route) => route.fulfill({ contentType: 'application/json', body: sent }));
    await page.locator('#operations-Schedules-listSchedules .execute').click();
    const shown = page.locator('#operations-Schedules-listSchedules .live-responses-table .highlight-code');
    await shown.filter({ hasText: '4974459999533203655' }).waitFor();
    expect((await shown.first().innerText()).replaceAll(/\s/g, '')).toContain(sent);
    expect(problems).toEqual([]);
    expect(elsewhere).toEqual([]);
    await page.close();
  });
});
