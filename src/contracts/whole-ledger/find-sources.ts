// The sources of contracts, many at once: their own match, that of a contract with the same code, or one that is made
// here by comparing them with a compilation of the same shape.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { MatchKind } from '../../../packages/verification/store/contract-matches.ts';
import {
  selectVerifiedByAddresses,
  selectVerifiedTwins,
  type VerifiedContractRow,
} from '../../../packages/verification/store/select-verified-contracts.ts';
import type { CompareShapes, FoundSources, Subject } from './compare-shapes.ts';

/** By contract id. */
export type FindSources = (subjects: readonly Subject[]) => Promise<Map<bigint, FoundSources>>;

type Options = { db: Database; network: Pick<NetworkIdentity, 'chainId'>; compareShapes: CompareShapes };

export function createFindSources({ db, network, compareShapes }: Options): FindSources {
  return async (subjects) => {
    const found = new Map<bigint, FoundSources>();
    const matches = await selectVerifiedByAddresses(db, network.chainId, subjects.flatMap(addressesOf));
    const own = byHex(matches, ({ address }) => address);
    for (const subject of subjects) {
      const row = addressesOf(subject).flatMap((address) => own.get(address.toString('hex')) ?? [])[0];
      if (row && isOfCode(row, subject)) found.set(subject.contractId, { kind: kindOf(row), row });
    }
    const others = subjects.filter(({ contractId, codeHash }) => codeHash && !found.has(contractId));
    const twins = byHex<VerifiedContractRow>(
      await selectVerifiedTwins(
        db,
        others.map(({ codeHash }) => codeHash!),
      ),
      (row) => (row as VerifiedContractRow).onchainRuntimeCodeHash!,
    );
    const isOpen = ({ codeHash, target }: Subject) => target === null && !twins.has(codeHash!.toString('hex'));
    // Of several contracts with one code the first is compared: it is the twin of the others.
    const open = [...byHex(others.filter(isOpen).reverse(), ({ codeHash }) => codeHash!).values()];
    for (const [subject, checked] of await compareShapes(open)) {
      found.set(subject.contractId, checked);
      if (checked.row.runtimeMatch !== null) twins.set(subject.codeHash!.toString('hex'), checked.row);
    }
    for (const { contractId, codeHash } of others) {
      const row = twins.get(codeHash!.toString('hex'));
      if (row && !found.has(contractId)) found.set(contractId, { kind: 'same_code', row });
    }
    return found;
  };
}

function addressesOf({ address, otherAddresses }: Subject): Buffer[] {
  return [address, ...otherAddresses];
}

/** An address can have had other code when it was checked. */
function isOfCode({ onchainRuntimeCodeHash }: VerifiedContractRow, { codeHash }: Subject): boolean {
  return onchainRuntimeCodeHash === null || codeHash === null || onchainRuntimeCodeHash.equals(codeHash);
}

function kindOf({ origin }: VerifiedContractRow): MatchKind {
  return origin === 'similar' || origin === 'compiled_along' ? origin : 'checked';
}

function byHex<Row>(rows: readonly Row[], keyOf: (row: Row) => Buffer): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row).toString('hex'), row]));
}
