// The configured status service on another machine, as this program reaches it.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isLoopbackName } from '../../../packages/kit/loopback-name.ts';
import type { RemoteStatusService } from '../../../packages/status/http/forward-status.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type RemoteStatus = RemoteStatusService & {
  token: string;
  /** Of this program; null = derived from its address. */
  name: string | null;
  /** Neither TLS nor loopback: others can read the token. */
  isReadable: boolean;
};

const minTokenLength = 16;

/** null = this program starts its service itself. Throws UsageError for settings that cannot be used. */
export function readRemoteStatus(settings: Settings): RemoteStatus | null {
  const text = settings.find('status-report-to');
  if (text === undefined) return null;
  const url = new URL(text);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new UsageError(`--status-report-to must be scheme, host and port such as https://status.example.org:5553`);
  }
  const token = settings.find('status-report-token');
  if (token === undefined || token.length < minTokenLength || !/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      `--status-report-to needs --status-report-token: the part after the name of an entry of --status-reporters, at least ${minTokenLength} characters`,
    );
  }
  const name = settings.find('status-report-name') ?? null;
  if (name !== null && !/^[\w.:@-]{1,100}$/.test(name)) {
    throw new UsageError('--status-report-name must have at most 100 letters, digits and . : @ _ -');
  }
  const isReadable = url.protocol === 'http:' && !isLoopbackName(url.hostname);
  return { origin: url.origin, ca: readCa(settings.find('status-report-ca')), token, name, isReadable };
}

/** The same after a restart on the same address. */
export function reporterNameOf({ name }: RemoteStatus, place: string): string {
  return name ?? `${hostname().slice(0, 80)}:${place}`.replaceAll(/[^\w.:@-]/g, '-');
}

function readCa(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`--status-report-ca ${path} cannot be read: ${(error as Error).message}`);
  }
  // Node accepts any text, and then trusts nothing.
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`--status-report-ca ${path} has no certificate`);
  return text;
}
