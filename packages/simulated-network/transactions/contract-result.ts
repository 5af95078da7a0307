// The content of records and sidecars from an EVM run, the same for contract calls, creations and Ethereum
// transactions.
import type { proto } from '../../protocol/hapi/hapi.ts';
import { logsBloom } from '../evm/logs-bloom.ts';
import { type EvmOutput, evmAddressOf } from '../evm/run-evm.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';
import type { Account } from '../ledger/ledger.ts';
import { createOutcome, type Execution, type Outcome, type Status } from './execution.ts';

export function functionResult(output: EvmOutput, called: bigint): proto.IContractFunctionResult {
  const logs = output.logs;
  return {
    contractID: called === 0n ? undefined : contractId(called),
    contractCallResult: output.failure ? undefined : output.output,
    errorMessage: output.errorMessage,
    bloom: logs.length > 0 ? logsBloom(logs) : new Uint8Array(256),
    gasUsed: toLong(output.gasUsed),
    logInfo: logs.map(({ address, contract, topics, data }) => ({
      contractID: contractId(contract),
      bloom: logsBloom([{ address, topics }]),
      topic: topics,
      data,
    })),
    createdContractIDs: output.created.map(({ id }) => contractId(id)),
    contractNonces: output.contractNonces.map(({ contract, nonce }) => ({
      contractId: contractId(contract),
      nonce: toLong(nonce),
    })),
  };
}

/** Result of a transaction refused before the EVM runs: no gas is used, and the reason is text in hex. */
export function refusedResult(status: Status, called?: proto.IContractID): proto.IContractFunctionResult {
  return { contractID: called, errorMessage: `0x${Buffer.from(status).toString('hex')}` };
}

/** State changes, actions and bytecode of one run. */
export function sidecarsOf(output: EvmOutput, bytecode: proto.IContractBytecode | null): Outcome['sidecars'] {
  const byContract = new Map<bigint, proto.IStorageChange[]>();
  for (const { contract, slot, read, written } of output.slots) {
    const changes = byContract.get(contract) ?? [];
    changes.push({ slot, valueRead: read, valueWritten: written === null ? undefined : { value: written } });
    byContract.set(contract, changes);
  }
  const contractStateChanges = [...byContract].map(([id, storageChanges]) => ({
    contractId: contractId(id),
    storageChanges,
  }));
  return [
    ...(contractStateChanges.length > 0 ? [{ stateChanges: { contractStateChanges } }] : []),
    { actions: { contractActions: output.actions } },
    ...(bytecode ? [{ bytecode }] : []),
  ];
}

/**
 * Records after the transaction's for contracts created by contracts or Ethereum transactions, before it for accounts
 * created by sending value to an unknown address.
 */
export function addChildren(x: Execution, output: EvmOutput, except: bigint): void {
  let isTraced = false;
  for (const contract of output.created) {
    if (contract.id === except) continue;
    const outcome = createOutcome();
    outcome.receipt.contractID = contractId(contract.id);
    outcome.record.contractCreateResult = {
      contractID: contractId(contract.id),
      evmAddress: { value: evmAddressOf(contract) },
      contractCallResult: contract.code,
      gasUsed: toLong(0n),
      senderId: accountId(x.payer),
    };
    // Networks limit the size of a unit's traces: the initcode of one creation fits.
    const initcode: Uint8Array | undefined = isTraced
      ? undefined
      : output.initcodes.get(Buffer.from(evmAddressOf(contract)).toString('hex'));
    isTraced ||= initcode !== undefined;
    const bytecode = { contractId: contractId(contract.id), initcode, runtimeBytecode: contract.code };
    outcome.sidecars.push({ bytecode });
    x.outcome.following.push({
      kind: 'contractCreateInstance',
      data: {
        autoRenewPeriod: { seconds: toLong(7_776_000n) },
        maxAutomaticTokenAssociations: contract.maxAutomaticAssociations,
      },
      outcome,
      status: 'SUCCESS',
    });
  }
  for (const account of output.hollow) {
    if (output.delegations.every(({ id }) => id !== account.id)) x.outcome.preceding.push(hollowAccountRecord(account));
  }
}

function hollowAccountRecord(account: Account): Outcome['preceding'][number] {
  const outcome = createOutcome();
  outcome.receipt.accountID = accountId(account.id);
  outcome.record.evmAddress = account.evmAddress ?? undefined;
  return {
    kind: 'cryptoCreateAccount',
    memo: 'lazy-created account',
    data: {
      key: { keyList: { keys: [] } },
      alias: account.evmAddress ?? undefined,
      autoRenewPeriod: { seconds: toLong(7_776_000n) },
      maxAutomaticTokenAssociations: -1,
    },
    outcome,
    status: 'SUCCESS',
  };
}
