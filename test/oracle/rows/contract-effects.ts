// Contracts: entities and code, and the rows of EVM runs of any transaction, whatever its status.
import { RLP } from '@ethereumjs/rlp';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { type proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { changeHooks, hooksOfTransfer, stakingOfCreation, stakingOfUpdate, store } from './account-effects.ts';
import {
  bytes,
  type Effect,
  type Fact,
  type Known,
  keyMembers,
  longZero,
  nanoseconds,
  noBytes,
  orNull,
  seconds,
  withoutLeadingZeros,
  wrapped,
} from './fact.ts';

export const contractCreateInstance: Effect<'contractCreateInstance'> = (fact, body, known) => {
  const id = fact.subject;
  const evmAddress = bytes(fact.record.contractCreateResult?.evmAddress?.value);
  known.remember(id, evmAddress);
  known.entity(fact, id, 'CONTRACT', {
    created_timestamp: fact.at,
    deleted: false,
    evm_address: evmAddress,
    ...keyMembers(body.adminKey ?? { contractID: fact.record.receipt?.contractID }),
    auto_renew_account_id: body.autoRenewAccountId ? known.account(body.autoRenewAccountId) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    balance: 0n,
    balance_timestamp: fact.at,
    max_automatic_token_associations: body.maxAutomaticTokenAssociations ?? 0,
    memo: body.memo ?? '',
    proxy_account_id: toEntityId(body.proxyAccountID) || undefined,
    ...stakingOfCreation(fact, body),
  });
  const sidecar = [...fact.sidecars, ...(fact.parent?.sidecars ?? [])].find(
    ({ bytecode }) => bytecode && known.contract(bytecode.contractId) === id,
  )?.bytecode;
  const cause = fact.parent?.body.contractCreateInstance;
  const ethereum = fact.parent?.body.ethereumTransaction;
  known.tables.put('contract', `${id}`, {
    id,
    file_id: orNull(toEntityId(body.fileID) || toEntityId(cause?.fileID) || toEntityId(ethereum?.callData)),
    initcode:
      bytes(body.initcode) ??
      bytes(sidecar?.initcode) ??
      bytes(cause?.initcode) ??
      (ethereum && !ethereum.callData ? (openEthereum(ethereum.ethereumData)?.data ?? null) : null),
    runtime_bytecode: bytes(sidecar?.runtimeBytecode),
  });
  changeHooks(fact, known, body);
};

export const contractUpdateInstance: Effect<'contractUpdateInstance'> = (fact, body, known) => {
  known.entity(fact, fact.subject, 'CONTRACT', {
    deleted: false,
    ...keyMembers(body.adminKey),
    // Account 0 removes it.
    auto_renew_account_id: body.autoRenewAccountId ? orNull(known.account(body.autoRenewAccountId)) : undefined,
    auto_renew_period: seconds(body.autoRenewPeriod),
    expiration_timestamp: nanoseconds(body.expirationTime),
    max_automatic_token_associations: wrapped(body.maxAutomaticTokenAssociations, 0),
    memo: wrapped(body.memoWrapper, '') ?? (body.memo || undefined),
    proxy_account_id: toEntityId(body.proxyAccountID) || undefined,
    ...stakingOfUpdate(fact, body),
  });
  changeHooks(fact, known, body);
};

export const contractDeleteInstance: Effect<'contractDeleteInstance'> = (fact, body, known) =>
  known.entity(fact, fact.subject, 'CONTRACT', {
    deleted: true,
    obtainer_id: known.account(body.transferAccountID) || known.contract(body.transferContractID) || undefined,
    permanent_removal: body.permanentRemoval === true,
  });

/** State of the EVM transactions of a block. */
export type Evm = { nextIndex: number; nextLog: number; gas: bigint; bloom: Buffer; indexes: Map<Fact, number> };

export function createEvm(): Evm {
  return { nextIndex: 0, nextLog: 0, gas: 0n, bloom: noBytes, indexes: new Map() };
}

const hookContract = 365n;
const wrongNonce = 312;
const refusedBeforehand = [11, wrongNonce];
const evmTypes = [7, 8, 50];

function resultOf(fact: Fact): proto.IContractFunctionResult | null {
  return fact.record.contractCreateResult ?? fact.record.contractCallResult ?? null;
}

/** The EVM run that caused it: for an EVM run the run of a hook before it, else the parent. */
function contractCause(fact: Fact, facts: readonly Fact[]): Fact | null {
  const { parent } = fact;
  if (!parent) return null;
  const siblings = facts.filter((other) => other.at < fact.at && other.parent === parent);
  const hookRun = resultOf(fact) && !isHookRun(fact) ? siblings.findLast(isHookRun) : undefined;
  return hookRun ?? (resultOf(parent) ? parent : null);
}

function isHookRun(fact: Fact): boolean {
  return fact.type === 7 && fact.subject === hookContract;
}

export function assignIndex(fact: Fact, evm: Evm, facts: readonly Fact[]): void {
  if (!evmTypes.includes(fact.type) || fact.status === wrongNonce) return;
  const cause = contractCause(fact, facts);
  const inherited = cause && evm.indexes.get(cause);
  if (inherited !== null && inherited !== undefined) evm.indexes.set(fact, inherited);
  else if (resultOf(fact)) evm.indexes.set(fact, evm.nextIndex++);
}

/** Result, logs, calls, storage; of any transaction. `facts`: those of the block so far. */
export function addEvmRows(fact: Fact, known: Known, evm: Evm, facts: readonly Fact[]): void {
  const { body, record } = fact;
  const result = resultOf(fact);
  const hash = record.ethereumHash?.length ? record.ethereumHash : record.transactionHash!.subarray(0, 32);
  const call = body.contractCall;
  const create = body.contractCreateInstance;
  const ethereum = body.ethereumTransaction ? openEthereum(body.ethereumTransaction.ethereumData) : null;
  const involved = new Set<bigint>();
  addSidecars(fact, known, facts, involved);
  const common = {
    consensus_timestamp: fact.at,
    payer_account_id: fact.payer,
    transaction_hash: hash,
    transaction_index: evm.indexes.get(fact) ?? null,
    transaction_nonce: body.transactionID?.nonce ?? 0,
    transaction_result: fact.status,
  };
  const refused =
    !result && ethereum && fact.status !== 22 && !fact.successful && !refusedBeforehand.includes(fact.status);
  if (result || call || create) {
    const contract = call || create ? fact.subject : known.contract(result?.contractID);
    const bloom = result?.bloom?.some((byte) => byte !== 0) ? Buffer.from(result.bloom) : noBytes;
    const initcode = create?.initcode?.length ? create.initcode : bytesOfSidecar(fact);
    known.tables.add('contract_result', {
      ...common,
      amount: toBigInt(call ? call.amount : create ? create.initialBalance : result?.amount),
      bloom: result ? bloom : null,
      call_result: result ? (result.contractCallResult ?? noBytes) : null,
      contract_id: contract,
      created_contract_ids: (result?.createdContractIDs ?? []).map((id) => known.contract(id)),
      error_message: result ? (result.errorMessage ?? '') : null,
      failed_initcode: fact.successful ? null : initcode,
      function_parameters: (call ?? result)?.functionParameters ?? create?.constructorParameters ?? noBytes,
      ...(create ? { function_parameters: create.constructorParameters ?? noBytes } : {}),
      function_result: result ? fact.functionResultBytes : null,
      gas_consumed: result ? toBigInt(result.gasUsed) : null,
      gas_limit: toBigInt((call ?? create ?? result)?.gas),
      gas_used: result ? toBigInt(result.gasUsed) : null,
      sender_id: known.account(result?.senderId) || fact.payer,
    });
    addHash(fact, known, hash, contract);
    involved.add(fact.payer).add(contract);
    for (const log of result?.logInfo ?? []) {
      const emitter = known.contract(log.contractID);
      involved.add(emitter);
      addLog(fact, known, evm, {
        contract_id: emitter,
        root_contract_id: orNull(contract),
        bloom: log.bloom,
        data: log.data ?? noBytes,
        synthetic: false,
        topics: (log.topic ?? []).map((topic) => (topic.some((byte) => byte) ? withoutLeadingZeros(topic) : zeroByte)),
        transaction_hash: hash,
      });
    }
    const isTop = !fact.parent || !body.transactionID?.nonce || Boolean(record.scheduleRef);
    if (result && isTop) {
      evm.gas += toBigInt(result.gasUsed);
      // A result without logs has a bloom of zeros, and so does its block.
      evm.bloom = or(evm.bloom, bloom);
    }
  } else if (refused) {
    known.tables.add('contract_result', {
      ...common,
      call_result: noBytes,
      contract_id: 0n,
      created_contract_ids: [],
      function_parameters: ethereum.data,
      gas_limit: ethereum.gasLimit,
      gas_used: 0n,
      sender_id: fact.payer,
    });
    addHash(fact, known, hash, 0n);
    involved.add(fact.payer).add(0n);
  }
  for (const id of involved) {
    known.tables.add('contract_transaction', {
      consensus_timestamp: fact.at,
      contract_ids: [...involved],
      entity_id: id,
      payer_account_id: fact.payer,
    });
  }
  if (ethereum) addEthereumRow(fact, known, ethereum, hash);
}

function addHash(fact: Fact, known: Known, hash: Uint8Array, contract: bigint): void {
  known.tables.add('contract_transaction_hash', {
    consensus_timestamp: fact.at,
    entity_id: contract,
    hash,
    payer_account_id: fact.payer,
    transaction_result: fact.status,
  });
}

const zeroByte = Buffer.of(0);

type Log = { contract_id: bigint; root_contract_id: bigint | null; synthetic: boolean; topics: Uint8Array[] } & Record<
  string,
  unknown
>;

function addLog(fact: Fact, known: Known, evm: Evm, { topics, ...log }: Log): void {
  known.tables.add('contract_log', {
    ...log,
    consensus_timestamp: fact.at,
    index: evm.nextLog++,
    payer_account_id: fact.payer,
    topic0: topics[0],
    topic1: topics[1],
    topic2: topics[2],
    topic3: topics[3],
    transaction_index: evm.indexes.get(fact) ?? null,
  });
}

function addSidecars(fact: Fact, known: Known, facts: readonly Fact[], involved: Set<bigint>): void {
  let index = 0;
  for (const { actions, stateChanges } of fact.sidecars) {
    for (const action of actions?.contractActions ?? []) {
      const [data, kind] = action.output
        ? [action.output, 11]
        : action.revertReason
          ? [action.revertReason, 12]
          : action.error
            ? [action.error, 13]
            : [null, 0];
      known.tables.add('contract_action', {
        call_depth: action.callDepth ?? 0,
        call_operation_type: action.callOperationType ?? 0,
        call_type: action.callType ?? 0,
        caller: orNull(
          action.callingContract ? known.contract(action.callingContract) : known.account(action.callingAccount),
        ),
        caller_type: action.callingContract ? 'CONTRACT' : 'ACCOUNT',
        consensus_timestamp: fact.at,
        gas: toBigInt(action.gas),
        gas_used: toBigInt(action.gasUsed),
        index: index++,
        input: action.input ?? noBytes,
        payer_account_id: fact.payer,
        recipient_account: orNull(known.account(action.recipientAccount)),
        recipient_address: action.targetedAddress ?? null,
        recipient_contract: orNull(known.contract(action.recipientContract)),
        result_data: data,
        result_data_type: kind,
        value: toBigInt(action.value),
      });
    }
    for (const { contractId, storageChanges } of stateChanges?.contractStateChanges ?? []) {
      const contract = known.contract(contractId);
      involved.add(contract);
      const slots = (storageChanges ?? []).map(({ slot, valueRead, valueWritten }) => ({
        key: Buffer.from(slot ?? []),
        read: Buffer.from(valueRead ?? []),
        written: valueWritten ? Buffer.from(valueWritten.value ?? []) : null,
      }));
      const hook = hookOfRun(fact, known, facts);
      if (hook) {
        store(fact, known, hook.owner, hook.hookId, slots);
        continue;
      }
      for (const { key, read, written } of slots) {
        known.tables.add('contract_state_change', {
          consensus_timestamp: fact.at,
          contract_id: contract,
          migration: false,
          payer_account_id: fact.payer,
          slot: key,
          value_read: read,
          value_written: written,
        });
        if (!written) continue;
        const slot = Buffer.from(key.toString('hex').padStart(64, '0'), 'hex');
        const name = `${contract}:${slot.toString('hex')}`;
        known.tables.put('contract_state', name, {
          contract_id: contract,
          created_timestamp: known.tables.latest('contract_state', name)?.created_timestamp ?? fact.at,
          modified_timestamp: fact.at,
          slot,
          value: written,
        });
      }
    }
  }
}

function hookOfRun(fact: Fact, known: Known, facts: readonly Fact[]): { owner: bigint; hookId: bigint } | undefined {
  const transfer = fact.parent?.body.cryptoTransfer;
  if (!isHookRun(fact) || !transfer) return undefined;
  const before = facts.filter((other) => other !== fact && other.parent === fact.parent && isHookRun(other)).length;
  return hooksOfTransfer(transfer, known)[before];
}

function bytesOfSidecar(fact: Fact): Buffer | null {
  return bytes(fact.sidecars.find(({ bytecode }) => bytecode?.initcode?.length)?.bytecode?.initcode);
}

function or(one: Buffer, other: Buffer): Buffer {
  return Buffer.from(Array.from({ length: 256 }, (_, index) => (one[index] ?? 0) | (other[index] ?? 0)));
}

/** Nonces change without versions. */
export function noteNonces(fact: Fact, setNonce: (id: bigint, nonce: bigint) => void, known: Known): void {
  const result = resultOf(fact);
  for (const { contractId, nonce } of result?.contractNonces ?? []) {
    setNonce(known.contract(contractId), toBigInt(nonce));
  }
  if (fact.body.ethereumTransaction && result?.signerNonce) {
    setNonce(known.account(result.senderId), toBigInt(result.signerNonce.value));
  }
}

const transferTopic = topic('Transfer(address,address,uint256)');
const approvalTopic = topic('Approval(address,address,uint256)');
const approvalForAllTopic = topic('ApprovalForAll(address,address,bool)');

function topic(signature: string): Buffer {
  return Buffer.from(keccak256(Buffer.from(signature)));
}

/**
 * Synthetic logs of transfers and approvals outside of contracts: of the token, or of the contract that caused them.
 * Since HAPI
 * 0.71 the network's logs have those of transactions with a result. Returns whether there was any.
 */
export function addTokenLogs(fact: Fact, known: Known, evm: Evm, facts: readonly Fact[]): boolean {
  if (!fact.successful || resultOf(fact)) return false;
  const logs = [...transferLogs(fact, known), ...approvalLogs(fact, known)];
  if (logs.length === 0) return false;
  const cause = contractCause(fact, facts);
  if (!cause && !evm.indexes.has(fact)) evm.indexes.set(fact, evm.nextIndex++);
  const hash = (cause ?? fact).record.transactionHash!.subarray(0, 32);
  const contract = cause ? known.contract(resultOf(cause)?.contractID) : null;
  for (const { token, topics, data } of logs) {
    addLog(cause ?? fact, known, evm, {
      contract_id: contract ?? token,
      root_contract_id: cause ? orNull(known.contract(cause.record.receipt?.contractID)) : token,
      bloom: zeroByte,
      data,
      synthetic: true,
      topics,
      transaction_hash: hash,
    });
  }
  return true;
}

type TokenLog = { token: bigint; topics: Buffer[]; data: Buffer };

const number = (value: bigint): Buffer => withoutLeadingZeros(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));
const party = (id: bigint): Buffer => withoutLeadingZeros(longZero(id));

function transferLogs(fact: Fact, known: Known): TokenLog[] {
  if (fact.body.tokenDissociate) return [];
  const named = (id: bigint): Buffer => {
    const own = known.tables.latest('entity', `${id}`)?.evm_address as Buffer | null | undefined;
    return own ? withoutLeadingZeros(own) : party(id);
  };
  return (fact.record.tokenTransferLists ?? []).flatMap((list) => {
    const token = toEntityId(list.token);
    const amounts = (list.transfers ?? []).map((one) => [known.account(one.accountID), toBigInt(one.amount)] as const);
    const fungible = pair(amounts).map(([from, to, amount]) => ({
      token,
      topics: [transferTopic, named(from), named(to)],
      data: number(amount),
    }));
    const nfts = (list.nftTransfers ?? [])
      .filter(({ serialNumber }) => toBigInt(serialNumber) > 0n)
      .map((one) => ({
        token,
        topics: [
          transferTopic,
          party(known.account(one.senderAccountID)),
          party(known.account(one.receiverAccountID)),
          number(toBigInt(one.serialNumber)),
        ],
        data: zeroByte,
      }));
    return [...fungible, ...nfts];
  });
}

/** The largest sender pays the largest receiver until one is done; account 0 mints and burns. */
function pair(amounts: readonly (readonly [bigint, bigint])[]): [from: bigint, to: bigint, amount: bigint][] {
  const side = (sign: bigint) =>
    amounts
      .filter(([, amount]) => amount * sign > 0n)
      .map(([id, amount]) => ({ id, left: amount * sign }))
      .sort((a, b) => (a.left === b.left ? (a.id < b.id ? -1 : 1) : a.left > b.left ? -1 : 1));
  const [givers, takers] = [side(-1n), side(1n)];
  const pairs: [bigint, bigint, bigint][] = [];
  while (givers.length > 0 || takers.length > 0) {
    const [giver, taker] = [givers[0], takers[0]];
    const amount =
      giver && taker ? (giver.left < taker.left ? giver.left : taker.left) : (giver?.left ?? taker?.left ?? 0n);
    pairs.push([giver?.id ?? 0n, taker?.id ?? 0n, amount]);
    for (const [one, all] of [
      [giver, givers],
      [taker, takers],
    ] as const) {
      if (!one) continue;
      one.left -= amount;
      if (one.left === 0n) all.shift();
    }
  }
  return pairs;
}

function approvalLogs({ body, payer }: Fact, known: Known): TokenLog[] {
  const owner = (id: proto.IAccountID | null | undefined): Buffer => party(known.account(id) || payer);
  const spender = (id: proto.IAccountID | null | undefined): Buffer => party(known.account(id));
  const logs: TokenLog[] = [];
  const add = (token: proto.ITokenID | null | undefined, topics: Buffer[], data: Buffer): void => {
    logs.push({ token: toEntityId(token), topics, data });
  };
  for (const one of (body.cryptoApproveAllowance?.nftAllowances ?? []).toReversed()) {
    const parties = [owner(one.owner), spender(one.spender)];
    const forAll = one.approvedForAll?.value === true;
    if (one.approvedForAll) add(one.tokenId, [approvalForAllTopic, ...parties], Buffer.of(forAll ? 1 : 0));
    for (const serial of forAll ? [] : (one.serialNumbers ?? [])) {
      add(one.tokenId, [approvalTopic, ...parties, number(toBigInt(serial))], zeroByte);
    }
  }
  for (const one of (body.cryptoApproveAllowance?.tokenAllowances ?? []).toReversed()) {
    add(one.tokenId, [approvalTopic, owner(one.owner), spender(one.spender)], number(toBigInt(one.amount)));
  }
  for (const one of body.cryptoDeleteAllowance?.nftAllowances ?? []) {
    for (const serial of one.serialNumbers ?? []) {
      add(one.tokenId, [approvalTopic, owner(one.owner), noBytes, number(toBigInt(serial))], zeroByte);
    }
  }
  return logs;
}

type Ethereum = {
  type: number;
  fields: Record<string, Buffer>;
  lists: Record<string, unknown>;
  data: Buffer;
  gasLimit: bigint;
};

const fieldNames: Record<number, string> = {
  0: 'nonce gasPrice gasLimit to value data v r s',
  1: 'chainId nonce gasPrice gasLimit to value data accessList v r s',
  2: 'chainId nonce maxPriority maxFee gasLimit to value data accessList v r s',
  4: 'chainId nonce maxPriority maxFee gasLimit to value data accessList authorizations v r s',
};

function openEthereum(raw: Uint8Array | null | undefined): Ethereum | null {
  if (!raw?.length) return null;
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
  const names = fieldNames[type]?.split(' ');
  const list = RLP.decode(type === 0 ? raw : raw.subarray(1)) as unknown[];
  if (!names || list.length !== names.length) return null;
  const members = names.map((name, index) => [name, list[index]] as const);
  const isBytes = (member: readonly [string, unknown]): member is [string, Uint8Array] =>
    member[1] instanceof Uint8Array;
  const fields = Object.fromEntries(members.filter(isBytes).map(([name, value]) => [name, Buffer.from(value)]));
  const lists = Object.fromEntries(members.filter((member) => !isBytes(member)));
  return { type, fields, lists, data: fields.data!, gasLimit: toNumber(fields.gasLimit!) };
}

function addEthereumRow(fact: Fact, known: Known, { type, fields, lists }: Ethereum, hash: Uint8Array): void {
  const body = fact.body.ethereumTransaction!;
  const v = toNumber(fields.v!);
  const chain = type === 0 ? (v > 34n ? signed((v - 35n) / 2n) : null) : fields.chainId;
  const parity = type === 0 ? (v % 2n === 0n ? 1 : 0) : Number(v);
  type Access = [Uint8Array, Uint8Array[]];
  type Authorization = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  known.tables.add('ethereum_transaction', {
    access_list: lists.accessList
      ? (lists.accessList as Access[]).map(([address, keys]) => ({
          address: hex(address),
          storage_keys: keys.map(hex),
        }))
      : null,
    authorization_list: lists.authorizations
      ? (lists.authorizations as Authorization[]).map(([chainId, address, nonce, yParity, r, s]) => ({
          address: hex(address),
          chain_id: hex(chainId),
          nonce: toNumber(nonce),
          r: `0x${Buffer.from(r).toString('hex').padStart(64, '0')}`,
          s: `0x${Buffer.from(s).toString('hex').padStart(64, '0')}`,
          y_parity: quantity(yParity),
        }))
      : null,
    call_data: fields.data,
    call_data_id: orNull(toEntityId(body.callData)),
    chain_id: chain,
    consensus_timestamp: fact.at,
    data: body.ethereumData,
    gas_limit: toNumber(fields.gasLimit!),
    gas_price: fields.gasPrice ?? null,
    hash,
    max_fee_per_gas: fields.maxFee ?? null,
    max_gas_allowance: toBigInt(body.maxGasAllowance),
    max_priority_fee_per_gas: fields.maxPriority ?? null,
    nonce: toNumber(fields.nonce!),
    payer_account_id: fact.payer,
    recovery_id: parity,
    signature_r: fields.r,
    signature_s: fields.s,
    signature_v: type === 0 ? fields.v : null,
    to_address: fields.to,
    type,
    value: signed(toNumber(fields.value!)),
  });
}

function toNumber(value: Uint8Array): bigint {
  return BigInt(`0x0${Buffer.from(value).toString('hex')}`);
}

/** Big-endian with a sign bit that is 0; zero is one byte. */
function signed(value: bigint): Buffer {
  const digits = value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return Buffer.from(Number.parseInt(even.slice(0, 2), 16) > 127 ? `00${even}` : even, 'hex');
}

function hex(value: Uint8Array): string {
  return `0x${Buffer.from(value).toString('hex')}`;
}

function quantity(value: Uint8Array): string {
  return `0x${toNumber(value).toString(16)}`;
}
