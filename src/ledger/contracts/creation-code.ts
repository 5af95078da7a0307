// Code of contracts, and the code that a transaction created one with: a file holds it, or the record does.
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectInitcodes, selectRuntimeCode } from '../../../packages/store/read/select-chain-entity.ts';
import { type ContractRow, selectCreationCodes } from '../../../packages/store/read/select-contract.ts';

export function createCodes(db: Database) {
  return {
    code: (id: bigint) => selectRuntimeCode(db, id),
    /** What made contracts, by id. */
    initcodes: (ids: readonly bigint[]) => selectInitcodes(db, ids),
    /** The same of contracts that transactions of clients created, also from files. */
    creationCodes: (ids: readonly bigint[]) => askCreationCodes(db, ids),
  };
}

async function askCreationCodes(db: Database, ids: readonly bigint[]): Promise<Map<bigint, Buffer>> {
  const rows = await selectCreationCodes(db, ids);
  return new Map(rows.map((row) => [row.contractId, creationCode(row)]));
}

/** Empty: the ledger does not have it. */
export function creationCode({ initcode, fileContent }: Pick<ContractRow, 'initcode' | 'fileContent'>): Buffer {
  return initcode?.length ? initcode : decodeFile(fileContent);
}

/** Sidecars hold the code with its arguments. */
export function withArguments(code: Buffer, given: Buffer): Buffer {
  const isWhole = code.length >= given.length && code.subarray(code.length - given.length).equals(given);
  return isWhole ? code : Buffer.concat([code, given]);
}

/** Files hold code as hex text. */
function decodeFile(content: Buffer | null): Buffer {
  return Buffer.from(content?.toString('latin1').replace(/^0x/, '') ?? '', 'hex');
}
