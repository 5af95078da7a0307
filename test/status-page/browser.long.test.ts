// The pages as a browser sees them: accessible in both colour schemes and at phone width, without anything that runs,
// loads from elsewhere or hangs over the edge; feeds and badges as well-formed XML; Statuspage's own widget fed by our
// endpoints.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStatusPageRoutes } from '../../packages/status/http/page/add-status-page-routes.ts';
import { addStatusRoutes } from '../../packages/status/http/status-routes.ts';
import type { ComponentStatus, StatusState } from '../../packages/status/status-state.ts';
import { hasBrowser, openBrowser } from '../../packages/test-support/http/open-browser.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { sampleNow, sampleState } from './sample-state.ts';

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const widget = readFileSync(require.resolve('@statuspage/status-widget/dist/index.js'), 'utf8');
const hostile =
  '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'">"\'><svg onload=1> ]]>';

describe.skipIf(!hasBrowser)('in Chromium (skipped where there is none)', () => {
  let app: FastifyInstance;
  let browser: Browser;
  let url: string;
  let state: StatusState;

  beforeAll(async () => {
    app = fastify();
    state = sampleState();
    addStatusRoutes(app, { state: () => state });
    addStatusPageRoutes(app, { state: () => state, clock: () => sampleNow });
    await app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** However busy the machine is. */
  async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(waitMs);
    return page;
  }

  const pages = [
    '/status/incidents/nowhere',
    '/status',
    '/status/history',
    '/status/incidents/h2jk5l7mnp9q',
    '/status/components/cdatabasexxx',
  ];
  const views: ['light' | 'dark', width: number][] = [
    ['light', 1200],
    ['dark', 1200],
    ['light', 360],
    ['dark', 360],
  ];

  it.each(views)('no accessibility fault and nothing over the edge: %s, %i px', async (colorScheme, width) => {
    const page = await openPage({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    for (const path of pages) {
      await page.goto(url + path);
      expect([path, await findFaults(page)]).toEqual([path, []]);
      const overhang = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect([path, overhang]).toEqual([path, 0]);
    }
    await page.close();
  });

  it('hostile texts stay texts, with the policy and without it', async () => {
    state = sampleState({ text: () => hostile });
    for (const bypassCSP of [false, true]) {
      const page = await openPage({ bypassCSP });
      for (const path of pages) {
        await page.goto(url + path);
        expect(await page.title()).not.toBe('taken');
        expect(await page.locator('script, img[src="x"], [onload], [onerror]').count()).toBe(0);
      }
      expect(await page.locator('h1').first().innerText()).toContain('<script>document.title="taken"</script>');
      await page.close();
    }
  });

  it('a page asks for nothing but itself and its icon, and breaks none of its own rules', async () => {
    state = sampleState();
    const page = await openPage();
    const asked: string[] = [];
    const problems: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(`${url}/status`, { waitUntil: 'networkidle' });
    expect(asked.filter((path) => path !== '/status/icon.svg')).toEqual(['/status']);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('feeds and badges are well-formed XML, whatever the texts', async () => {
    const page = await openPage();
    const roots = [
      ['/status/history.atom', 'feed'],
      ['/status/history.rss', 'rss'],
      ['/status/badge.svg', 'svg'],
      ['/status/badge/cdatabasexxx.svg', 'svg'],
    ] as const;
    for (const text of [(usual: string) => usual, () => `${hostile}\u0000\u0008\ud800\uffff`]) {
      state = sampleState({ text });
      for (const [path, root] of roots) {
        const { body } = await app.inject(path);
        expect([path, await page.evaluate<string>(readRoot(body))]).toEqual([path, root]);
      }
    }
    await page.close();
  });

  const widgetCases: [leaves: ComponentStatus[], words: string][] = [
    [['operational', 'operational', 'operational'], 'All Systems Operational'],
    [['operational', 'degraded_performance', 'operational'], 'Partially Degraded Service'],
    [['operational', 'partial_outage', 'operational'], 'Minor Service Outage'],
    [['operational', 'major_outage', 'operational'], 'Partial System Outage'],
    [['major_outage', 'major_outage', 'major_outage'], 'Major System Outage'],
    [['operational', 'under_maintenance', 'operational'], 'Service Under Maintenance'],
  ];
  it.each(widgetCases)('Statuspage’s own widget, on a page from elsewhere, says what %j are', async (leaves, words) => {
    const children = ['api', 'import', 'database'];
    const components = Object.entries(sampleState().components).filter(([key]) => children.includes(key));
    state = {
      ...sampleState(),
      incidents: {},
      components: Object.fromEntries(
        components.map(([key, each]) => [key, { ...each, status: leaves[children.indexOf(key)]! }]),
      ),
    };
    // Another port is another origin.
    const elsewhere = fastify();
    elsewhere.get('/', (_request, reply) => {
      reply
        .type('text/html')
        .send(`<statuspage-widget src="${url}"></statuspage-widget><script src="widget.js"></script>`);
    });
    elsewhere.get('/widget.js', (_request, reply) => {
      reply.type('text/javascript').send(widget);
    });
    const page = await openPage();
    await page.goto(await elsewhere.listen({ port: 0, host: '127.0.0.1' }));
    const shown = page.getByText(words, { exact: true });
    await shown.waitFor();
    expect(await shown.count()).toBe(1);
    await page.close();
    await elsewhere.close();
  });
});

/** Rules broken on the page at hand, each with what breaks it. */
async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`);
  });
}

/** Name of the root of an XML text, or what is wrong with the text; a program for the browser. */
function readRoot(xml: string): string {
  return `(() => {
    const parsed = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
    return parsed.querySelector('parsererror')?.textContent ?? parsed.documentElement.localName;
  })()`;
}
