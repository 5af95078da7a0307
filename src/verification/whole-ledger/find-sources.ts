// The sources of contracts, many at once: their own match, that of a contract with the same code, or one that is made here by
// comparing them with a compilation of the same shape.
import { type ShapeRow, selectShapes } from '../../store/verification/compilation-index.ts';
import type { MatchKind } from '../../store/verification/contract-matches.ts';
import {
  type CodedMatchRow,
  selectVerifiedByAddresses,
  selectVerifiedTwins,
  type VerifiedContractRow,
} from '../../store/verification/select-verified-contracts.ts';
import type { Database } from '../../store/wire/database.ts';
import { toHex } from '../terms/hex.ts';
import type { CheckCandidate } from './check-candidate.ts';

/** A contract whose sources are looked for. */
export type Subject = {
  contractId: bigint;
  /** The EVM address if it has one, else the long-zero address; and the other. */
  address: Buffer;
  otherAddresses: Buffer[];
  /** null = unknown. */
  codeHash: Buffer | null;
  shapeHash: Buffer | null;
  /** Of a minimal proxy; 0x and 40 hex digits. */
  target: string | null;
};

export type FoundSources = { kind: MatchKind; row: VerifiedContractRow };

/** By contract id. */
export type FindSources = (subjects: readonly Subject[]) => Promise<Map<bigint, FoundSources>>;

/** Of contracts with the same shape; other ones are hardly ever different. */
const maxCandidates = 4;
/** After so many contracts in a row that did not match a candidate, it is left out until the process is started again. */
const maxMisses = 20;

type Options = { db: Database; chainId: bigint; checkCandidate: CheckCandidate };

export function createFindSources({ db, chainId, checkCandidate }: Options): FindSources {
  const misses = new Map<string, number>();

  async function check(subject: Subject, candidates: readonly ShapeRow[]): Promise<FoundSources | null> {
    for (const candidate of candidates) {
      const key = `${candidate.compilationId} ${candidate.name}`;
      const missed = misses.get(key) ?? 0;
      if (missed >= maxMisses) continue;
      const row = await checkCandidate(toHex(subject.address), candidate);
      misses.set(key, row ? 0 : missed + 1);
      if (row) return { kind: candidate.isTarget ? 'similar' : 'compiled_along', row };
    }
    return null;
  }

  return async (subjects) => {
    const found = new Map<bigint, FoundSources>();
    const own = byHex(
      await selectVerifiedByAddresses(db, chainId, subjects.flatMap(addressesOf)),
      ({ address }) => address,
    );
    for (const subject of subjects) {
      const row = addressesOf(subject).flatMap((address) => own.get(address.toString('hex')) ?? [])[0];
      if (row && isOfCode(row, subject)) found.set(subject.contractId, { kind: kindOf(row), row });
    }
    const others = subjects.filter(({ contractId, codeHash }) => codeHash && !found.has(contractId));
    const hashes = others.map(({ codeHash }) => codeHash!);
    const twins = byHex<VerifiedContractRow>(
      await selectVerifiedTwins(db, hashes),
      (row) => (row as CodedMatchRow).onchainRuntimeCodeHash!,
    );
    const isOpen = ({ codeHash, target }: Subject) => target === null && !twins.has(codeHash!.toString('hex'));
    const shapes = await selectShapes(
      db,
      distinct(others.filter(isOpen).map(({ shapeHash }) => shapeHash!)),
      maxCandidates,
    );
    for (const subject of others) {
      const { contractId, codeHash, shapeHash } = subject;
      const twin = twins.get(codeHash!.toString('hex'));
      if (twin) {
        found.set(contractId, { kind: 'same_code', row: twin });
        continue;
      }
      const candidates = shapes.filter((one) => one.shapeHash.equals(shapeHash!));
      const checked = candidates.length > 0 && isOpen(subject) ? await check(subject, candidates) : null;
      if (checked === null) continue;
      found.set(contractId, checked);
      // Others of this code need no comparison.
      if (checked.row.runtimeMatch !== null) twins.set(codeHash!.toString('hex'), checked.row);
    }
    return found;
  };
}

function addressesOf({ address, otherAddresses }: Subject): Buffer[] {
  return [address, ...otherAddresses];
}

/** An address can have had other code when it was checked. */
function isOfCode({ onchainRuntimeCodeHash }: CodedMatchRow, { codeHash }: Subject): boolean {
  return onchainRuntimeCodeHash === null || codeHash === null || onchainRuntimeCodeHash.equals(codeHash);
}

function kindOf({ origin }: VerifiedContractRow): MatchKind {
  return origin === 'similar' || origin === 'compiled_along' ? origin : 'checked';
}

function byHex<Row>(rows: readonly Row[], keyOf: (row: Row) => Buffer): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row).toString('hex'), row]));
}

function distinct(hashes: readonly Buffer[]): Buffer[] {
  return [...byHex(hashes, (hash) => hash).values()];
}
