// A process that announces changes is killed again and again, in the middle of whatever it does: every change reaches
// the receiver all the same, and in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endWithThisProcess } from '../../packages/postgres/embedded/end-with-this-process.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';

const changes = 30;
const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Makes a change, keeps it as the status journal would, announces it, and so on from wherever it was killed. */
const program = `
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { sampleIncident, sampleState, sampleUpdate } from ${from('../status-page/sample-state.ts')};
import { createWebhooks } from ${from('../../packages/status/webhooks/create-webhooks.ts')};
const [folder, url] = process.argv.slice(1);
const file = folder + '/number';
let number = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
const webhooks = createWebhooks({ folder, clock: Date.now, allowPrivate: true, log() {}, retryDelaysMs: Array(1000).fill(20) });
const toState = () => {
  const updates = number === 0 ? [] : [sampleUpdate({ id: 'step-' + number, createdAt: number, body: String(number) })];
  const incident = sampleIncident({ id: 'incident', status: 'investigating', startedAt: 1, updatedAt: number, updates });
  return { ...sampleState(), incidents: { incident } };
};
webhooks.announce(toState());
if (webhooks.list().length === 0) webhooks.add({ url, componentIds: null }, 'test');
for (;;) {
  if (number < ${changes}) {
    number += 1;
    writeFileSync(file + '.tmp', String(number), { flush: true });
    renameSync(file + '.tmp', file);
    webhooks.announce(toState());
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}
`;

let folder: string;
const seen: number[] = [];
let requests = 0;
let child: ChildProcess | undefined;

const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  requests += 1;
  // Now and then it fails, or takes the message and dies before it has said so.
  if (requests % 5 === 0) {
    response.writeHead(500).end();
    return;
  }
  const step = Number(JSON.parse(Buffer.concat(chunks).toString()).incident.incident_updates[0].body);
  if (!seen.includes(step)) seen.push(step);
  if (requests % 7 === 0) request.socket.destroy();
  else response.writeHead(204).end();
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-kill-webhooks-'));
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});
afterAll(() => {
  child?.kill('SIGKILL');
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

it('no change is lost, and none comes before an earlier one', async () => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  let kills = 0;
  while (seen.length < changes) {
    child = spawn(process.execPath, ['--input-type=module', '--eval', program, folder, url], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    endWithThisProcess(child, 'KILL');
    const ended = once(child, 'exit');
    // Some progress each time, then a kill at any moment, until there is nothing left to lose.
    const before = seen.length;
    await expect.poll(() => seen.length, { timeout: waitMs, interval: 5 }).toBeGreaterThan(before);
    await sleep((kills * 37) % 300);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    kills += 1;
  }
  expect(seen).toEqual(Array.from({ length: changes }, (_, index) => index + 1));
  expect(kills).toBeGreaterThan(1);
});
