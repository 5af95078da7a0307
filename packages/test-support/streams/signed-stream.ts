// A small network for tests: nodes with RSA keys that sign the given record files and write them in the layout of the
// buckets. Tests break the written files.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AddressBook, readAddressBook } from '../../protocol/hapi/address-book.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { inRealm, type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';
import { formatInstant } from '../../protocol/hapi/timestamp.ts';
import { signatureFileName } from '../../simulated-network/formats/stream-file-names.ts';
import { writeAddressBook } from '../../simulated-network/formats/write-address-book.ts';
import { writeRecordFileV6 } from '../../simulated-network/formats/write-record-file.ts';
import { type WrittenSidecarFile, writeSidecarFile } from '../../simulated-network/formats/write-sidecar-file.ts';
import { writeSignatureFileV6 } from '../../simulated-network/formats/write-signature-file.ts';
import type { RawItem } from '../../streams/record-stream/raw-record-file.ts';
import { readRecordFile } from '../../streams/record-stream/record-file.ts';
import { writeRecordFileV2 } from '../../streams/record-stream/record-file-v2.ts';
import { writeRecordFileV5 } from '../../streams/record-stream/record-file-v5.ts';
import type { SignedHash } from '../../streams/record-stream/signature-file.ts';
import { sidecarFileName } from '../../streams/record-stream/stream-file-name.ts';
import { writeSignatureFileV2, writeSignatureFileV5 } from './write-old-signatures.ts';

export type SignedFile = {
  name: string;
  /** Paths per node, in order of nodes. */
  records: string[];
  signatures: string[];
  sidecars: string[];
};

export type SignedStream = {
  path: string;
  addressBook: AddressBook;
  /** Writes the next file of all nodes, or of those with these indexes. */
  write(options?: WriteOptions): SignedFile;
  /** A node's signature of any hash. */
  sign(node: number, hash: Buffer): SignedHash;
};

type WriteOptions = {
  version?: 2 | 5 | 6;
  items?: RawItem[] | ((timestampOf: (item: number) => bigint) => RawItem[]);
  nodes?: readonly number[];
  /** Item indexes that get a bytecode sidecar record, v6 only. */
  sidecarsOf?: readonly number[];
  /** The records of its sidecar file, by the times of its items; v6 only. */
  sidecars?: (timestampOf: (item: number) => bigint) => proto.ITransactionSidecarRecord[];
};

const hapiVersion = { major: 0, minor: 50, patch: 1 };

/** `system`: shard and realm of the nodes' accounts, and of the transfers in files without given items. */
export function createSignedStream(path: string, keys: readonly TestKey[], system = usualRealm): SignedStream {
  let previousHash = Buffer.alloc(48);
  let consensusStart = 1_700_000_000_123_456_789n;
  let blockNumber = 0n;
  const folders = keys.map((_key, index) =>
    join(path, 'recordstreams', `record${formatEntityId(nodeAccountId(index, system))}`),
  );
  for (const folder of folders) mkdirSync(join(folder, 'sidecar'), { recursive: true });

  const signHash = (node: number, hash: Buffer): SignedHash => ({
    hash,
    signature: sign('RSA-SHA384', hash, keys[node]!.privateKey),
  });

  return {
    path,
    addressBook: toAddressBook(keys, system),
    sign: signHash,
    write({ version = 6, items: given, nodes = keys.map((_key, index) => index), sidecarsOf = [], sidecars } = {}) {
      const timestampOf = (item: number): bigint => consensusStart + 7n * BigInt(item);
      const items =
        (typeof given === 'function' ? given(timestampOf) : given) ??
        [1n, 2n].map((amount, i) => transferItem(timestampOf(i), amount, system));
      const name = `${formatInstant(consensusStart)}.rcd${version === 6 ? '.gz' : ''}`;
      const records = sidecars?.(timestampOf) ?? bytecodeRecords(sidecarsOf.map(timestampOf));
      const sidecar = records.length > 0 ? writeSidecarFile(records) : null;
      const bytes = writeFile(version, previousHash, items, blockNumber, sidecar);
      const file = readRecordFile(bytes);
      const written: SignedFile = { name, records: [], signatures: [], sidecars: [] };
      for (const [node, folder] of folders.entries()) {
        const recordPath = join(folder, name);
        const signaturePath = join(folder, signatureFileName(name));
        const sidecarPath = join(folder, 'sidecar', sidecarFileName(name, 1));
        written.records.push(recordPath);
        written.signatures.push(signaturePath);
        written.sidecars.push(sidecarPath);
        if (!nodes.includes(node)) continue;
        writeFileSync(recordPath, version === 6 ? gzipSync(bytes) : bytes);
        if (sidecar) writeFileSync(sidecarPath, gzipSync(sidecar.bytes));
        writeFileSync(
          signaturePath,
          writeSignature(
            version,
            signHash(node, file.fileHash),
            file.metadataHash && signHash(node, file.metadataHash),
          ),
        );
      }
      previousHash = Buffer.from(file.hash);
      consensusStart += 2_000_000_000n;
      blockNumber++;
      return written;
    },
  };
}

export type TestKey = { privateKey: KeyObject; publicKey: KeyObject };

/** RSA-2048 instead of the networks' RSA-3072: made in a third of the time, verified the same way. */
export function createTestKeys(count: number): TestKey[] {
  return Array.from({ length: count }, () => generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

/** A transfer from account 2 to 3 that succeeded at this time. */
export function transferItem(consensusTimestamp: bigint, amountTinybar: bigint, system = usualRealm): RawItem {
  const seconds = Number(consensusTimestamp / 1_000_000_000n);
  const nanos = Number(consensusTimestamp % 1_000_000_000n);
  const place = { shardNum: Number(system.shard), realmNum: Number(system.realm) };
  const [payer, receiver] = [2, 3].map((accountNum) => ({ ...place, accountNum }));
  const accountAmounts = [
    { accountID: payer, amount: Number(-amountTinybar) },
    { accountID: receiver, amount: Number(amountTinybar) },
  ];
  const transactionID = { accountID: payer, transactionValidStart: { seconds: seconds - 5, nanos } };
  // The encoder takes numbers for Long.
  const body = { transactionID, memo: 'test 🪙', cryptoTransfer: { transfers: { accountAmounts } } };
  const bodyBytes = proto.TransactionBody.encode(body as unknown as proto.ITransactionBody).finish();
  const sigPair = [{ pubKeyPrefix: Buffer.of(1, 2), ed25519: Buffer.alloc(64, 7) }];
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap: { sigPair } }).finish();
  const record = {
    receipt: { status: 22 },
    consensusTimestamp: { seconds, nanos },
    transactionID,
    transferList: { accountAmounts },
  };
  return {
    transaction: Buffer.from(proto.Transaction.encode({ signedTransactionBytes }).finish()),
    record: Buffer.from(proto.TransactionRecord.encode(record as unknown as proto.ITransactionRecord).finish()),
  };
}

function writeFile(
  version: 2 | 5 | 6,
  previousHash: Buffer,
  items: RawItem[],
  blockNumber: bigint,
  sidecar: WrittenSidecarFile | null,
): Buffer {
  if (version === 2) return writeRecordFileV2({ previousHash, items });
  const sidecars = sidecar ? [{ id: 1, types: sidecar.types, hash: sidecar.hash }] : [];
  const options = { hapiVersion, startRunningHash: previousHash, items, blockNumber, sidecars };
  return version === 5 ? writeRecordFileV5(options) : writeRecordFileV6(options);
}

function writeSignature(version: 2 | 5 | 6, file: SignedHash, metadata: SignedHash | null): Buffer {
  if (!metadata) return writeSignatureFileV2(file);
  return version === 5 ? writeSignatureFileV5(file, metadata) : writeSignatureFileV6(file, metadata);
}

function bytecodeRecords(timestamps: bigint[]): proto.ITransactionSidecarRecord[] {
  return timestamps.map((timestamp) => ({
    consensusTimestamp: toTimestamp(timestamp),
    bytecode: { runtimeBytecode: Buffer.from('6001', 'hex') },
  }));
}

/** The encoder takes numbers for Long. */
export function toTimestamp(ns: bigint): proto.ITimestamp {
  return { seconds: Number(ns / 1_000_000_000n) as never, nanos: Number(ns % 1_000_000_000n) };
}

function nodeAccountId(index: number, system: SystemRealm): bigint {
  return inRealm(BigInt(index + 3), system);
}

function toAddressBook(keys: readonly TestKey[], system: SystemRealm): AddressBook {
  const nodes = keys.map(({ publicKey }, index) => ({
    nodeId: BigInt(index),
    accountId: nodeAccountId(index, system),
    publicKeyHex: publicKey.export({ format: 'der', type: 'spki' }).toString('hex'),
    memo: Buffer.alloc(0),
    certificateHash: Buffer.alloc(0),
    description: `node ${index}`,
    stake: 0n,
    endpoints: [],
  }));
  return readAddressBook(writeAddressBook(nodes));
}
