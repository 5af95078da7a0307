// Ports of other protocols: which the settings open, what doctor says of them, and the certificate of one.
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { doorPorts } from '../settings/door-ports.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { readGrpcTls } from '../settings/read-grpc-tls.ts';
import { examine } from './examine.ts';

const settingsOf = (...flags: string[]) => loadSettings('serve', flags, {});
const portsOf = (...flags: string[]) => doorPorts(settingsOf(...flags)).map(({ kind, port }) => `${kind} ${port}`);

it('are those that are asked for, and those of a local network that are not taken by them', () => {
  expect(portsOf()).toEqual([]);
  expect(portsOf('--rpc-port', '1', '--grpc-port', '2')).toEqual(['rpc 1', 'grpc 2']);
  expect(portsOf('--extra-ports')).toEqual(['rpc 7546', 'rpc 8545', 'rpc 8546', 'rest 8084', 'grpc 5600']);
  expect(portsOf('--extra-ports', '--port', '8084', '--grpc-port', '2')).toEqual([
    'grpc 2',
    'rpc 7546',
    'rpc 8545',
    'rpc 8546',
  ]);
  expect(portsOf('--extra-ports', '--block-node-port', '3').at(0)).toBe('blockNode 3');
  expect(() => portsOf('--grpc-port', '7', '--block-node-port', '7')).toThrow(
    '--grpc-port and --block-node-port name the same port.',
  );
  // Each 0 is another port.
  expect(portsOf('--port', '0', '--rpc-port', '0')).toEqual(['rpc 0']);
  expect(() => portsOf('--rpc-port', '7', '--grpc-port', '7')).toThrow(
    '--rpc-port and --grpc-port name the same port.',
  );
  expect(() => portsOf('--port', '7', '--port-hiero', '7')).toThrow('--port and --port-hiero name the same port.');
});

it('are free, or taken by another program', async () => {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const { port } = taken.address() as AddressInfo;
  const find = async () => {
    const settings = loadSettings('doctor', ['--port', '0', '--rpc-port', `${port}`], {});
    for await (const finding of examine(settings, ['doors'])) return finding;
    throw new Error('doctor says nothing');
  };
  expect(await find()).toEqual({
    ...{ name: 'doors', ok: false, found: `127.0.0.1:${port} is taken by another program (EADDRINUSE)` },
    advice: 'Stop what listens there, or choose another with --rpc-port.',
  });
  await new Promise((done) => taken.close(done));
  expect(await find()).toEqual({ name: 'doors', ok: true, found: `JSON-RPC 127.0.0.1:${port} is free` });
});

it('a certificate without its key, and files that are none, are refused', () => {
  expect(readGrpcTls(settingsOf())).toBe(null);
  expect(() => readGrpcTls(settingsOf('--grpc-tls-key', 'x'))).toThrow('belong together');
  const file = import.meta.filename;
  expect(() => readGrpcTls(settingsOf('--grpc-tls-key', file, '--grpc-tls-certificate', file))).toThrow(
    'are no certificate with its key',
  );
  expect(() => readGrpcTls(settingsOf('--grpc-tls-key', file, '--grpc-tls-certificate', '/nothing'))).toThrow(
    '--grpc-tls-certificate /nothing cannot be read (ENOENT).',
  );
});
