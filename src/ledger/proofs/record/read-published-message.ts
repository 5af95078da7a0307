// The message of a publication of a ledger id in a stored block, out of the block's files: what they hold leads to the
// hash that is stored, which was checked when the block was imported.

import { typeNumber } from '../../../../packages/protocol/hapi/transaction-types.ts';
import { findWireBytes } from '../../../../packages/protocol/wire-fields.ts';
import type { StoredUnit } from '../../../../packages/store/read/select-proof-parts.ts';
import { type BlockStreamItem, itemKinds } from '../../../../packages/streams/block-stream/block-item.ts';
import { openSignedTransaction } from '../../../../packages/streams/block-stream/signed-transaction.ts';
import type { UnitFiles } from '../../../../packages/streams/block-stream/unit-files.ts';
import { splitTransaction } from '../../../../packages/streams/record-stream/split-transaction.ts';
import { blockStreamVersion } from '../find-path.ts';
import { openProvedBlock } from '../open-proved-block.ts';
import { ProofUnavailable } from '../proof-unavailable.ts';
import { findItem } from './prove-item.ts';
import { openSignedRecord, openWrappedRecord } from './signed-record.ts';

/** `timestamp`: of the transaction. Throws ProofUnavailable, StreamFileError. */
export async function readPublishedMessage(unit: StoredUnit, files: UnitFiles, timestamp: bigint): Promise<Buffer> {
  const message =
    unit.version >= blockStreamVersion
      ? await findInBlock(unit, files)
      : findWireBytes(findBody(unit, files, timestamp), typeNumber.ledgerIdPublication);
  if (message) return Buffer.from(message);
  throw new ProofUnavailable(`Block ${unit.number} has no publication of a ledger id where its rows say so`);
}

function findBody(unit: StoredUnit, files: UnitFiles, timestamp: bigint): Buffer {
  const record =
    files.kind === 'record' ? openSignedRecord(files.record, files.signatures) : openWrappedRecord(files.items);
  if (record?.file.hash.toString('hex') !== unit.hash || record.chain() === null) throw notTheStored(unit);
  return splitTransaction(findItem(record, timestamp).transaction).bodyBytes;
}

/** Networks publish one in a block. */
async function findInBlock(unit: StoredUnit, files: UnitFiles): Promise<Uint8Array | null> {
  if (files.kind !== 'block') throw notTheStored(unit);
  await openProvedBlock(files.items, unit.hash);
  const [message, ...others] = files.items.flatMap(publicationOf);
  if (others.length === 0) return message ?? null;
  throw new ProofUnavailable(`Block ${unit.number} publishes ${others.length + 1} ledger ids`);
}

function publicationOf({ kind, content }: BlockStreamItem): Uint8Array[] {
  if (kind !== itemKinds.signedTransaction) return [];
  const message = findWireBytes(openSignedTransaction(content).bodyBytes, typeNumber.ledgerIdPublication);
  return message ? [message] : [];
}

const notTheStored = ({ number }: StoredUnit) =>
  new ProofUnavailable(`The source has another block ${number} than the one that is stored`);
