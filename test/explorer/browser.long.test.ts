// The pages as a browser sees them: accessible in both colour schemes and at the width of a phone, nothing over the
// edge, no request to another host, and all of it without scripts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { kindOf } from './crawl.ts';
import { type CrawledServer, openCrawled } from './crawl-server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on the colours does not depend on the width; `ALL_VIEWS=1` looks at each with each. */
const views: ['light' | 'dark', width: number][] = [
  ['light', 1280],
  ['dark', 390],
  ...(process.env.ALL_VIEWS
    ? ([
        ['dark', 1280],
        ['light', 390],
      ] as ['light' | 'dark', number][])
    : []),
];

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let server: CrawledServer;
  let browser: Browser;
  let url: string;
  let paths: string[];

  beforeAll(async () => {
    server = await openCrawled({ seed: 'browser', blocks: 30 });
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
    paths = await findOneOfEachKind(server);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  it.each(views)('no accessibility fault and nothing over the edge: %s, %i px', async (colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
    page.setDefaultTimeout(waitMs);
    const findings: unknown[] = [];
    for (const path of paths) {
      await page.goto(url + path);
      await page.evaluate(axe);
      const faults = await page.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html.slice(0, 150)))',
      );
      const overhang = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      findings.push(...faults.map((fault) => `${path}: ${fault}`));
      if (overhang > 0) findings.push(`${path}: ${overhang} px over the edge`);
    }
    expect(findings).toEqual([]);
    await page.close();
  });

  it('pages ask no other host, break none of their own rules, and are whole without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.newPage({ javaScriptEnabled });
      page.setDefaultTimeout(waitMs);
      const hosts = new Set<string>();
      const complaints: string[] = [];
      page.on('request', (request) => hosts.add(new URL(request.url()).origin));
      page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
      for (const path of paths) {
        await page.goto(url + path);
        expect(await page.locator('main h1').count(), path).toBe(1);
      }
      expect([[...hosts], complaints]).toEqual([[url], []]);
      await page.close();
    }
  });
});

/** From the start, and from lists. */
async function findOneOfEachKind({ fetch }: CrawledServer): Promise<string[]> {
  const found = new Map<string, string>();
  const queue = ['/', '/api', '/demo/schedules', '/demo/network', '/demo/staking', '/search'];
  for (let at = 0; at < queue.length && at < 200; at++) {
    const path = queue[at]!;
    const { status, type, body } = await fetch(path);
    if (status !== 200 || !type.startsWith('text/html')) continue;
    found.set(kindOf(path), path);
    for (const link of readPage(body).links) {
      const isPage = link.startsWith('/demo/') && !/[.]csv(?:\?|$)|\?/.test(link);
      if (isPage && !found.has(kindOf(link)) && !queue.some((other) => kindOf(other) === kindOf(link)))
        queue.push(link);
    }
  }
  return [...found.values()];
}
