// Which sources contracts have, and which contract is behind those that are proxies: the rows of contract_match, made
// from what is stored now.

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
import { fromHex, toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import { selectStateSlots } from '../../store/read/state/select-state-slots.ts';
import type { Implementation, Implementations } from '../abi/implementations.ts';
import { proxySlots } from '../onchain/storage-proxy.ts';
import type { Subject } from './compare-shapes.ts';
import type { FindSources } from './find-sources.ts';

/** In the order of their ids; those that are no contracts are missing. */
export type EvaluateContracts = (ids: readonly bigint[]) => Promise<ContractMatchRow[]>;

type Options = {
  db: Database;
  onchain: OnchainSource;
  system: SystemRealm;
  implementations: Implementations;
  findSources: FindSources;
};

type Behind = { kind: Implementation['kind']; address: Buffer };

export function createEvaluateContracts(options: Options): EvaluateContracts {
  const { db, onchain, system, implementations, findSources } = options;

  async function findBehind(subjects: readonly Subject[]): Promise<Map<bigint, Behind>> {
    const behind = new Map<bigint, Behind>();
    const others: bigint[] = [];
    for (const { contractId, target } of subjects) {
      if (target !== null) behind.set(contractId, { kind: 'eip1167', address: fromHex(target) });
      else others.push(contractId);
    }
    const slots = others.flatMap((contractId) => proxySlots.map((slot) => ({ contractId, slot })));
    const written = new Set((await selectStateSlots(db, slots)).map(({ contractId }) => contractId));
    for (const subject of subjects.filter(({ contractId }) => written.has(contractId))) {
      const found = await implementations.find(await onchain.read(toHex(subject.address)));
      if (found) behind.set(subject.contractId, { kind: found.kind, address: fromHex(found.contract.address) });
    }
    return behind;
  }

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
    const behind = await findBehind(subjects);
    const idsBehind = await findIds([...behind.values()].map(({ address }) => address));
    const idBehind = (contractId: bigint): bigint | null =>
      idsBehind.get(behind.get(contractId)?.address.toString('hex') ?? '') ?? null;
    // What a minimal proxy forwards to may lie outside these.
    const forwarded = subjects.flatMap(({ contractId, target }) =>
      target === null ? [] : (idBehind(contractId) ?? []),
    );
    const further = (await selectContractCodes(db, forwarded)).map(toSubject);
    const sources = await findSources(unique([...subjects, ...further]));

    return subjects.map((subject): ContractMatchRow => {
      const { contractId, address, codeHash, shapeHash, target } = subject;
      const own = sources.get(contractId);
      const implementationId = idBehind(contractId);
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
        implementationKind: behind.get(contractId)?.kind ?? null,
        implementationAddress: behind.get(contractId)?.address ?? null,
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
