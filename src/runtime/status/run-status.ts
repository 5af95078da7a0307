// The status service as a process: its journal, its clock, its listeners. It has no connection to the database and needs no
// other part to answer. Started by a mirror that is then killed, it takes over the mirror's port until one starts again.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createStatusApp } from '../../http/status/status-app.ts';
import type { ServingPlace, StatusControl } from '../../http/status/status-control-routes.ts';
import { createStatusGate } from '../../http/status/status-gate.ts';
import { createStatusService } from '../../status/create-status-service.ts';
import { networkTitleOf } from '../../status/status-components.ts';
import { openStatusJournal } from '../../status/status-journal.ts';
import { createWebhooks } from '../../status/webhooks/create-webhooks.ts';
import { makeDataFolder } from '../../store/embedded/data-folder.ts';
import { lockDataFolder } from '../../store/embedded/data-lock.ts';
import { listen } from '../listen.ts';
import type { Logger } from '../log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { toListenerSettings } from '../settings/to-listener-settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { Shutdown } from '../shutdown.ts';
import { loadStatusRules } from './load-status-rules.ts';
import { readStatusAddress, statusFolderOf, writeStatusAddress } from './status-service-file.ts';

export type RunStatusOptions = {
  settings: Settings;
  log: Logger;
  shutdown: Shutdown;
  /** Told once it answers. */
  onReady(place: { port: number; secret: string; publicUrl: string | null }): void;
};

/** Of the query service. */
const readyWithinMs = 5000;
const stopMessage = 'stop';
const loopback = '127.0.0.1';

/** Resolves when a signal, an order or the end of its time ends it. */
export async function runStatus({ settings, log, shutdown, onReady }: RunStatusOptions): Promise<void> {
  const folder = statusFolderOf(settings.get('data-dir'));
  const rules = loadStatusRules(settings);
  const tokens = readTokens(settings.find('status-token'));
  const networkName = settings.find('network') ?? 'other';
  makeDataFolder(folder);
  const { signal } = shutdown;
  const lock = await lockDataFolder(folder, { waitMs: 5000, log: (sentence) => log.info(sentence), signal });
  const journal = openStatusJournal(folder);
  const clock = (): number => Date.now();
  const webhooks = createWebhooks({
    folder: join(folder, 'webhooks'),
    clock,
    allowPrivate: settings.get('status-webhook-private'),
    log: (sentence) => log.warn(sentence),
  });
  const service = createStatusService({
    journal,
    rules,
    page: {
      networkName,
      networkTitle: settings.find('status-title') ?? networkTitleOf(networkName),
      url: settings.find('status-url') ?? null,
    },
    clock,
    onChange: webhooks.announce,
    onProblem: (error) => log.error({ err: error }, 'the status could not be written; it is kept in memory'),
  });
  // Also what changed while nobody ran, or just before a kill.
  webhooks.announce(service.state());
  const secret = randomBytes(24).toString('hex');
  const gate = createStatusGate({ tokens, secret, clock });
  let place: ServingPlace | null = null;
  let isLeftOver = false;
  let standIn: FastifyInstance | null = null;

  const control: StatusControl = {
    service,
    gate,
    about: () => ({ pid: process.pid, isLeftOver }),
    onPlace(given) {
      if (place?.url === given.url) return;
      place = given;
      if (settings.find('status-url') === undefined) service.setPageUrl(`${given.url}/status`);
    },
    async onStop() {
      await closeApp(standIn);
      shutdown.request('another mirror takes over');
    },
  };
  const { limits, trustProxy } = toListenerSettings(settings);
  const shared = { service, webhooks, gate, clock, log, limits, trustProxy };
  const apps: FastifyInstance[] = [];
  async function open(port: number, host: string, options: { control: StatusControl | null }): Promise<string> {
    const app = createStatusApp({ ...shared, ...options, standsIn: false });
    await listen(app, { port, host, waitMs: 3000, log, signal });
    apps.push(app);
    const address = app.server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  try {
    const port = Number(new URL(await open(0, loopback, { control })).port);
    const publicUrl = await openPublicly();
    writeStatusAddress(folder, { port, secret, pid: process.pid });
    onReady({ port, secret, publicUrl });
    watchParent();
    await Promise.all([keepTime(), keepProbing()]);
  } finally {
    await Promise.all([...apps, standIn].map(closeApp));
    await webhooks.close();
    journal.close();
    if (existsSync(folder)) lock.release();
  }

  async function openPublicly(): Promise<string | null> {
    const port = settings.find('status-port');
    if (port === undefined) return null;
    try {
      return await open(port, settings.get('host'), { control: null });
    } catch (error) {
      // To a mirror its service is worth more than this one port of it.
      if (!process.channel) throw error;
      log.error({ err: error }, 'the status service does not answer on its own port');
      return null;
    }
  }

  async function keepTime(): Promise<void> {
    for (;;) {
      service.tick();
      if (!(await pause(rules.timings.tickMs))) return;
      endWhereNotAtHome();
    }
  }

  /** A folder that was cleared away, or taken by another service, ends this one. */
  function endWhereNotAtHome(): void {
    if (readStatusAddress(folder)?.pid !== process.pid) shutdown.request('the folder is no longer its own');
  }

  /** Asks the query service what its clients ask it: through the network, and whether it is ready. */
  async function keepProbing(): Promise<void> {
    do {
      if (place) {
        const isUp = standIn === null && (await isReady(place.url));
        service.report({ values: { 'api.down': isUp ? 0 : 1 }, facts: {} });
      }
    } while (await pause(place ? rules.timings.tickMs : Math.min(200, rules.timings.tickMs)));
  }

  /** false = it is time to end. */
  async function pause(ms: number): Promise<boolean> {
    // The wait's own rejection says nothing more than that the signal came.
    await sleep(ms, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  }

  function watchParent(): void {
    if (!process.channel) return;
    process.on('message', (message) => {
      if (message === stopMessage) shutdown.request('the mirror ends');
    });
    process.on('disconnect', () => {
      if (signal.aborted) return;
      isLeftOver = true;
      const seconds = settings.find('status-outlive') ?? 0;
      log.warn(`The mirror is gone; the status service goes on for up to ${seconds} s`);
      void outlive(seconds * 1000);
    });
  }

  async function outlive(ms: number): Promise<void> {
    const until = Date.now() + ms;
    while (Date.now() < until) {
      if (place && !standIn) await takeOver(place);
      if (!(await pause(500))) return;
      endWhereNotAtHome();
    }
    shutdown.request('no mirror has started again');
  }

  async function takeOver({ host, port, url }: ServingPlace): Promise<void> {
    const app = createStatusApp({ ...shared, control: null, standsIn: true });
    try {
      await app.listen({ host, port, listenTextResolver: () => `answering in the place of the mirror on ${url}` });
      standIn = app;
    } catch (error) {
      await app.close();
      log.debug({ err: error }, 'the port of the mirror is not free yet');
    }
  }
}

async function closeApp(app: FastifyInstance | null): Promise<void> {
  await app?.close();
}

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/readiness`, { signal: AbortSignal.timeout(readyWithinMs) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Whatever the reason: a client would not be answered either.
    return false;
  }
}

const shortestToken = 16;

function readTokens(text: string | undefined): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const entry of text === undefined ? [] : text.split(',')) {
    const [name, token] = splitOnce(entry.trim());
    if (name === '' || token.length < shortestToken) {
      throw new UsageError(`status-token must be name:token, with tokens of at least ${shortestToken} characters`);
    }
    tokens.set(token, name);
  }
  return tokens;
}

function splitOnce(entry: string): [string, string] {
  const colon = entry.indexOf(':');
  return colon < 0 ? ['', ''] : [entry.slice(0, colon), entry.slice(colon + 1)];
}
