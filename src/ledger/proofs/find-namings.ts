// What shows that a hinTS key is that of a ledger with an id of 64 bytes, other than the id itself: the state of a
// block names the key, and an earlier key has signed that block. So back to the key that the ledger id names, or that
// the client has proved.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { hashHintsKey } from '../../../packages/proof/hash-hints-key.ts';
import { hintsKeyLength } from '../../../packages/proof/hints-key.ts';
import { selectLedgerTrust } from '../../../packages/store/read/select-ledger-trust.ts';
import { selectUnitsNamed } from '../../../packages/store/read/select-proof-parts.ts';
import { readItem } from '../../../packages/streams/block-stream/block-item.ts';
import { findNamedKeys } from '../../../packages/streams/block-stream/find-named-keys.ts';
import { partOf, showItems } from './make-block-document.ts';
import type { ProvedBlock } from './open-proved-block.ts';
import type { NamingDocument } from './proof-document.ts';
import { ProofUnavailable } from './proof-unavailable.ts';
import type { UnitReader } from './unit-reader.ts';

/** Of a document; each takes some 20 kB as text. */
const maxNamings = 64;

/**
 * The oldest first; empty where the ledger id names the key, or no key that is known here does.
 * @param signature hex of hinTS key and signature
 * @param known hex of the hash of a key that the client has proved
 * Throws ProofUnavailable.
 */
export async function findNamings(
  db: Database,
  units: UnitReader,
  signature: string,
  known: string | null,
): Promise<NamingDocument[]> {
  const trust = await selectLedgerTrust(db);
  const found: NamingDocument[] = [];
  const seen = new Set<string>();
  for (let hash = hashOfKey(signature); hash !== known; hash = hashOfKey(found[0]!.signature)) {
    const key = trust?.keys.find(({ keyHash }) => keyHash.toString('hex') === hash);
    if (key?.source !== 'signedBlock' || key.block === null) break;
    if (found.length === maxNamings) {
      throw new ProofUnavailable(
        `More than ${maxNamings} changes of keys lead from the ledger id to the key of the signature: name one that you have proved (key=<hash>)`,
      );
    }
    if (seen.has(hash))
      throw new ProofUnavailable(`Block ${key.block}, which names a key, has no stored signature by another one`);
    seen.add(hash);
    found.unshift(await findNaming(db, units, hash, key.block));
  }
  return found;
}

async function findNaming(db: Database, units: UnitReader, hash: string, number: bigint): Promise<NamingDocument> {
  const kept = units.namings.get(hash);
  if (kept) return kept;
  const [unit, other] = await selectUnitsNamed(db, { number });
  if (!unit || other)
    throw new ProofUnavailable(`Block ${number}, which named the key of the signature, is not stored`);
  const { path, proof } = await units.findProof(db, unit, null);
  const opened = await units.open(db, unit);
  if (!('block' in opened) || !('signature' in proof)) {
    throw new ProofUnavailable(`Block ${number}, which named the key of the signature, is not of a block stream`);
  }
  const { timestamp, form, hashes } = opened.block;
  const place = placeOf(opened.block, hash, number);
  const items = showItems(opened.block, { single: [['stateChanges', place]], whole: [] });
  const naming: NamingDocument = { timestamp, form, hashes, items, path, signature: proof.signature };
  units.namings.set(hash, naming);
  return naming;
}

/** Of the first state change that names the key. */
function placeOf(block: ProvedBlock, hash: string, number: bigint): number {
  const changes = partOf(block, 'stateChanges');
  for (let place = 0; place < changes.count; place++) {
    const bytes = changes.itemAt(place);
    if (bytes === null || bytes.length < hintsKeyLength) continue;
    if (findNamedKeys([readItem(bytes, place)]).keys.some((key) => toHex(hashHintsKey(key)) === hash)) return place;
  }
  throw new ProofUnavailable(
    `What names the key of the signature is not in block ${number} as it is here: the source left it out`,
  );
}

const hashOfKey = (signature: string): string =>
  toHex(hashHintsKey(Buffer.from(signature.slice(0, 2 * hintsKeyLength), 'hex')));

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
