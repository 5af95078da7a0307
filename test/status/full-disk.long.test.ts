// A disk without room: the status service goes on answering from memory, says that it cannot write, on the page and in
// its log, refuses what it could not keep, and writes everything once there is room.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { waitForSummary } from '../support/program/read-status.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const disk = join(folder, 'disk');
mkdirSync(disk);
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
if (!canMount) console.warn('Skipped: only root can make a disk that is full');

const rules = { timings: { tickMs: 200, staleMs: 60_000, selfTestMs: 3_600_000 } };
const token = 'a-token-of-sixteen-characters';
const filler = join(disk, 'filler');

let database: ScratchDatabase;
let mirror: RunningMirror;
let url: string;

/** Until nothing more goes in. */
function fillDisk(): void {
  const file = openSync(filler, 'a');
  for (let size = 65_536; size >= 1; ) {
    try {
      if (writeSync(file, Buffer.alloc(size, 'x')) < size) size = Math.floor(size / 2);
    } catch {
      size = Math.floor(size / 2);
    }
  }
  closeSync(file);
}

async function start(): Promise<void> {
  const flags = ['--port=0', `--data-dir=${disk}`, `--status-rules=${join(folder, 'rules.json')}`];
  const env = { DATABASE_URL: database.connectionString, LEDGER_MIRROR_STATUS_TOKEN: `kim:${token}` };
  mirror = runMirror(['serve', ...flags], { env });
  [, url] = (await mirror.says(/Answering on (http:\S+)/)) as unknown as [string, string];
}

const page = async (): Promise<string> => (await fetch(`${url}/status`)).text();
const log = (): string => readFileSync(join(disk, 'status', 'status.log'), 'utf8');
const saysInLog = (): string[] => log().match(/cannot be written and is kept in memory/g) ?? [];
const showsIncident = async (): Promise<boolean> => (await page()).includes('Fire');

async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (const until = Date.now() + 240_000; Date.now() < until; await sleep(100)) if (await isTrue()) return;
  throw new Error(`Not within 240 s: ${what}\n${log()}\n${mirror.output()}`);
}

async function openIncident(name: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/status/manage/incidents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, body: 'x'.repeat(9000) }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.skipIf(!canMount)('a full disk', () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'rules.json'), JSON.stringify(rules));
    database = await createScratchDatabase();
    await start();
    await waitForSummary(url, 'components', ({ components }) => components.length > 5);
  });
  afterAll(async () => {
    mirror?.child.kill('SIGTERM');
    await mirror?.ended;
    await database?.close();
    spawnSync('umount', [disk]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is said on the page and in the log, and what cannot be kept is refused', async () => {
    const filledMs = performance.now();
    fillDisk();
    await waitUntil('the log says it', async () => saysInLog().length > 0);
    // What the reserve gave back for that line is taken, too.
    await waitUntil('the page says it', async () => {
      fillDisk();
      return (await page()).includes('cannot write to its disk');
    });
    expect(await page()).toMatch(/ENOSPC|no space left/i);
    for (let count = 0; count < 20; count += 1) expect((await fetch(`${url}/api/v2/summary.json`)).status).toBe(200);
    fillDisk();
    const refused = await openIncident('Fire');
    expect(refused.status, refused.text).toBe(503);
    expect(refused.text).toMatch(/Nothing was changed: the status cannot be written/);
    // Once, and again after minutes.
    expect(saysInLog().length).toBeLessThanOrEqual(1 + (performance.now() - filledMs) / 60_000);
    expect(mirror.output()).not.toContain('ended');
  });

  it('is over when there is room: everything is written, and nothing is lost', async () => {
    rmSync(filler);
    await waitUntil('the page calms', async () => !(await page()).includes('cannot write to its disk'));
    expect(log()).toContain('the status is written again');
    expect((await openIncident('Fire')).status).toBe(201);
    mirror.child.kill('SIGKILL');
    await mirror.ended;
    await start();
    await waitUntil('the page shows what was written', showsIncident);
  });

  it('a service that starts on a full disk answers', async () => {
    fillDisk();
    mirror.child.kill('SIGTERM');
    await mirror.ended;
    fillDisk();
    await start();
    await waitUntil('the page shows what was written', showsIncident);
    expect((await fetch(`${url}/api/v2/summary.json`)).status).toBe(200);
  });
});
