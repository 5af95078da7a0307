// Contracts of the mirrored ledger, from its database: code, creation, and addresses that EVM code can call although
// they are no contracts.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  fromLongZeroAddress,
  isLongZeroAddress,
  toLongZeroAddress,
} from '../../../packages/protocol/hapi/evm-address.ts';
import { inRealm, type SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { type ContractRow, selectContracts } from '../../../packages/store/read/select-contract.ts';
import {
  type ContractCreationRow,
  selectContractCreation,
  selectEntityKind,
} from '../../../packages/store/read/select-contract-creation.ts';
import { selectStateSlots } from '../../../packages/store/read/state/select-state-slots.ts';
import { toCreationCodes } from '../../../packages/verification/onchain/creation-codes.ts';
import { readMinimalProxy } from '../../../packages/verification/onchain/minimal-proxy.ts';
import type { Chain } from '../../../packages/verification/registry/chain-registry.ts';
import { fromHex, toHex } from '../../../packages/verification/terms/hex.ts';
import {
  type ContractCreation,
  type OnchainContract,
  type OnchainSource,
  toOnchainContract,
} from '../../../packages/verification/terms/onchain-contract.ts';
import { cannotFetch } from '../../../packages/verification/terms/verification-error.ts';

export type LedgerChainOptions = {
  chain: Pick<Chain, 'chainId'>;
  db: Database;
  /** Of long-zero addresses, which do not contain it. */
  system: SystemRealm;
  /** Runs a contract; without it questions to contracts are refused. */
  ask?: AskContract | undefined;
};

/** What a contract answers now; null = the call failed. Rejects if it cannot be asked now. */
export type AskContract = (to: bigint, data: Buffer) => Promise<Buffer | null>;

export function createLedgerChain({ chain, db, system, ask }: LedgerChainOptions): OnchainSource {
  async function find(address: Buffer): Promise<OnchainContract> {
    const nothing = toOnchainContract(chain.chainId, toHex(address), 'none');
    const byAddress = await selectContracts(db, { kind: 'evmAddress', address });
    // An address can have had several contracts, of which one is alive.
    const row = byAddress.find(({ deleted }) => deleted !== true) ?? byAddress[0];
    if (row) return toContract(row);
    if (!isLongZeroAddress(address)) return nothing;
    const num = fromLongZeroAddress(address);
    if (isSystemContract(num)) return toOnchainContract(chain.chainId, toHex(address), 'system');
    if (num === 0n) return nothing;
    const id = inRealm(num, system);
    const [byId] = await selectContracts(db, { kind: 'id', id });
    if (byId) return toContract(byId);
    const entity = await selectEntityKind(db, id);
    return entity?.type === 'TOKEN' ? toOnchainContract(chain.chainId, toHex(address), 'token') : nothing;
  }

  async function toContract(row: ContractRow): Promise<OnchainContract> {
    const created = row.createdTimestamp === null ? null : await selectContractCreation(db, row.createdTimestamp);
    const longZero = toHex(toLongZeroAddress(row.contractId));
    const address = row.evmAddress ? toHex(row.evmAddress) : longZero;
    return {
      ...toOnchainContract(chain.chainId, address, 'contract'),
      otherAddresses: address === longZero ? [] : [longZero],
      runtimeCode: row.runtimeBytecode?.length ? row.runtimeBytecode : null,
      creationCodes: creationCodes(row, created),
      deleted: row.deleted === true,
      creation: created && (await toCreation(row.contractId, created)),
    };
  }

  async function toCreation(contractId: bigint, created: ContractCreationRow): Promise<ContractCreation> {
    const isInner = created.parentConsensusTimestamp !== null;
    const factory = isInner && created.parentContractId !== contractId ? created.parentContractId : null;
    const hash = (isInner ? created.parentTransactionHash : null) ?? created.transactionHash;
    const sender = (isInner ? created.parentSenderId : null) ?? created.senderId;
    return {
      transactionHash: hash && toHex(hash),
      blockNumber: created.blockNumber,
      transactionIndex: (isInner ? created.parentTransactionIndex : null) ?? created.transactionIndex,
      deployer: sender === null ? null : await addressOf(sender),
      factory: factory === null ? null : await addressOf(factory),
      createdTimestamp: created.consensusTimestamp,
    };
  }

  async function addressOf(id: bigint): Promise<string> {
    const entity = await selectEntityKind(db, id);
    return toHex(entity?.evmAddress ?? toLongZeroAddress(id));
  }

  return {
    async slots({ address, otherAddresses }, slots) {
      const longZero = [address, ...otherAddresses].map(fromHex).find(isLongZeroAddress);
      const contractId = inRealm(longZero ? fromLongZeroAddress(longZero) : 0n, system);
      const rows = await selectStateSlots(
        db,
        slots.map((slot) => ({ contractId, slot })),
      );
      return slots.map((slot) => rows.find((row) => row.slot.equals(slot))?.value ?? null);
    },
    async call(address, data) {
      if (ask) return ask(BigInt(address), data);
      throw cannotFetch(chain.chainId, address, ': contracts are not asked here.');
    },
    // Read with the contract.
    withCreation: async (contract) => contract,
    async read(address) {
      try {
        const contract = await find(fromHex(address));
        const target = contract.runtimeCode && readMinimalProxy(contract.runtimeCode);
        if (!target) return contract;
        return { ...contract, implementation: await find(fromHex(target)) };
      } catch (error) {
        throw cannotFetch(chain.chainId, address, ': the database does not answer.', error);
      }
    },
  };
}

/**
 * A contract created within another's call is stored with the creation code of the parent transaction, unless a sidecar
 * has its own: that code created another contract and proves nothing about this one.
 */
function creationCodes(row: ContractRow, created: ContractCreationRow | null): Buffer[] {
  if (created === null) return toCreationCodes({ file: row.fileContent, initcode: row.initcode, parameters: null });
  const isInner = created.parentConsensusTimestamp !== null;
  const madeBy = isInner ? created.parentContractId : created.contractId;
  if (madeBy === null || madeBy === row.contractId) {
    const parameters = isInner ? null : created.functionParameters;
    return toCreationCodes({ file: row.fileContent, initcode: row.initcode, parameters });
  }
  const others = [created.parentInitcode, created.parentCallData];
  const isInherited = others.some((code) => code !== null && row.initcode?.equals(code));
  return toCreationCodes({ file: null, initcode: isInner && !isInherited ? row.initcode : null, parameters: null });
}

/**
 * EVM precompiles; and token service, exchange rate, random numbers, account service, schedule service, hooks, messages
 * to other ledgers (CLPR).
 */
function isSystemContract(num: bigint): boolean {
  return (num >= 1n && num <= 0x11n) || num === 0x100n || (num >= 0x167n && num <= 0x16en);
}
