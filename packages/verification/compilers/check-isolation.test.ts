// What the kernel itself refuses: a program with all of Node's modules tries, under no other rule.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { createCheckIsolation } from './check-isolation.ts';

const program = `
const attempts = {
  open: () => require('node:fs').openSync('/etc/passwd'),
  connect: (port) => once(require('node:net').connect(port, '127.0.0.1'), 'connect'),
  datagram: (port) => new Promise((resolve, reject) => {
    const socket = require('node:dgram').createSocket('udp4');
    socket.on('error', reject).send('x', port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
  }),
  lookup: () => require('node:dns').promises.lookup('localhost'),
  resolve: () => require('node:dns').promises.resolve4('localhost'),
  start: () => require('node:child_process').execFileSync('true'),
  signal: () => process.kill(process.ppid, 0),
};
const { once } = require('node:events');
for (const name of ['fs', 'net', 'dgram', 'dns', 'child_process']) require('node:' + name);
process.once('message', async ({ port, udpPort }) => {
  const done = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try { await attempt(name === 'datagram' ? udpPort : port); done.push(name); } catch {}
  }
  process.send(done);
});
process.send('ready');`;

test.skipIf(process.platform !== 'linux')('a process behind closed doors', async () => {
  const told: string[] = [];
  const isolation = createCheckIsolation((line) => told.push(line));
  const user = isolation.user([process.execPath]);
  const met: string[] = [];
  const server = createServer(() => met.push('connection')).listen(0, '127.0.0.1');
  const receiver = createSocket('udp4', () => met.push('datagram')).bind(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(receiver, 'listening')]);
  const asUser = user === null ? {} : { uid: user, gid: user };
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    cwd: '/',
    ...asUser,
  });
  await once(child, 'message');
  await isolation.closeDoors(child.pid!, user);
  child.send({ port: (server.address() as AddressInfo).port, udpPort: receiver.address().port });
  const [done] = await once(child, 'message');
  child.kill('SIGKILL');
  server.close();
  receiver.close();
  expect(told).toEqual([]);
  // Without root there is no other user to be: then signals are kept back by Node alone.
  expect(done).toEqual(user === null ? ['signal'] : []);
  expect(met).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)('what its user could not read is read as the service', () => {
  const isolation = createCheckIsolation(() => undefined);
  expect(isolation.user(['/etc/shadow'])).toBeNull();
  expect(isolation.user(['/etc/passwd'])).toBeGreaterThan(60_000);
});
