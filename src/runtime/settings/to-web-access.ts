// By which names the service may be asked, and from whose pages, as the settings say.

import { isLoopbackName } from '../../../packages/kit/loopback-name.ts';
import { accessForAll, type WebAccess } from '../../../packages/web-server/web-access.ts';
import type { Settings } from './load-settings.ts';

/**
 * A service for this machine alone is asked by the names of this machine, and from its pages. As soon as it has another
 * name it is a service for others.
 */
export function toWebAccess(settings: Settings): WebAccess {
  const origins = listOf(settings.find('allowed-origins'));
  const hosts = listOf(settings.find('allowed-hosts')) ?? (isLoopbackName(settings.get('host')) ? [] : 'all');
  const takesLocalPages = hosts !== 'all' && hosts.every(isLoopbackName);
  if (origins === 'all' || (origins === null && !takesLocalPages)) return { ...accessForAll, hosts };
  // Origins that may use sessions of contract checks may make them.
  return { hosts, origins: [...(origins ?? []), ...listSessionOrigins(settings)], takesLocalPages };
}

/** Pages on other hosts that may use sessions. */
export function listSessionOrigins(settings: Settings): string[] {
  return settings.find('verify-origins')?.split(',') ?? [];
}

/** null = the setting is not given. */
function listOf(text: string | undefined): readonly string[] | 'all' | null {
  if (text === undefined) return null;
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.includes('*') ? 'all' : entries;
}
