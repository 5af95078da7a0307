// A status page service in one call: a folder for its journal, a port, and values that are reported. Its parts may be
// taken by themselves: the state and its rules are pure.

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../kit/process/log.ts';
import { createStatusService } from './create-status-service.ts';
import { createStatusApp } from './http/status-app.ts';
import { createStatusGate } from './http/status-gate.ts';
import { openStatusJournal } from './status-journal.ts';
import { defaultStatusRules, type StatusRules } from './status-rules.ts';
import type { StatusState } from './status-state.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

export { defaultStatusRules, type StatusRules } from './status-rules.ts';
export type { StatusState } from './status-state.ts';

export type StatusPageOptions = {
  /** For journal, snapshots and subscribers; made if it is not there. */
  folder: string;
  /** `mainnet`, `testnet` …, or any other name. */
  networkName: string;
  /** Default: 0, any free port. */
  port?: number;
  /** Default: 127.0.0.1 */
  host?: string;
  /** Token → name, of operators who change incidents and maintenances over HTTP. Default: none. */
  tokens?: ReadonlyMap<string, string>;
  rules?: StatusRules;
};

export type StatusPage = {
  url: string;
  /** Values of signals, and texts about them; they count until others come, for as long as the rules say. */
  report(values: Readonly<Record<string, number>>, facts?: Readonly<Record<string, string>>): void;
  state(): StatusState;
  close(): Promise<void>;
};

/** Listens, and judges every few seconds. Rejects where the folder cannot be written, or the port is taken. */
export async function openStatusPage(options: StatusPageOptions): Promise<StatusPage> {
  const { folder, networkName, port = 0, host = '127.0.0.1', tokens = new Map(), rules = defaultStatusRules } = options;
  const log = createLog({ level: 'warn', format: 'text' });
  const warn = (sentence: string) => (error: Error) => log.warn({ err: error }, sentence);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const journal = openStatusJournal(folder, undefined, warn('no snapshot of the status could be written'));
  const webhooks = createWebhooks({
    folder: join(folder, 'webhooks'),
    clock: Date.now,
    allowPrivate: false,
    log: (sentence) => log.warn(sentence),
  });
  const service = createStatusService({
    journal,
    rules,
    page: { networkName, networkTitle: null, url: null },
    clock: Date.now,
    onChange: webhooks.announce,
    onProblem: warn('the status cannot be written and is kept in memory'),
    hasRoom: () => true,
    onRecovered: () => log.warn('the status is written again'),
  });
  const gate = createStatusGate({ tokens, secret: randomBytes(24).toString('hex'), clock: Date.now });
  const app = createStatusApp({ service, webhooks, gate, clock: Date.now, log, control: null, standsIn: false });
  const url = await app.listen({ port, host });
  service.setPageUrl(`${url}/status`);
  const ticking = setInterval(service.tick, rules.timings.tickMs);
  return {
    url: `${url}/status`,
    report: (values, facts = {}) => service.report({ values: { ...values }, facts: { ...facts } }),
    state: service.state,
    async close() {
      clearInterval(ticking);
      await app.close();
      await webhooks.close();
      journal.close();
    },
  };
}
