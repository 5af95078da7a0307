// What is kept of opened blocks is bounded, and counted as what it really takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { type OpenMirror, openMirror } from '../../packages/test-support/proofs/open-mirror.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { proofDocumentKind } from '../../src/api/values/proof-document.ts';
import { createProofs } from '../../src/ledger/create-proofs.ts';
import { ProofUnavailable } from '../../src/ledger/proofs/proof-unavailable.ts';
import { createUnitReader } from '../../src/ledger/proofs/unit-reader.ts';

// A network is written and imported before each.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const bytesOfMiB = 1024 * 1024;
const wish = { known: null, key: null, book: null, items: null };
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedBytes(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe.each(['blocks', 'records'] as const)('of %s', (format) => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-memory-'));
  let mirror: OpenMirror;
  let times: bigint[];
  beforeAll(async () => {
    const { addressBook } = await writeNetwork({
      folder,
      seed: 'kept memory',
      format,
      nodes: 4,
      blocks: 30,
      transactions: 100,
    });
    mirror = await openMirror(folder, { addressBook, keepsFiles: true, withSource: false });
    const rows = await mirror.db.query<{ time: bigint }>({
      name: '',
      text: `select (select max(consensus_timestamp) from transaction
where consensus_timestamp between consensus_start and consensus_end) as time from record_file where count > 3 order by index`,
    });
    times = rows.map(({ time }) => time);
  });
  afterAll(async () => {
    await mirror?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The largest number of bytes that were counted. */
  async function prove(maxBytes: number) {
    const units = createUnitReader({ readAgain: null, maxBytes });
    const proofs = createProofs({ db: mirror.db, system: usualRealm, units });
    let most = 0;
    for (const timestamp of times) {
      const found = await proofs.ofTransaction({ of: 'transaction', timestamp }, wish);
      expect(proofDocumentKind.write(found)).toContain('"version":1');
      most = Math.max(most, units.sizeBytes());
    }
    return { units, most };
  }

  it('never more than the bound, however many blocks are asked for', async () => {
    const { units, most } = await prove(4 * bytesOfMiB);
    expect(times.length).toBe(30);
    expect([most > 2 * bytesOfMiB, most <= 4 * bytesOfMiB]).toEqual([true, true]);
    const isOpen = times.map((time) => units.findOpen(time) !== null);
    // Those that were asked for last.
    expect([isOpen[0], isOpen.at(-1)]).toEqual([false, true]);
    expect(isOpen.lastIndexOf(false)).toBeLessThan(isOpen.indexOf(true));
  });

  it('one that is larger than its share stays alone, and evicts no others', async () => {
    const { units } = await prove(bytesOfMiB / 8);
    expect(units.sizeBytes()).toBeLessThan(bytesOfMiB / 32);
    expect(times.filter((time) => units.findOpen(time) !== null)).toEqual(times.slice(-1));
  });

  it.runIf(format === 'blocks')('a block above the bound is refused, and the answer says the bound', async () => {
    const units = createUnitReader({ readAgain: null, maxBlockBytes: 50_000 });
    const proofs = createProofs({ db: mirror.db, system: usualRealm, units });
    const asked = proofs.ofTransaction({ of: 'transaction', timestamp: times[20]! }, wish);
    await expect(asked).rejects.toThrow(
      /^Block \d+ has \d{5,6} bytes, and proofs are made of blocks of at most 50000$/,
    );
    await expect(asked).rejects.toBeInstanceOf(ProofUnavailable);
    expect(units.findOpen(times[20]!)).toBeNull();
  });

  it('as many bytes as they take', async () => {
    // What is loaded and compiled once.
    await prove(bytesOfMiB / 8);
    const before = usedBytes();
    const { units } = await prove(64 * bytesOfMiB);
    const taken = usedBytes() - before;
    const counted = units.sizeBytes();
    expect(counted).toBeGreaterThan(3 * bytesOfMiB);
    expect(taken / counted, `${taken} bytes, counted as ${counted}`).toBeGreaterThan(0.5);
    expect(taken / counted, `${taken} bytes, counted as ${counted}`).toBeLessThan(1.1);
    expect(units.findOpen(times[0]!)).not.toBeNull();
  });
});
