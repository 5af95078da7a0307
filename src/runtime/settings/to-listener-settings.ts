// The settings about client connections, in the form that the HTTP room takes.

import { availableParallelism } from 'node:os';
import type { RateLimits } from '../../../packages/web-server/limit-rate.ts';
import { type HttpSettings, httpSettingsOf } from '../../api/frame/http-settings.ts';
import type { CallLimits } from '../../calls/call-limits.ts';
import type { Settings } from './load-settings.ts';
import { readTokens } from './read-tokens.ts';

/** @param workers how many processes share the limits */
export function toListenerSettings(settings: Settings, workers = 1) {
  const trusted = settings.find('trust-proxy');
  return {
    limits: {
      headTimeoutMs: settings.get('head-timeout') * 1000,
      bodyTimeoutMs: settings.get('body-timeout') * 1000,
      idleTimeoutMs: settings.get('idle-timeout') * 1000,
      answerTimeoutMs: settings.get('answer-timeout') * 1000,
      // The limit of open files applies to each process.
      maxConnections: shareOf(settings.find('max-connections'), workers) ?? usualMaxConnections(readOpenFileLimit()),
    },
    /** Addresses and networks of proxies. */
    clusterId: settings.find('cluster-id') ?? null,
    trustProxy: trusted === undefined ? [] : trusted.split(',').map((entry) => entry.trim()),
  };
}

/** What limits too many requests. */
export function toLoadLimits(settings: Settings): {
  maxWaitMs: number | null;
  rateLimits: RateLimits | null;
  /** API key → name of its owner. */
  apiKeys: ReadonlyMap<string, string>;
} {
  const perAddress = settings.find('rate-limit') ?? null;
  const perKey = settings.find('api-key-rate-limit') ?? null;
  const windowMs = settings.get('rate-limit-window') * 1000;
  // Read also if nothing is limited: a mistake in them is refused at once.
  const keys = readTokens('api-keys', settings.find('api-keys'));
  return {
    apiKeys: keys,
    maxWaitMs: settings.get('max-wait') || null,
    rateLimits: perAddress === null && perKey === null ? null : { perAddress, perKey, windowMs, keys },
  };
}

/** Threads and rates are shared among the workers. */
export function toCallLimits(settings: Settings, workers: number): Partial<CallLimits> {
  const share = (all: number): number => Math.max(1, Math.ceil(all / workers));
  return {
    threads: share(settings.find('call-threads') ?? usualThreads()),
    requestsPerSecond: share(settings.get('call-rate')),
    gasRefundPercent: settings.get('call-gas-refund'),
    filters: (settings.find('call-filters') ?? []).map((filter) =>
      filter.action === 'throttle' && filter.rate > 0 ? { ...filter, rate: share(filter.rate) } : filter,
    ),
    tracesPerSecond: settings.get('opcode-rate'),
    prestatesPerSecond: share(settings.get('prestate-rate')),
    gasPerSecond: share(settings.get('call-gas-rate') * 1_000_000),
  };
}

/** One processor is left for everything else. */
function usualThreads(): number {
  return Math.max(1, Math.min(4, availableParallelism() - 1));
}

function shareOf(all: number | undefined, workers: number): number | undefined {
  return all && Math.ceil(all / workers);
}

/** Leaves files for the database, the log, the status service and reads from disk. `openFiles`: null = unknown. */
export function usualMaxConnections(openFiles: number | null): number {
  if (openFiles === null) return maxUsual;
  return Math.min(maxUsual, Math.max(minUsual, Math.floor(openFiles * 0.75) - 64));
}

const maxUsual = 4096;
const minUsual = 16;

/** Of this process, if the system reports it. */
function readOpenFileLimit(): number | null {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

export function toHttpSettings(
  settings: Settings,
  { network, system }: Pick<HttpSettings, 'network' | 'system'>,
): HttpSettings {
  return httpSettingsOf(settings.get, {
    system,
    network,
    requiresProof: settings.get('require-proof'),
    securityContact: settings.find('security-contact') ?? null,
    clock: createClock(settings.find('clock')),
  });
}

/** ns since the epoch: the machine's clock, or one that started at `startSeconds` when it was made. */
function createClock(startSeconds: number | undefined): () => bigint {
  if (startSeconds === undefined) return () => BigInt(Date.now()) * 1_000_000n;
  const offsetMs = startSeconds * 1000 - Date.now();
  return () => BigInt(Date.now() + offsetMs) * 1_000_000n;
}
