// The pages as a browser sees them: accessible in both colour schemes and at the width of a phone, nothing over the
// edge, no request to another host, and all of it without scripts.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { readPage } from '../../packages/test-support/http/read-page.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { kindOf } from '../support/crawl.ts';
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

  /** Other hosts that a page asks, its errors, and what its policy keeps from it. */
  function watchPage(page: Page): string[] {
    const complaints: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== url) complaints.push(`${page.url()} asks ${request.url()}`);
    });
    page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
    return complaints;
  }

  it.each(views)('no fault, by axe or of its own, and nothing over the edge: %s, %i px', async (colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
    page.setDefaultTimeout(waitMs);
    const findings: unknown[] = [];
    const complaints = watchPage(page);
    for (const path of [...paths, '/docs']) {
      await page.goto(url + path);
      if (path !== '/docs') expect(await page.locator('main h1').count(), path).toBe(1);
      if (path === '/docs') await tryOperation(page);
      await page.evaluate(axe);
      const faults = await page.evaluate<string[]>(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html.slice(0, 150)))',
      );
      const overhang = await page.evaluate<number>(
        // Where rows are lists nothing has to be pushed to the side either.
        `Math.max(...[document.documentElement, ...document.querySelectorAll(${width < 500} ? '.table' : 'no-table')]
          .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`,
      );
      findings.push(...faults.map((fault) => `${path}: ${fault}`));
      if (overhang > 0) findings.push(`${path}: ${overhang} px over the edge`);
    }
    expect([findings, complaints]).toEqual([[], []]);
    await page.close();
  });

  it('one long word in a row does not push the other rows to the side, on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 900 }, bypassCSP: true });
    page.setDefaultTimeout(waitMs);
    await page.goto(`${url}/demo/blocks`);
    const overhang = await page.evaluate<number>(`(() => {
      document.querySelector('tbody td').innerHTML = '<div><bdi>' + 'balances'.repeat(20) + '</bdi></div>';
      const { scrollWidth, clientWidth } = document.querySelector('.table');
      return scrollWidth - clientWidth;
    })()`);
    expect(overhang).toBe(0);
    await page.close();
  });

  it('new rows come in by themselves, until they are paused, and never under the pointer', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(waitMs);
    let answers = 0;
    await page.route('**/spec/api/v1/blocks?follow=true', (route) =>
      route.fulfill({ contentType: 'text/event-stream', body: 'retry: 200\ndata: {"count":3}\n\n' }),
    );
    const mark = 'data-live="/spec/api/v1/blocks?follow=true" data-live-name="transactions" data-live-count="count"';
    await page.route('**/demo/transactions', async (route) => {
      answers += 1;
      const body = (await (await route.fetch()).text())
        .replace('<div class="card">', `<div class="card" ${mark}>`)
        .replace('<tbody>', `<tbody><tr><td>row ${answers}</td></tr>`);
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body });
    });
    const first = page.locator('tbody tr').first();
    await page.goto(`${url}/demo/transactions`);
    await expect.poll(() => first.textContent(), { timeout: waitMs }).toBe('row 2');
    const { x, y } = (await first.boundingBox())!;
    await page.mouse.move(x + 5, y + 5);
    const held = await first.textContent();
    const seen = answers;
    await page.waitForTimeout(5000);
    expect([await first.textContent(), answers - seen <= 1]).toEqual([held, true]);
    await page.mouse.move(0, 0);
    await expect.poll(() => first.textContent(), { timeout: waitMs }).not.toBe(held);
    await page.getByRole('button', { name: /^Pause/ }).click();
    const paused = await first.textContent();
    await expect
      .poll(() => page.locator('.live button').textContent(), { timeout: waitMs })
      .toMatch(/^Resume \(\d+ new transactions\)$/);
    await page.waitForTimeout(3000);
    expect(await first.textContent()).toBe(paused);
    await page.close();
  });

  it('times of lists are in UTC, local, or how long ago, as the reader chose', async () => {
    const page = await browser.newPage({ timezoneId: 'Asia/Tokyo' });
    page.setDefaultTimeout(waitMs);
    await page.goto(`${url}/demo/blocks`);
    const time = page.locator('tbody time').first();
    const utc = (await time.textContent())!;
    const at = Date.parse(`${utc.replace(' ', 'T')}Z`);
    await page.getByRole('button', { name: 'local' }).click();
    expect(Date.parse(`${(await time.textContent())!.replace(' ', 'T')}+09:00`)).toBe(at);
    await page.getByRole('button', { name: 'ago' }).click();
    await page.reload();
    const isPast = at < Date.now();
    if (isPast) expect(await time.textContent()).toMatch(/^\d+ (?:d|h|min|s) ago$/);
    await page.getByRole('button', { name: 'UTC' }).click();
    expect(await time.textContent()).toBe(utc);
    await page.close();
  });

  it.each(['account', 'topic'])(
    'a note (of the kind %s) stays in this browser, beside its id, as text alone',
    async (kind) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(waitMs);
      const text = '<img src=x onerror=alert(1)> mine';
      const requests: string[] = [];
      page.on('request', (request) => requests.push(`${request.url()} ${request.postData() ?? ''}`));
      await page.goto(`${url}/demo/${kind}s`);
      const own = (await page.locator(`tbody a[href^="/demo/${kind}/"]`).first().getAttribute('href'))!;
      await page.goto(url + own);
      await page.getByRole('button', { name: 'Add a note' }).click();
      await page.getByLabel(/^Your note on/).fill(text);
      await page.getByRole('button', { name: 'Keep' }).click();
      await page.goto(`${url}/demo/${kind}s`);
      expect(await page.locator(`tbody a[href="${own}"] + .own`).first().textContent()).toBe(text);
      await page.goto(url + own);
      expect(await page.locator('.note').textContent()).toContain(text);
      expect(await page.locator('.note img').count()).toBe(0);
      expect(requests.filter((one) => one.includes('mine'))).toEqual([]);
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel(/^Your note on/).fill('');
      await page.getByRole('button', { name: 'Keep' }).click();
      await page.reload();
      expect(await page.locator('.note').textContent()).not.toContain('mine');
      await context.close();
    },
  );

  it('a new block comes in with a movement, and without one where the reader wants it still', async () => {
    for (const [reducedMotion, isMoving] of [
      ['no-preference', true],
      ['reduce', false],
    ] as const) {
      const page = await browser.newPage({ reducedMotion });
      page.setDefaultTimeout(waitMs);
      await page.goto(url);
      const animation = await page.evaluate<string>(`(() => {
        const tile = document.querySelector('.strip li');
        tile.classList.add('new');
        return getComputedStyle(tile).animationName;
      })()`);
      expect(animation !== 'none').toBe(isMoving);
      await page.close();
    }
  });

  it('pages are whole without scripts', async () => {
    const page = await browser.newPage({ javaScriptEnabled: false });
    page.setDefaultTimeout(waitMs);
    const complaints = watchPage(page);
    for (const path of paths) {
      await page.goto(url + path);
      expect(await page.locator('main h1').count(), path).toBe(1);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** On the page of the API document: its parameters, its request and the answer are then on the page, too. */
async function tryOperation(page: Page): Promise<void> {
  const operation = page.locator('#operations-Schedules-listSchedules');
  await operation.locator('.opblock-summary-control').click();
  await operation.locator('.execute').click();
  await operation.locator('.live-responses-table .response-col_status').last().waitFor();
}

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
