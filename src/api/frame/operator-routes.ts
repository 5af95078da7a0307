// Routes for operators: health and metrics.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { isSettledWithin } from '../../../packages/kit/is-settled-within.ts';
import { QueryError } from '../../../packages/postgres/wire/database.ts';
import { type QueueFullError, queueIsFull } from '../../../packages/postgres/wire/waiting-line.ts';
import { describeMissing } from '../../../packages/store/read/distributed/select-machines.ts';
import type { Ledger } from '../../ledger/ledger.ts';

import type { SharedPages } from './shared-pages.ts';

type Context = {
  ledger: Ledger;
  registry: Registry;
  /** null: they are shown on another port. */
  metrics: (() => Promise<string>) | null;
  /** Not ready while the newest block is not proved. */
  requiresProof: boolean;
  /** Whether the program is shutting down: clients should ask another instance. */
  isEnding(): boolean;
};

/** Monitoring is answered even when other requests are not. */
const watched: readonly (string | undefined)[] = ['/health/liveness', '/health/readiness', '/metrics'];

/** A machine that is switched off keeps a connection waiting for half a minute. */
const machinesWithinMs = 5_000;

export function isForOperators({ routeOptions }: FastifyRequest): boolean {
  return watched.includes(routeOptions.url);
}

export function addOperatorRoutes(
  app: FastifyInstance,
  { ledger, registry, metrics, requiresProof, isEnding }: Context,
  pages: SharedPages,
): void {
  pages.add('/health/liveness', 'program', async () => ({ status: 200, body: '{"status":"ok"}' }));
  pages.add('/health/readiness', 'asked', async () => {
    const [isOk, lost] = await Promise.all([isReady(), lostMachines()]);
    const reason = lost ?? (isOk ? await describeUnproved() : await describeUnfinished());
    if (isOk && reason === null) {
      const warning = await describeWarning();
      return { status: 200, body: JSON.stringify({ status: 'ok', ...(warning !== null && { warning }) }) };
    }
    return { status: 503, body: JSON.stringify({ status: 'error', ...(reason !== null && { reason }) }) };
  });
  if (metrics) {
    const { contentType } = registry;
    pages.add('/metrics', 'asked', async () => ({ status: 200, body: await metrics(), contentType }));
  }

  /**
   * Lists ask every machine of a cluster: none is answered while one is away. null = all answer, or this is unknown.
   */
  async function lostMachines(): Promise<string | null> {
    try {
      const asked = ledger.machines();
      if (!(await isSettledWithin(asked, machinesWithinMs))) {
        return `The machines of the cluster do not answer within ${machinesWithinMs / 1000} s`;
      }
      const machines = await asked;
      return machines && machines.missing > 0 ? describeMissing(machines) : null;
    } catch {
      // `isReady` reports the reason.
      return null;
    }
  }

  /** Until an export is loaded to its end, most answers would be wrong. */
  async function describeUnfinished(): Promise<string | null> {
    try {
      return await ledger.unfinished();
    } catch {
      // `isReady` reports the reason.
      return null;
    }
  }

  /** Where operators demand proofs. null = the newest block is proved, or need not be. */
  async function describeUnproved(): Promise<string | null> {
    if (!requiresProof) return null;
    try {
      return await ledger.unproved();
    } catch {
      return 'Whether the newest block is proved cannot be found out now';
    }
  }

  /**
   * The network has published a ledger id that was not understood: blocks are verified as before, and may not be for
   * long.
   */
  async function describeWarning(): Promise<string | null> {
    try {
      return await ledger.warning();
    } catch {
      // What cannot be asked now was ready a moment ago: `isReady` reports the reason next time.
      return null;
    }
  }

  async function isReady(): Promise<boolean> {
    if (isEnding()) return false;
    try {
      return await ledger.isReady();
    } catch (error) {
      // It may answer others.
      const isFull = error instanceof QueryError && error.code === queueIsFull;
      if (isFull && !(error.cause as QueueFullError).isSilent) return true;
      app.log.warn({ err: error }, 'Not ready: the database does not answer');
      return false;
    }
  }
}
