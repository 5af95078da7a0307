// The part of the settings that answers depend on, as the HTTP room takes it.
import { type HttpSettings, httpSettingsOf } from '../../http/http-settings.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Settings } from './load-settings.ts';

export function toHttpSettings(settings: Settings, chainId: bigint, system: SystemRealm): HttpSettings {
  return httpSettingsOf(settings.get, {
    system,
    chainId,
    securityContact: settings.find('security-contact') ?? null,
    clock: createClock(settings.find('clock')),
  });
}

/** ns since the epoch: the machine's clock, or one that was set to `startSeconds` when it was made and runs. */
function createClock(startSeconds: number | undefined): () => bigint {
  if (startSeconds === undefined) return () => BigInt(Date.now()) * 1_000_000n;
  const offsetMs = startSeconds * 1000 - Date.now();
  return () => BigInt(Date.now() + offsetMs) * 1_000_000n;
}
