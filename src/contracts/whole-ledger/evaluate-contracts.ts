// Which sources contracts have, and which contract is behind minimal proxies: the rows of contract_match, made from what
// is stored now. What other proxies forward to changes, and is asked when it is wanted (`onchain/find-proxy`).

import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  fromLongZeroAddress,
  isLongZeroAddress,
  toLongZeroAddress,
} from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { readMinimalProxy } from '../../../packages/verification/onchain/minimal-proxy.ts';
import type { ContractMatchRow } from '../../../packages/verification/store/contract-matches.ts';
import { sha256 } from '../../../packages/verification/store/match-row.ts';
import {
  type ContractCodeRow,
  selectContractCodes,
  selectContractsByAddress,
} from '../../../packages/verification/store/select-contract-codes.ts';
import { hashCodeShape } from '../../../packages/verification/terms/code-shape.ts';
import { fromHex } from '../../../packages/verification/terms/hex.ts';
import type { Subject } from './compare-shapes.ts';
import type { FindSources } from './find-sources.ts';

/** In the order of their ids; those that are no contracts are missing. */
export type EvaluateContracts = (ids: readonly bigint[]) => Promise<ContractMatchRow[]>;

type Options = {
  db: Database;
  system: SystemRealm;
  findSources: FindSources;
};

export function createEvaluateContracts({ db, system, findSources }: Options): EvaluateContracts {
  /** By address as hex. */
  async function findIds(addresses: readonly Buffer[]): Promise<Map<string, bigint>> {
    const ids = new Map<string, bigint>();
    for (const address of addresses.filter(isLongZeroAddress)) {
      const num = fromLongZeroAddress(address);
      if (num > 0n) ids.set(address.toString('hex'), inRealm(num, system));
    }
    const others = addresses.filter((address) => !isLongZeroAddress(address));
    for (const { contractId, evmAddress } of others.length > 0 ? await selectContractsByAddress(db, others) : []) {
      ids.set(evmAddress.toString('hex'), contractId);
    }
    return ids;
  }

  return async (ids) => {
    const subjects = (await selectContractCodes(db, ids)).map(toSubject);
    const idsBehind = await findIds(subjects.flatMap(({ target }) => (target === null ? [] : [fromHex(target)])));
    const idBehind = ({ target }: Subject): bigint | null => idsBehind.get(target?.slice(2) ?? '') ?? null;
    // What a minimal proxy forwards to may lie outside these.
    const forwarded = subjects.flatMap((subject) => idBehind(subject) ?? []);
    const further = (await selectContractCodes(db, forwarded)).map(toSubject);
    const sources = await findSources(unique([...subjects, ...further]));

    return subjects.map((subject): ContractMatchRow => {
      const { contractId, address, codeHash, shapeHash, target } = subject;
      const own = sources.get(contractId);
      const implementationId = idBehind(subject);
      const ofTarget = target !== null && implementationId !== null ? sources.get(implementationId) : undefined;
      const found = own?.kind === 'checked' ? own : ofTarget ? { ...ofTarget, kind: 'minimal_proxy' as const } : own;
      return {
        contractId,
        address,
        codeHash,
        shapeHash,
        kind: found?.kind ?? null,
        matchedChainId: found?.row.chainId ?? null,
        matchedAddress: found?.row.address ?? null,
        implementationKind: target === null ? null : 'eip1167',
        implementationAddress: target === null ? null : fromHex(target),
        implementationId,
      };
    });
  };
}

function toSubject({ contractId, evmAddress, runtimeBytecode }: ContractCodeRow): Subject {
  const longZero = toLongZeroAddress(contractId);
  const code = runtimeBytecode?.length ? runtimeBytecode : null;
  return {
    contractId,
    address: evmAddress ?? longZero,
    otherAddresses: evmAddress && !evmAddress.equals(longZero) ? [longZero] : [],

    codeHash: code && sha256(code),
    shapeHash: code && hashCodeShape(code),
    target: code && readMinimalProxy(code),
  };
}

function unique(subjects: readonly Subject[]): Subject[] {
  return [...new Map(subjects.map((subject) => [subject.contractId, subject])).values()];
}
