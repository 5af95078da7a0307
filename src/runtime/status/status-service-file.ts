// How the programs of one machine find the status service of a data folder: a file beside its journal with its address
// and the secret that gives access.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../../../packages/kit/write-durable-file.ts';
import { authorHeader, secretHeader } from '../../../packages/status/http/status-gate.ts';

export type StatusAddress = {
  /** On 127.0.0.1. */
  port: number;
  secret: string;
  pid: number;
};

export type StatusAnswer = { status: number; body: unknown };

export function statusFolderOf(dataFolder: string): string {
  return join(dataFolder, 'status');
}

function statusFileOf(folder: string): string {
  return join(folder, 'service.json');
}

export function writeStatusAddress(folder: string, address: StatusAddress): void {
  writeDurableFile(statusFileOf(folder), JSON.stringify(address));
}

/** null = none has been written, or it is invalid. */
export function readStatusAddress(folder: string): StatusAddress | null {
  try {
    const address = JSON.parse(readFileSync(statusFileOf(folder), 'utf8')) as StatusAddress;
    return Number.isInteger(address.port) && typeof address.secret === 'string' ? address : null;
  } catch {
    // The service has never run here, or the file is another program's: either way no service runs.
    return null;
  }
}

export type StatusQuestion = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  /** Author of a change. */
  by?: string;
  timeoutMs?: number;
};

/** Throws if the service does not answer. */
export async function askStatusService(
  { port, secret }: Pick<StatusAddress, 'port' | 'secret'>,
  { method = 'GET', path, body, by, timeoutMs = 5000 }: StatusQuestion,
): Promise<StatusAnswer> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      [secretHeader]: secret,
      ...(by === undefined ? {} : { [authorHeader]: encodeURIComponent(by) }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, body: await answer.json() };
}

export type RunningStatus = {
  address: StatusAddress;
  /** The mirror that started it is gone. */
  isLeftOver: boolean;
  /** Ports of killed query services on which it answers. */
  standsInAt: readonly number[];
};

/** The service of this folder, if it runs and knows the secret. */
export async function findRunningStatus(folder: string): Promise<RunningStatus | null> {
  const address = readStatusAddress(folder);
  if (!address) return null;
  try {
    const { status, body } = await askStatusService(address, { path: '/control/about' });
    const { isLeftOver, pid, standsInAt = [] } = body as Partial<RunningStatus> & { pid?: number };
    return status === 200 && pid === address.pid ? { address, isLeftOver: isLeftOver === true, standsInAt } : null;
  } catch {
    // It has ended without removing its file, or another program has its port now.
    return null;
  }
}

/** From the mirror that started the service to it, and back if others still need it. */
export const stopMessage = 'stop';
export const goesOnMessage = 'goes on';
