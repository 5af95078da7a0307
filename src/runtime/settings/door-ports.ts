// Which ports are opened for other protocols than REST, as the settings say.
import type { Settings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

export type DoorPort = {
  kind: 'rest' | 'rpc' | 'grpc' | 'blockNode';
  port: number;
  portSetting: 'rpc-port' | 'grpc-port' | 'block-node-port' | 'extra-ports';
};

/**
 * Of a local network (Hiero's local node): at 8545 some clients expect JSON-RPC and others REST, 8546 is that of web
 * sockets.
 */
const localPorts = [
  { kind: 'rpc', port: 7546 },
  { kind: 'rpc', port: 8545 },
  { kind: 'rpc', port: 8546 },
  { kind: 'rest', port: 8084 },
  { kind: 'grpc', port: 5600 },
] as const;

/**
 * gRPC has one port: that of a local network only where no other is asked for. Throws UsageError if two settings name
 * one port.
 */
export function doorPorts(settings: Settings): DoorPort[] {
  const [rpc, grpc] = [settings.find('rpc-port'), settings.find('grpc-port')];
  const blockNode = settings.find('block-node-port');
  const own: DoorPort[] = [];
  if (rpc !== undefined) own.push({ kind: 'rpc', port: rpc, portSetting: 'rpc-port' });
  if (grpc !== undefined) own.push({ kind: 'grpc', port: grpc, portSetting: 'grpc-port' });
  if (blockNode !== undefined) own.push({ kind: 'blockNode', port: blockNode, portSetting: 'block-node-port' });
  const names = ['port', 'port-hiero', 'rpc-port', 'grpc-port', 'block-node-port'] as const;
  const taken = names.map((name) => settings.find(name));
  const twice = names.find((_, at) => taken[at] !== undefined && taken[at] !== 0 && taken.indexOf(taken[at]) < at);
  if (twice) {
    throw new UsageError(`--${names[taken.indexOf(settings.find(twice))]} and --${twice} name the same port.`);
  }
  if (!settings.get('extra-ports')) return own;
  const further = localPorts.filter(
    ({ port, kind }) => !taken.includes(port) && !(kind === 'grpc' && grpc !== undefined),
  );
  return [...own, ...further.map((one) => ({ ...one, portSetting: 'extra-ports' as const }))];
}
