// The status rules of one run: those of the program, with the values of the operator's file.
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { readStatusRules } from '../../../packages/status/read-status-rules.ts';
import { defaultStatusRules, type StatusRules } from '../../../packages/status/status-rules.ts';
import type { TlsKeys } from '../../../packages/web-server/create-listener.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export function loadStatusRules(settings: Settings): StatusRules {
  const path = settings.find('status-rules');
  if (path === undefined) return defaultStatusRules;
  try {
    return readStatusRules(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The status rules ${path} cannot be used: the status rules ${(error as Error).message}`);
  }
}

/** null = it answers over plain HTTP. Throws UsageError if the two files are not a pair. */
export function readStatusTls(settings: Settings): TlsKeys | null {
  const [certFile, keyFile] = [settings.find('status-tls-cert'), settings.find('status-tls-key')];
  if (certFile === undefined && keyFile === undefined) return null;
  if (certFile === undefined || keyFile === undefined) {
    throw new UsageError('--status-tls-cert and --status-tls-key belong together: give both or none');
  }
  try {
    const keys = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
    createSecureContext(keys);
    return keys;
  } catch (error) {
    const reason = (error as Error).message;
    throw new UsageError(`--status-tls-cert ${certFile} and --status-tls-key ${keyFile} cannot be used: ${reason}`);
  }
}
