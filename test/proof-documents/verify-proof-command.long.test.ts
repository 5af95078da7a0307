// The command of the package for others, as its users start it.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findLedgerId, makeBlockDocument } from './make-block-document.ts';

// Each start takes a second on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const command = join(import.meta.dirname, '../../clients/verify-proof/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'verify-proof-'));
let server: Server;
let url: string;
let file: string;
let ledgerId: string;
let item: string;

beforeAll(async () => {
  await writeNetwork({ folder, seed: 'command', format: 'blocks', nodes: 1, blocks: 4, transactions: 2 });
  const blocks = readBlocks(join(folder, 'blocks'));
  ledgerId = findLedgerId(blocks[0]!);
  const single = [
    ['outputs', 0],
    ['inputs', 1],
  ] as const;
  const document = makeBlockDocument({ block: blocks[3]!, form: 'sixteen', first: blocks[0]!, single });
  item = (document.items[1] as { item: string }).item;
  file = join(folder, 'proof.json');
  writeFileSync(file, JSON.stringify(document));
  server = createServer((request, response) => {
    response.statusCode = request.url === '/proof' ? 200 : 404;
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

it('says each step, the items and the block of a file or an address', async () => {
  for (const place of [file, `${url}/proof`]) {
    const { code, output } = await run(place, '--ledger-id', ledgerId);
    expect([code, output.split('\n').at(-2)]).toEqual([0, 'Proved, of block 3.']);
    expect(output).toContain(`inputs ${item}`);
    // Two items, the root of the block, its signature, and whose key that is.
    expect(output.match(/^ok {2}/gm)).toHaveLength(5);
  }
});

it('refuses with the reason', async () => {
  const other = '00'.repeat(32);
  expect(await run(file, '--ledger-id', other)).toEqual({
    code: 1,
    output: expect.stringContaining('Refused: the address book is not the one of the trusted ledger id'),
  });
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, '{"version":1,');
  expect(await run(broken, '--ledger-id', ledgerId)).toEqual({
    code: 1,
    output: 'Refused: the document is not JSON\n',
  });
  const flipped = join(folder, 'flipped.json');
  writeFileSync(flipped, readFileSync(file, 'utf8').replace('"inputs"', '"traces"'));
  expect(await run(flipped, '--ledger-id', ledgerId)).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^ok {2}.* of the subtree outputs.*\nRefused: an item is not in the traces of the block\n$/,
    ),
  });
});

it('says what could not be read, and how it is used', async () => {
  expect(await run(`${url}/other`, '--ledger-id', ledgerId)).toEqual({
    code: 2,
    output: `${url}/other answers with status 404\n`,
  });
  const usage = { code: 2, output: expect.stringContaining('verify-proof <url or file> --ledger-id') };
  expect(await run(file)).toEqual(usage);
  expect(await run('--ledger-id', ledgerId)).toEqual(usage);
  expect((await run(join(folder, 'absent'), '--ledger-id', ledgerId)).code).toBe(2);
});

it('says of a key that is not proved that it is not, and refuses it unless that is asked for', async () => {
  const own = join(folder, 'later');
  const shape = { seed: 'later command', format: 'blocks', nodes: 1, blocks: 2, transactions: 1 } as const;
  await writeNetwork({ ...shape, folder: own, ledgerIdBytes: 64 });
  const [first, block] = readBlocks(join(own, 'blocks')) as [Buffer, Buffer];
  const single = [['outputs', 0]] as const;
  const later = join(folder, 'later.json');
  writeFileSync(later, JSON.stringify(makeBlockDocument({ block, form: 'sixteen', first, single })));
  const [id, key] = [findLedgerId(first), findLedgerId(first).slice(64)];
  const lines = async (...args: string[]) => {
    const { code, output } = await run(later, ...args);
    return [code, output.trimEnd().split('\n').at(-1)];
  };
  expect(await lines('--ledger-id', id)).toEqual([0, 'Proved, of block 1.']);
  // Of the same book, which began with another key.
  const other = ['--ledger-id', `${id.slice(0, 64)}${'11'.repeat(32)}`];
  expect(await lines(...other)).toEqual([1, expect.stringMatching(`^Refused: key ${key} is not proved`)]);
  expect(await lines(...other, '--allow-unproved-key')).toEqual([
    3,
    expect.stringMatching(/^NOT PROVED: .*, of block 1[.]$/),
  ]);
  expect(await lines(...other, '--known-key', key)).toEqual([0, 'Proved, of block 1.']);
});
