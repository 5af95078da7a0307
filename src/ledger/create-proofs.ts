// Proofs of items for clients that trust no other party (docs/reference/proof-documents.md).

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../packages/protocol/hapi/system-entity.ts';
import type { BlockName } from '../../packages/store/read/select-blocks.ts';
import { canRead } from '../../packages/store/read/select-one.ts';
import { type CoveredUnit, selectUnitAt, selectUnitsNamed } from '../../packages/store/read/select-proof-parts.ts';
import { chooseItems, type ItemChoice, type ProvedThing } from './proofs/choose-items.ts';
import { findNamings } from './proofs/find-namings.ts';
import { blockStreamVersion } from './proofs/find-path.ts';
import { makeBlockDocument } from './proofs/make-block-document.ts';
import type { BlockDocument, NetworkProof } from './proofs/proof-document.ts';
import { ProofUnavailable } from './proofs/proof-unavailable.ts';
import { makeRecordDocument, type RecordDocument } from './proofs/record/make-record-document.ts';
import type { OpenedUnit, UnitReader } from './proofs/unit-reader.ts';

/** What the client knows and wants. */
export type ProofWish = {
  /** Hex of a root that it has proved. */
  known: string | null;
  /** Hex of the hash of a hinTS key that it has proved. */
  key: string | null;
  /** SHA-384 of an address book. */
  book: Buffer | null;
  items: ItemChoice | null;
};

export type FoundProofDocument = {
  document: BlockDocument | RecordDocument;
  /** Consensus end of the last block that it depends on. */
  settledBy: bigint;
};

type ProofsOptions = { db: Database; system: SystemRealm; units: UnitReader };

export function createProofs({ db, system, units }: ProofsOptions) {
  let hasTables = false;
  return { ofTransaction, ofBlock };

  /** Of the transaction of this consensus time, which is stored. Throws ProofUnavailable. */
  async function ofTransaction(
    thing: Extract<ProvedThing, { timestamp: bigint }>,
    wish: ProofWish,
  ): Promise<FoundProofDocument> {
    const open = units.findOpen(thing.timestamp);
    if (open) return toDocument(open.unit, thing, wish);
    await assertTables();
    const unit = await selectUnitAt(db, thing.timestamp);
    if (unit) return toDocument(unit, thing, wish);
    throw new ProofUnavailable('The block of this transaction is not stored');
  }

  /** null also if several blocks have that name. Throws ProofUnavailable. */
  async function ofBlock(name: BlockName, wish: ProofWish): Promise<FoundProofDocument | null> {
    await assertTables();
    const [unit, other] = await selectUnitsNamed(db, name);
    return unit && !other ? toDocument(unit, { of: 'block' }, wish) : null;
  }

  async function toDocument(
    unit: CoveredUnit,
    thing: ProvedThing,
    { known, key, book, items }: ProofWish,
  ): Promise<FoundProofDocument> {
    // Before a file is read for nothing.
    const network = unit.version >= blockStreamVersion ? await units.findProof(db, unit, known) : null;
    const opened = await units.open(db, unit);
    if (network && 'block' in opened) {
      const { settledBy, path, proof } = network;
      const rest = { path, proof: await withNamings(proof, key) };
      return { document: makeBlockDocument(opened.block, chooseItems(opened.block, thing, items), rest), settledBy };
    }
    const document = await makeRecordDocument({
      db,
      system,
      block: unit,
      unit: (opened as Extract<OpenedUnit, { files: unknown }>).files,
      consensusTimestamp: 'timestamp' in thing ? thing.timestamp : null,
      book,
      readUnitAt,
    });
    return { document, settledBy: unit.consensusEnd };
  }

  async function withNamings(proof: NetworkProof, key: string | null): Promise<NetworkProof> {
    if (!('namings' in proof)) return proof;
    return { ...proof, namings: await findNamings(db, units, proof.signature, key) };
  }

  async function readUnitAt(consensusTimestamp: bigint) {
    const block = await selectUnitAt(db, consensusTimestamp);
    if (!block)
      throw new ProofUnavailable(`The block of ${consensusTimestamp}, which changed the address book, is not stored`);
    return { block: block as CoveredUnit, unit: await units.read(db, block) };
  }

  async function assertTables(): Promise<void> {
    hasTables ||= await canRead(db, 'block_path');
    if (!hasTables)
      throw new ProofUnavailable('The database is not one of this program, and has nothing that proofs are made of');
  }
}
