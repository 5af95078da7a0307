// Real files of test networks and mainnet, every version that was ever live: each set must prove itself under its own
// address book and give the known values.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type VerifiedFile, verifyStream } from '../../src/importer/verify-stream.ts';

const real = findRealData('');
const data = real.path;

const sets: [name: string, book: string][] = [
  ['v2', 'testnet-2019'],
  ['v2v5', 'testnet-2019'],
  ['v5', 'testnet-2019'],
  ['v6', 'test-v6-sidecar-4n'],
  ['mainnet-2019-09-13', 'mainnet-2019'],
  ['mainnet-2025-07-23', 'mainnet-2025-07-23'],
];

type ExpectedFile = {
  set: string;
  file: string;
  version: number;
  hapi: number | string;
  size: number;
  count: number;
  blockNumber: string | null;
  consensusStart: string;
  consensusEnd: string;
  prevHash: string;
  hash: string;
  fileHash: string;
  metadataHash: string | null;
  sidecars: number;
  types: Record<string, number>;
  statuses: Record<string, number>;
};

describe.skipIf(real.isAbsent)(`real stream files${real.hint}`, () => {
  it.each(sets)('%s proves itself and has the known values', async (set, book) => {
    const all: ExpectedFile[] = JSON.parse(readFileSync(join(data, 'streams/expected.json'), 'utf8'));
    const expected = all.filter((file) => file.set === set).map(({ size: _size, ...file }) => file);
    const files: VerifiedFile[] = [];
    const source = createFolderSource({ path: join(data, 'streams', set) });
    const addressBook = readAddressBook(readFileSync(join(data, 'books', `${book}.bin`)));
    for await (const file of verifyStream({ source, addressBook })) files.push(file);
    expect(files.map((file) => toExpected(set, file))).toEqual(
      expected.map((file) => ({ ...file, file: file.file.replace(/\.gz$/, '') })),
    );
    for (const { verification } of files) {
      expect(verification.rejected).toEqual([]);
      expect(verification.problems).toEqual([]);
      expect(verification.proofs[0]!.signatures!.verified).toBe(verification.proofs[0]!.signatures!.present);
      expect(verification.proofs[0]!.signatures!.stake).toBeGreaterThanOrEqual(
        verification.proofs[0]!.signatures!.requiredStake,
      );
    }
  });
});

function toExpected(set: string, file: VerifiedFile): Omit<ExpectedFile, 'size'> {
  const { hapiVersion } = file;
  return {
    set,
    file: file.name.replace(/\.gz$/, ''),
    version: file.version,
    // v1 and v2 only carry a number that means nothing any more.
    hapi: hapiVersion ? `${hapiVersion.major}.${hapiVersion.minor}.${hapiVersion.patch}` : 3,
    count: file.transactionCount,
    blockNumber: file.blockNumber === null ? null : String(file.blockNumber),
    consensusStart: String(file.consensusStart),
    consensusEnd: String(file.consensusEnd),
    prevHash: file.previousHash.toString('hex'),
    hash: file.hash.toString('hex'),
    fileHash: file.fileHash.toString('hex'),
    metadataHash: file.metadataHash?.toString('hex') ?? null,
    sidecars: file.sidecars.length,
    types: file.types,
    statuses: file.statuses,
  };
}
