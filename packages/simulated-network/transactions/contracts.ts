// Contracts through HAPI: create (bytecode in a file or inline), call, update, delete.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { evmAddressOf, intrinsicGas, longZero } from '../evm/run-evm.ts';
import { blankAccount } from '../ledger/blank-account.ts';
import { contractId, nsPerSecond } from '../ledger/hapi-values.ts';
import type { Account } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { addChildren, functionResult, refusedResult, sidecarsOf } from './contract-result.ts';
import { stakingOf } from './crypto-account.ts';
import {
  addHbar,
  assertSigned,
  type Execution,
  livingAccount,
  type Outcome,
  positive,
  Rejection,
  reject,
  resolveAccount,
  type Status,
} from './execution.ts';
import { readLivingFile } from './files.ts';
import { changeHooks } from './hooks.ts';

export async function createContract(x: Execution, data: proto.IContractCreateTransactionBody): Promise<void> {
  if (data.adminKey) assertSigned(x, encodeKey(data.adminKey));
  const result = (status: Status) => ({ record: { contractCreateResult: refusedResult(status) } });
  await refuseWith(result, () => runCreation(x, data));
}

async function runCreation(x: Execution, data: proto.IContractCreateTransactionBody): Promise<void> {
  const fromFile = !data.initcode?.length;
  const code = fromFile ? decodeHexFile(readLivingFile(x, data.fileID).contents) : Buffer.from(data.initcode ?? []);
  if (code.length === 0) reject('CONTRACT_BYTECODE_EMPTY');
  const initcode = Buffer.concat([code, data.constructorParameters ?? new Uint8Array()]);
  const value = positive(data.initialBalance, 'CONTRACT_NEGATIVE_VALUE');
  const gasLimit = positive(data.gas, 'CONTRACT_NEGATIVE_GAS');
  const gasPrice = x.prices.gas();

  const id = x.ledger.take('nextEntity');
  const createAt = longZero(id);
  assertAffordable(x, x.payer, gasLimit, gasPrice, value);
  if (gasLimit < intrinsicGas({ data: initcode, to: null, createAt })) reject('INSUFFICIENT_GAS');
  x.ledger.put('accounts', id, {
    ...blankAccount(id, x.consensusTimestamp),
    isContract: true,
    key: encodeKey(data.adminKey ?? { contractID: contractId(id) }),
    maxAutomaticAssociations: data.maxAutomaticTokenAssociations ?? 0,
    ...stakingOf(data, x),
    declineReward: data.declineReward ?? false,
  });
  const output = x.runEvm({
    sender: x.payer,
    to: null,
    createAt,
    value,
    data: initcode,
    gasLimit,
    gasPrice,
    countNonce: false,
    ...momentOf(x),
  });
  const runtime = x.ledger.tables.accounts.get(id)?.code ?? undefined;
  const bytecode = {
    contractId: output.failure ? undefined : contractId(id),
    initcode: fromFile ? initcode : undefined,
    runtimeBytecode: output.failure ? undefined : runtime,
  };
  x.outcome.gas = { payer: x.payer, amount: output.gasUsed * gasPrice };
  x.outcome.sidecars = sidecarsOf(output, bytecode);
  x.outcome.record.contractCreateResult = {
    ...functionResult(output, output.failure ? 0n : id),
    contractCallResult: output.failure ? undefined : runtime,
  };
  if (output.failure) reject(output.failure, x.outcome);
  const result = x.outcome.record.contractCreateResult;
  result.createdContractIDs = [contractId(id), ...(result.createdContractIDs ?? [])];
  x.outcome.receipt.contractID = contractId(id);
  addChildren(x, output, id);
  changeHooks(x, id, data);
}

export async function callContract(x: Execution, data: proto.IContractCallTransactionBody): Promise<void> {
  const id = resolveAccount(x, data.contractID);
  const contract = x.ledger.tables.accounts.get(id);
  const called = contract && isCallable(contract) ? contractId(id) : undefined;
  const result = (status: Status) => ({
    receipt: { contractID: called },
    record: { contractCallResult: refusedResult(status, called) },
  });
  await refuseWith(result, () => runCall(x, data, contract));
}

async function runCall(
  x: Execution,
  data: proto.IContractCallTransactionBody,
  contract: Account | undefined,
): Promise<void> {
  if (!contract || !isCallable(contract)) reject('INVALID_CONTRACT_ID');
  if (contract.deleted) reject('CONTRACT_DELETED');
  const { id } = contract;
  const value = positive(data.amount, 'CONTRACT_NEGATIVE_VALUE');
  const gasLimit = positive(data.gas, 'CONTRACT_NEGATIVE_GAS');
  const gasPrice = x.prices.gas();
  const input = Buffer.from(data.functionParameters ?? []);
  const to = evmAddressOf(contract);
  assertAffordable(x, x.payer, gasLimit, gasPrice, value);
  if (gasLimit < intrinsicGas({ data: input, to })) reject('INSUFFICIENT_GAS');
  const output = x.runEvm({
    sender: x.payer,
    to,
    value,
    data: input,
    gasLimit,
    gasPrice,
    countNonce: false,
    ...momentOf(x),
  });
  x.outcome.gas = { payer: x.payer, amount: output.gasUsed * gasPrice };
  x.outcome.sidecars = sidecarsOf(output, null);
  x.outcome.record.contractCallResult = functionResult(output, id);
  x.outcome.receipt.contractID = contractId(id);
  if (output.failure) reject(output.failure, x.outcome);
  addChildren(x, output, 0n);
}

/** A contract, or an account that delegates to one. */
function isCallable({ isContract, code }: Account): boolean {
  return isContract || code !== null;
}

/** A transaction refused before the EVM runs has a result with the reason. */
async function refuseWith(result: (status: Status) => Partial<Outcome>, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Rejection) || error.leftover.record) throw error;
    throw new Rejection(error.status, result(error.status));
  }
}

export function updateContract(x: Execution, data: proto.IContractUpdateTransactionBody): void {
  const contract = livingContract(x, data.contractID);
  assertAdmin(x, contract);
  const changes: Partial<Account> = { ...stakingOf(data, x) };
  if (data.adminKey) {
    changes.key = encodeKey(data.adminKey);
    assertSigned(x, changes.key);
  }
  if (data.expirationTime) changes.expiration = toBigInt(data.expirationTime.seconds) * nsPerSecond;
  if (data.maxAutomaticTokenAssociations) {
    changes.maxAutomaticAssociations = data.maxAutomaticTokenAssociations.value ?? 0;
  }
  if (data.declineReward) changes.declineReward = data.declineReward.value ?? false;
  x.ledger.change('accounts', contract.id, changes);
  changeHooks(x, contract.id, data);
  x.outcome.receipt.contractID = contractId(contract.id);
}

export function deleteContract(x: Execution, data: proto.IContractDeleteTransactionBody): void {
  if (data.permanentRemoval && x.payer > 1000n) reject('PERMANENT_REMOVAL_REQUIRES_SYSTEM_INITIATION');
  const contract = livingContract(x, data.contractID);
  if (!data.permanentRemoval) assertAdmin(x, contract);
  const obtainer = resolveAccount(x, data.transferAccountID ?? data.transferContractID);
  if (obtainer === 0n) reject('OBTAINER_REQUIRED');
  if (obtainer === contract.id) reject('OBTAINER_SAME_CONTRACT_ID');
  livingAccount(x, obtainer, 'OBTAINER_DOES_NOT_EXIST');
  const { balance } = contract;
  addHbar(x, contract.id, -balance);
  addHbar(x, obtainer, balance);
  x.ledger.change('accounts', contract.id, { deleted: true });
  x.outcome.receipt.contractID = contractId(contract.id);
}

/** What contracts see of the time. */
export function momentOf({ consensusTimestamp, blockNumber, blockTime, prevRandao }: Execution) {
  return { consensusTimestamp, blockNumber, blockTime, prevRandao };
}

/** Gas is paid after the run, so the payer must be able to pay all of it before. */
export function assertAffordable(x: Execution, payer: bigint, gasLimit: bigint, gasPrice: bigint, value: bigint): void {
  if (livingAccount(x, payer).balance < gasLimit * gasPrice + value) reject('INSUFFICIENT_PAYER_BALANCE');
}

/** Bytecode files hold hex text, with or without 0x. */
export function decodeHexFile(contents: Uint8Array): Buffer {
  const text = Buffer.from(contents).toString('utf8').replace(/^0x/, '').trim();
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) reject('ERROR_DECODING_BYTESTRING');
  return Buffer.from(text, 'hex');
}

function livingContract(x: Execution, id: proto.IContractID | null | undefined): Account {
  const contract = x.ledger.tables.accounts.get(resolveAccount(x, id) || toEntityId(id));
  if (!contract?.isContract) reject('INVALID_CONTRACT_ID');
  if (contract.deleted) reject('CONTRACT_DELETED');
  return contract;
}

function assertAdmin(x: Execution, contract: Account): void {
  // The key of a contract without admin key is the contract itself, which no signature satisfies.
  if (Buffer.compare(contract.key, encodeKey({ contractID: contractId(contract.id) })) === 0) {
    reject('MODIFYING_IMMUTABLE_CONTRACT');
  }
  assertSigned(x, contract.key);
}
