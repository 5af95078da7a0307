// A network in shard 11, realm 12 as its operator meets it: no address book, no setting, and an empty database at
// first.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { runMirror } from '../support/program/run-mirror.ts';

const data = findRealData('blocks/consensus-node-0.78');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'other-realm-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'blocks'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const place = (number: number) =>
  copyFile(join(data.path, `${number}.blk.gz`), join(folder, 'blocks', `${number}.blk.gz`));
const settings = ['--data-dir', 'mirror', '--port', '0'];

async function ask(url: string, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/api/v1/${path}`);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function answersOf(url: string): Promise<unknown[]> {
  const paths = ['accounts/2', 'network/supply', 'network/fees', 'network/exchangerate', 'network/nodes?limit=1'];
  return Promise.all(paths.map((path) => ask(url, path)));
}

test.skipIf(data.isAbsent)(
  `shard and realm are learnt from the first block and kept${data.hint}`,
  async () => {
    const start = runMirror(['start', '--source', 'blocks', '--dialect', 'hiero', ...settings], { cwd: folder });
    const [, url = ''] = await start.says(/Answering on (\S+?)\/?\n/);
    // Nothing tells yet which network it is.
    expect((await ask(url, 'accounts/2')).status).toBe(404);
    expect((await ask(url, 'network/fees')).status).toBe(404);
    for (const number of [0, 1, 2]) await place(number);
    await expect.poll(async () => (await ask(url, 'blocks/2')).status, { timeout: waitMs, interval: 20 }).toBe(200);
    const found = await answersOf(url);
    expect(found).toMatchObject([
      { status: 200, body: { account: '11.12.2' } },
      { status: 200, body: { total_supply: '5000000000000000000' } },
      { status: 200, body: { fees: [{}, {}, {}] } },
      { status: 200, body: { current_rate: {} } },
      { status: 200, body: { nodes: [{ file_id: '11.12.102' }] } },
    ]);
    expect((await fetch(`${url}/health/readiness`)).status).toBe(200);
    start.child.kill('SIGTERM');
    expect(await start.ended).toBe(0);

    const wrong = runMirror(['serve', '--shard', '3', ...settings], { cwd: folder });
    expect([await wrong.ended, wrong.output()]).toEqual([
      2,
      expect.stringContaining('This database holds a network in shard 11, realm 12, not shard 3, realm 0.'),
    ]);

    await place(3);
    const args = ['import', '--once', '--source', 'blocks', '--data-dir', 'mirror'];
    const next = runMirror(args, { cwd: folder });
    expect([await next.ended, next.output()]).toEqual([0, expect.stringMatching(/1 block/)]);

    const serve = runMirror(['serve', '--dialect', 'hiero', '--workers', '2', ...settings], { cwd: folder });
    const [, served = ''] = await serve.says(/Answering on (\S+?)\/?\n/);
    expect((await ask(served, 'blocks/3')).status).toBe(200);
    expect((await answersOf(served))[0]).toMatchObject({ status: 200, body: { account: '11.12.2' } });
    serve.child.kill('SIGTERM');
    expect(await serve.ended).toBe(0);
  },
  600_000,
);
