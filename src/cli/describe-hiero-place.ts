// Where clients of the Hiero mirror node find its API, printed when the service begins to answer.
import type { Settings } from '../runtime/settings/load-settings.ts';

/** null if it is /api/v1. `url`: of the service. */
export function describeHieroPlace(settings: Settings, url: string): string | null {
  if (settings.get('dialect') === 'hiero') return null;
  const port = settings.find('port-hiero');
  const own = port === undefined ? null : new URL(url);
  if (own) own.port = String(port);
  const place = own ? `${own.origin}/api/v1 and ${url}/hiero/api/v1` : `${url}/hiero/api/v1`;
  const choice = own ? '' : ' For /api/v1 itself: --dialect hiero, or a separate port with --port-hiero.';
  return `Wallets, relays, explorers and SDKs of the Hiero mirror node: ${place}.${choice}`;
}
