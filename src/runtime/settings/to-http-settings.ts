// The part of the settings that answers depend on, as the HTTP room takes it.
import { defaultHttpSettings, type HttpSettings } from '../../http/frame/http-settings.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Settings } from './load-settings.ts';

const nanosecondsPerDay = 86_400_000_000_000n;

export function toHttpSettings(settings: Settings, chainId: bigint, system: SystemRealm): HttpSettings {
  return {
    ...defaultHttpSettings,
    system,
    chainId,
    limitDefault: settings.get('limit-default'),
    limitMax: settings.get('limit-max'),
    tokenBalanceLimit: settings.get('token-balance-limit'),
    listedTokenBalanceLimit: settings.get('listed-token-balance-limit'),
    maxRepeatedParameters: settings.get('max-repeated-parameters'),
    delegationAddress: settings.get('delegation-address'),
    syntheticResults: settings.get('synthetic-results'),
    bindTimestampRange: settings.get('bind-timestamp-range'),
    maxTimestampRange: BigInt(settings.get('max-timestamp-range')) * nanosecondsPerDay,
    securityContact: settings.find('security-contact') ?? null,
    clock: createClock(settings.find('clock')),
  };
}

/** ns since the epoch: the machine's clock, or one that was set to `startSeconds` when it was made and runs. */
function createClock(startSeconds: number | undefined): () => bigint {
  if (startSeconds === undefined) return () => BigInt(Date.now()) * 1_000_000n;
  const offsetMs = startSeconds * 1000 - Date.now();
  return () => BigInt(Date.now() + offsetMs) * 1_000_000n;
}
