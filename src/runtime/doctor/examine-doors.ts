// The ports of the other doors: free, or open where a mirror runs.
import { type DoorPort, doorPorts } from '../settings/door-ports.ts';
import type { Settings } from '../settings/load-settings.ts';
import { examineService } from './examine-service.ts';
import { FailedCheck } from './failed-check.ts';
import { findBindError, refusedPort } from './find-bind-error.ts';

/** null where none is set. Throws FailedCheck. */
export async function examineDoors(settings: Settings): Promise<string | null> {
  const ports = doorPorts(settings).filter(({ port }) => port !== 0);
  if (ports.length === 0) return null;
  const [servicePort, host] = [settings.get('port'), settings.get('host')];
  const isRunning = servicePort !== 0 && (await examineService(host, servicePort)) !== null;
  for (const { port, portSetting } of ports) {
    const code = await findBindError(host, port);
    if (isRunning && code === null) {
      throw new FailedCheck(
        `nothing listens at ${host}:${port}`,
        `The mirror that runs was started without it: start it again with --${portSetting}.`,
      );
    }
    if (!isRunning && code) {
      const instead = portSetting === 'extra-ports' ? 'start without' : 'choose another with';
      throw refusedPort({ host, port, code, instead: `${instead} --${portSetting}` });
    }
  }
  const places = ports.map(({ kind, port }) => `${doorNames[kind]} ${host}:${port}`).join(', ');
  return `${places} ${isRunning ? (ports.length === 1 ? 'is open' : 'are open') : ports.length === 1 ? 'is free' : 'are free'}`;
}

const doorNames: Record<DoorPort['kind'], string> = {
  rest: 'REST',
  rpc: 'JSON-RPC',
  grpc: 'gRPC',
  blockNode: 'block node',
};
