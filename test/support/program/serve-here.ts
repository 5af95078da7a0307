// `serve` in this process, without a log.
import { pino } from 'pino';
import { type RunningServer, type StartServerOptions, startServer } from '../../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../../src/runtime/settings/load-settings.ts';

/** @param flags Of `serve`, after `--port 0`. */
export function serveHere(
  connectionString: string,
  flags: readonly string[],
  options: Partial<StartServerOptions> = {},
): Promise<RunningServer> {
  return startServer({
    connectionString,
    settings: loadSettings('serve', ['--port', '0', ...flags], {}),
    log: pino({ level: 'silent' }),
    network: { name: 'testnet', chainId: 0x128n, system: null },
    observer: null,
    signal: new AbortController().signal,
    ...options,
  });
}
