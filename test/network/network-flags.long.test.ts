// Settings of the simulated network as flags, from the command line to the files that it writes.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findWireBytes } from '../../packages/protocol/wire-fields.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { itemKinds } from '../../packages/streams/block-stream/block-item.ts';
import { readBlock } from '../../packages/streams/streams.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { followKeys, readBlockFolder } from './follow-keys.ts';

const root = mkdtempSync(join(tmpdir(), 'network-flags-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Resolves with the ledger id that is printed. */
async function write(folder: string, ...flags: string[]): Promise<Buffer> {
  const usual = ['--block-interval', '0', '--transactions-per-block', '1', '--nodes', '1', '--log-level', 'error'];
  const network = runMirror(['network', '--output', folder, ...usual, ...flags]);
  expect([await network.ended, network.output()]).toEqual([0, expect.stringContaining('Wrote')]);
  return Buffer.from(/Ledger id (?:0x)?([0-9a-f]+)/.exec(network.output())![1]!, 'hex');
}

test('--cutover-at, --rotate-every and --sign-every', async () => {
  const folder = join(root, 'rotating');
  const ledgerId = await write(
    folder,
    ...['--blocks', '18', '--cutover-at', '6', '--rotate-every', '4', '--sign-every', '3'],
  );
  expect(ledgerId).toHaveLength(64);
  const blocks = readBlockFolder(folder);
  expect(blocks.map((items) => toBlock(items).number)).toEqual(Array.from({ length: 12 }, (_, at) => BigInt(6 + at)));
  // Signed blocks have a signature of their own, field 2 of the proof; the others the path to a signed one.
  const signed = blocks.map((items) =>
    items.some(({ kind, content }) => kind === itemKinds.blockProof && findWireBytes(content, 2) !== null),
  );
  // Of block 6 on: each third, the last, and those that a change of the key makes wait for no other.
  expect(signed.map((isSigned) => (isSigned ? 's' : '-')).join('')).toBe('s--ss-s-ss-s');
  const news = followKeys(folder, ledgerId).map((line, at) => `${6 + at} ${line}`);
  expect(news.filter((line) => line.includes('news'))).toEqual([
    '6 news ledgerId',
    '7 news namedKey 6',
    '11 news namedKey 10',
    '16 news namedKey 14',
  ]);
  // Those before are record files.
  const nodes = join(folder, 'recordstreams');
  const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => /Z\.rcd(\.gz)?$/.test(file))).toHaveLength(6);
});

test.each([32, 64])('--ledger-id-bytes %i', async (bytes) => {
  const folder = join(root, String(bytes));
  expect(await write(folder, '--blocks', '1', '--format', 'blocks', '--ledger-id-bytes', String(bytes))).toHaveLength(
    bytes,
  );
});

test('--max-gas-refund: what a call pays for of the gas that it names and does not use', async () => {
  const paid: Record<string, number[]> = {};
  for (const refund of ['0', '100']) {
    const folder = join(root, `refund-${refund}`);
    const flags = ['--blocks', '3', '--format', 'wrapped', '--transactions-per-block', '15'];
    await write(folder, ...flags, '--max-gas-refund', refund);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.blk'));
    const blocks = await Promise.all(files.map((name) => readBlock(readFileSync(join(folder, name)))));
    paid[refund] = blocks
      .flatMap(({ transactions }) => transactions)
      .flatMap(({ body, record }) => {
        const [given, used] = [body?.contractCall?.gas, record.contractCallResult?.gasUsed];
        return given && used ? [Number(used) / Number(given)] : [];
      });
  }
  expect(paid['0']!.length).toBeGreaterThan(0);
  expect(new Set(paid['0'])).toEqual(new Set([1]));
  expect(Math.min(...paid['100']!)).toBeLessThan(0.8);
});

test.each([['113'], ['111']])('--genesis-fees %s: which file says first what gas costs', async (file) => {
  const folder = join(root, `fees-${file}`);
  await write(folder, '--blocks', '1', '--format', 'blocks', '--genesis-fees', file);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.blk'));
  const { transactions } = await readBlock(readFileSync(join(folder, files[0]!)));
  const written = transactions.map(({ record }) => Number(record.receipt?.fileID?.fileNum ?? 0));
  expect(written.filter((number) => number === 111 || number === 113)).toEqual([Number(file)]);
});
