// Whether the port of the service is free, or a mirror answers there.
import type { Settings } from '../settings/load-settings.ts';
import { examineService } from './examine-service.ts';
import { FailedCheck } from './failed-check.ts';
import { findBindError, refusedPort } from './find-bind-error.ts';

/** Throws FailedCheck. */
export async function examinePort(settings: Settings): Promise<string | null> {
  const [port, host] = [settings.get('port'), settings.get('host')];
  const service = port === 0 ? null : await examineService(host, port);
  if (service?.problem) {
    throw new FailedCheck(
      `a mirror answers at ${host}:${port}: ${service.problem} (${service.found})`,
      'The log of that mirror says why; a worker that ended is started again within 10 s.',
    );
  }
  if (service) return `a mirror answers at ${host}:${port}: ${service.found}`;
  const code = await findBindError(host, port);
  if (code) throw refusedPort({ host, port, code, instead: 'choose another with --port' });
  return `${host}:${port} is free`;
}
