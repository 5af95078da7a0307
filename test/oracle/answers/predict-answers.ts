// Expected answers of the API, from an independent reading of the ledger: plain objects with every integer as bigint,
// written from the API's description, not from the code that formats answers.

import { RLP } from '@ethereumjs/rlp';
import protobuf from 'protobufjs';
import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { type Entity, type ReadLedger, successes, type Token } from '../read/read-ledger.ts';
import type { ReadResult } from '../read/read-results.ts';
import { subjectOf } from '../rows/subject-of.ts';

export type Dialect = 'spec' | 'hiero';

const second = 1_000_000_000n;

export function predictToken(ledger: ReadLedger, id: bigint, at: bigint | null, dialect: Dialect): object | null {
  const token = ledger.tokens.at(id, at);
  const entity = ledger.entities.at(id, at);
  const fees = ledger.fees.at(id, at);
  if (!token || !entity || !fees) return null;
  const { value } = token;
  const keys = value.keys;
  return {
    admin_key: toKey(entity.value.key),
    auto_renew_account: toId(entity.value.autoRenewAccount),
    auto_renew_period: entity.value.autoRenewPeriod,
    created_timestamp: toTime(value.created),
    custom_fees: {
      created_timestamp: toTime(fees.from),
      ...predictFees(fees.value.fees, id, value, dialect),
    },
    decimals: `${value.decimals}`,
    deleted: entity.value.deleted,
    expiry_timestamp: expiryOf(entity.value),
    fee_schedule_key: toKey(keys.feeSchedule),
    freeze_default: value.freezeDefault,
    freeze_key: toKey(keys.freeze),
    initial_supply: `${value.initialSupply}`,
    kyc_key: toKey(keys.kyc),
    max_supply: `${value.maxSupply}`,
    memo: entity.value.memo,
    metadata: value.metadata?.toString('base64') ?? '',
    metadata_key: toKey(keys.metadata),
    modified_timestamp: toTime(token.from > entity.from ? token.from : entity.from),
    name: value.name,
    pause_key: toKey(keys.pause),
    // Without a pause key the status of the creation stays.
    pause_status: pauseStatus(ledger, id, at),
    supply_key: toKey(keys.supply),
    supply_type: value.supplyType,
    symbol: value.symbol,
    token_id: toId(id),
    total_supply: `${value.totalSupply}`,
    treasury_account_id: toId(value.treasury),
    type: value.nonFungible ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON',
    wipe_key: toKey(keys.wipe),
  };
}

function pauseStatus(ledger: ReadLedger, id: bigint, at: bigint | null): string {
  const first = ledger.tokens.versions(id)[0]!.value;
  if (!first.keys.pause) return 'NOT_APPLICABLE';
  return ledger.tokens.at(id, at)!.value.paused ? 'PAUSED' : 'UNPAUSED';
}

function predictFees(fees: proto.ICustomFee[], token: bigint, { nonFungible }: Token, dialect: Dialect): object {
  const denomination = (fee: proto.IFixedFee | null | undefined): string | null =>
    fee?.denominatingTokenId ? toId(toEntityId(fee.denominatingTokenId) || token) : null;
  const common = (fee: proto.ICustomFee) => ({
    all_collectors_are_exempt: fee.allCollectorsAreExempt === true,
    collector_account_id: toId(toEntityId(fee.feeCollectorAccountId)),
  });
  const fixed = fees
    .filter(({ fixedFee }) => fixedFee)
    .map((fee) => ({
      ...common(fee),
      amount: toBigInt(fee.fixedFee!.amount),
      denominating_token_id: denomination(fee.fixedFee),
    }));
  if (!nonFungible) {
    const fractional = fees
      .filter(({ fractionalFee }) => fractionalFee)
      .map((fee) => ({
        ...common(fee),
        amount: fraction(fee.fractionalFee!.fractionalAmount),
        denominating_token_id: toId(token),
        maximum: toBigInt(fee.fractionalFee!.maximumAmount) || null,
        minimum: toBigInt(fee.fractionalFee!.minimumAmount),
        net_of_transfers: fee.fractionalFee!.netOfTransfers === true,
      }));
    return { fixed_fees: fixed, fractional_fees: fractional };
  }
  const royalty = fees
    .filter(({ royaltyFee }) => royaltyFee)
    .map((fee) => {
      const fallback = fee.royaltyFee!.fallbackFee;
      return {
        ...common(fee),
        amount: fraction(fee.royaltyFee!.exchangeValueFraction),
        fallback_fee: fallback
          ? { amount: toBigInt(fallback.amount), denominating_token_id: denomination(fallback) }
          : null,
      };
    });
  const ofOthers = dialect === 'spec' ? { fractional_fees: [] } : {};
  return { fixed_fees: fixed, ...ofOthers, royalty_fees: royalty };
}

function fraction(value: proto.IFraction | null | undefined): object {
  return { numerator: toBigInt(value?.numerator), denominator: toBigInt(value?.denominator) };
}

/** Without transactions and pending reward, which have separate tests. */
export function predictAccount(ledger: ReadLedger, id: bigint, at: bigint | null): object | null {
  const version = ledger.entities.at(id, at);
  if (!version) return null;
  const entity = version.value;
  const isStakedToNode = entity.stakedNode !== null;
  return {
    account: toId(id),
    alias: entity.alias ? toBase32(entity.alias) : null,
    auto_renew_period: entity.autoRenewPeriod,
    created_timestamp: toTime(entity.created),
    decline_reward: entity.declineReward,
    deleted: entity.deleted,
    ethereum_nonce: entity.nonce,
    evm_address: addressOf(entity, id),
    expiry_timestamp: toTime(expiryOf(entity)),
    key: toKey(entity.key),
    max_automatic_token_associations: entity.maxAutomaticAssociations,
    memo: entity.memo,
    receiver_sig_required: entity.receiverSigRequired,
    staked_account_id: toId(entity.stakedAccount),
    staked_node_id: entity.stakedNode,
    stake_period_start:
      isStakedToNode && entity.stakePeriodStart !== null ? toTime(entity.stakePeriodStart * 86_400n * second) : null,
  };
}

/** The current balance object. */
export function predictBalance(ledger: ReadLedger, id: bigint): object {
  const tokens = [...ledger.holdings]
    .map(([key, holding]) => ({ ...holding, ids: key.split(':').map(BigInt) as [bigint, bigint] }))
    .filter(({ ids, associated }) => ids[0] === id && associated)
    .map(({ ids, balance }) => ({ token: ids[1], balance }))
    .sort((left, right) => (left.token < right.token ? -1 : 1));
  const last = ledger.hbarSteps.get(id)?.at(-1);
  const created = ledger.entities.versions(id)[0]!.value.created;
  return {
    balance: last?.balance ?? 0n,
    timestamp: toTime(last && last.at > created ? last.at : created),
    tokens: tokens.map(({ token, balance }) => ({ token_id: toId(token), balance })),
  };
}

/** Newest first. */
export function transactionsOf(ledger: ReadLedger, id: bigint): TransactionItem[] {
  return ledger.items
    .filter(
      ({ body, record, type, parentConsensusTimestamp }) =>
        (toEntityId(body.transactionID?.accountID) === id &&
          (!body.transactionID?.nonce || parentConsensusTimestamp !== null || type === 11 || type === 15)) ||
        record.transferList?.accountAmounts?.some(({ accountID }) => toEntityId(accountID) === id) ||
        record.tokenTransferLists?.some(({ transfers }) =>
          transfers?.some(({ accountID }) => toEntityId(accountID) === id),
        ),
    )
    .reverse();
}

export function predictTransaction(ledger: ReadLedger, item: TransactionItem): object {
  const { body, record, consensusTimestamp } = item;
  const id = body.transactionID!;
  const validStart = toTimestamp(id.transactionValidStart!);
  const approvedHbar = (body.cryptoTransfer?.transfers?.accountAmounts ?? []).filter(({ isApproval }) => isApproval);
  const abandoned = ledger.abandoned.get(consensusTimestamp);
  const transfers = (record.transferList?.accountAmounts ?? []).map(({ accountID, amount }) => ({
    id: toEntityId(accountID),
    amount: toBigInt(amount),
  }));
  return {
    batch_key: body.batchKey ? toKey(Buffer.from(proto.Key.encode(body.batchKey).finish())) : null,
    charged_tx_fee: toBigInt(record.transactionFee),
    consensus_timestamp: toTime(consensusTimestamp),
    entity_id: toId(subjectOf(item, (name) => findByAddress(ledger, name))),
    max_fee: `${toBigInt(body.transactionFee)}`,
    max_custom_fees: (body.maxCustomFees ?? []).flatMap(({ accountId, fees }) =>
      (fees ?? []).map((fee) => ({
        account_id: toId(toEntityId(accountId)),
        amount: toBigInt(fee.amount),
        denominating_token_id: fee.denominatingTokenId ? toId(toEntityId(fee.denominatingTokenId)) : null,
      })),
    ),
    memo_base64: Buffer.from(body.memo ?? '').toString('base64'),
    name: transactionTypeName(item.type),
    nft_transfers: [
      ...(record.tokenTransferLists ?? []).flatMap(({ token, nftTransfers }) =>
        (nftTransfers ?? []).map((one) => ({
          is_approval: isApprovedNft(body, toEntityId(token), toBigInt(one.serialNumber)),
          receiver_account_id: toId(toEntityId(one.receiverAccountID)),
          sender_account_id: toId(toEntityId(one.senderAccountID)),
          serial_number: toBigInt(one.serialNumber),
          token_id: toId(toEntityId(token)),
        })),
      ),
      ...(abandoned ?? []).map(({ token, serial, owner }) => ({
        is_approval: false,
        receiver_account_id: null,
        sender_account_id: toId(owner),
        serial_number: serial,
        token_id: toId(token),
      })),
    ],
    node: toId(toEntityId(body.nodeAccountID)),
    nonce: BigInt(id.nonce ?? 0),
    parent_consensus_timestamp: toTime(item.parentConsensusTimestamp),
    result: proto.ResponseCodeEnum[item.status],
    scheduled: !!record.scheduleRef,
    staking_reward_transfers: sortBy(
      (record.paidStakingRewards ?? []).map(({ accountID, amount }) => ({
        account: toId(toEntityId(accountID)),
        amount: toBigInt(amount),
      })),
      ({ account }) => account!,
    ),
    token_transfers: (record.tokenTransferLists ?? [])
      .filter(() => !abandoned)
      .flatMap(({ token, transfers: amounts }) =>
        (amounts ?? []).map(({ accountID, amount }) => ({
          token: toEntityId(token),
          id: toEntityId(accountID),
          amount: toBigInt(amount),
        })),
      )
      .sort((left, right) => compare(left.token, right.token) || compare(left.id, right.id))
      .map((one) => ({
        token_id: toId(one.token),
        account: toId(one.id),
        amount: one.amount,
        is_approval: one.amount < 0n && isApprovedToken(body, one),
      })),
    transaction_hash: Buffer.from(record.transactionHash!).toString('base64'),
    transaction_id: `${toId(toEntityId(id.accountID))}-${toTime(validStart)!.replace('.', '-')}`,
    transfers: transfers
      .sort((left, right) => compare(left.id, right.id) || compare(left.amount, right.amount))
      .map((one) => ({
        account: toId(one.id),
        amount: one.amount,
        is_approval:
          one.amount < 0n &&
          approvedHbar.some(
            ({ accountID, amount }) => toEntityId(accountID) === one.id && toBigInt(amount) === one.amount,
          ),
      })),
    valid_duration_seconds: body.transactionValidDuration ? `${toBigInt(body.transactionValidDuration.seconds)}` : null,
    valid_start_timestamp: toTime(validStart),
  };
}

function isApprovedToken(
  body: proto.ITransactionBody,
  { token, id, amount }: { token: bigint; id: bigint; amount: bigint },
): boolean {
  const lists = body.cryptoTransfer?.tokenTransfers ?? [];
  const ofAccount = lists
    .filter((list) => toEntityId(list.token) === token)
    .flatMap(({ transfers }) => transfers ?? [])
    .filter(({ accountID }) => toEntityId(accountID) === id);
  const exact = ofAccount.find((one) => toBigInt(one.amount) === amount);
  return exact ? exact.isApproval === true : ofAccount.some(({ isApproval }) => isApproval);
}

/** As the body says of this serial number. */
function isApprovedNft(body: proto.ITransactionBody, tokenId: bigint, serial: bigint): boolean {
  const lists = body.cryptoTransfer?.tokenTransfers ?? [];
  return lists.some(
    ({ token, nftTransfers }) =>
      toEntityId(token) === tokenId &&
      nftTransfers?.some((one) => toBigInt(one.serialNumber) === serial && one.isApproval === true),
  );
}

/** The entity that a transaction is about, by kind. */
export function findByAddress(ledger: ReadLedger, address: Buffer): bigint {
  if (address.length === 20 && address.subarray(0, 12).every((byte) => byte === 0)) {
    return address.readBigUInt64BE(12);
  }
  const isNamed = ({ evmAddress, alias }: Entity) => evmAddress?.equals(address) || alias?.equals(address);
  return ledger.entities.ids().find((id) => isNamed(ledger.entities.latest(id)!)) ?? 0n;
}

export function predictContract(ledger: ReadLedger, id: bigint, at: bigint | null): object | null {
  const version = ledger.entities.at(id, at);
  const code = ledger.code.get(id);
  if (!version || !code) return null;
  const entity = version.value;
  return {
    admin_key: toKey(entity.key),
    auto_renew_account: toId(entity.autoRenewAccount),
    auto_renew_period: entity.autoRenewPeriod,
    contract_id: toId(id),
    created_timestamp: toTime(entity.created),
    deleted: entity.deleted,
    evm_address: addressOf(entity, id),
    expiration_timestamp: toTime(expiryOf(entity)),
    file_id: toId(code.file),
    max_automatic_token_associations: entity.maxAutomaticAssociations,
    memo: entity.memo,
    nonce: entity.nonce,
    obtainer_id: toId(entity.obtainer),
    permanent_removal: entity.permanentRemoval,
    proxy_account_id: toId(entity.proxy),
    timestamp: { from: toTime(version.from), to: toTime(version.to) },
    bytecode: code.file === null ? toHex(code.initcode) : readHexFile(ledger, code.file, entity.created),
    runtime_bytecode: toHex(code.runtime),
  };
}

function readHexFile(ledger: ReadLedger, file: bigint, until: bigint): string {
  const pieces = (ledger.files.get(file) ?? []).filter(({ at }) => at <= until);
  const text = pieces
    .slice(pieces.findLastIndex(({ restart }) => restart))
    .map(({ bytes }) => bytes.toString('utf8'))
    .join('');
  return text.startsWith('0x') ? text : `0x${text}`;
}

export function predictResult(ledger: ReadLedger, one: ReadResult, dialect: Dialect): object {
  const { item, result, ethereum, block } = one;
  const { body, status } = item;
  const success = successes.has(status);
  const contract = ledger.entities.latest(one.contract);
  const call = body.contractCall;
  const create = body.contractCreateInstance;
  const price = (weibar: Buffer | null): string => (weibar?.length ? toQuantity(toInteger(weibar) / 10n ** 10n) : '0x');
  const bloom = Buffer.from(result?.bloom ?? []);
  const gasUsed = result ? toBigInt(result.gasUsed) : null;
  const error = result?.errorMessage || null;
  const longZero = (id: bigint): string | null => (id === 0n ? null : toHex(toLongZero(id)));
  const failedInitcode = success
    ? null
    : (create?.initcode ?? item.sidecars.find(({ bytecode }) => bytecode?.initcode?.length)?.bytecode?.initcode);
  return {
    address: contract?.evmAddress ? toHex(contract.evmAddress) : longZero(one.contract),
    amount: ethereum ? ethereum.value / 10n ** 10n : toBigInt(call?.amount ?? create?.initialBalance ?? result?.amount),
    bloom: !result ? '0x' : bloom.some((byte) => byte > 0) ? toHex(bloom) : `0x${'00'.repeat(256)}`,
    call_result: toHex(result?.contractCallResult),
    child: item.parentConsensusTimestamp !== null,
    contract_id: toId(one.contract),
    created_contract_ids: (result?.createdContractIDs ?? []).map((id) => toId(toEntityId(id))),
    error_message: error ?? (ethereum && !success ? proto.ResponseCodeEnum[status] : null),
    from: longZero(one.sender),
    function_parameters: toHex(
      call
        ? call.functionParameters
        : create
          ? create.constructorParameters
          : (result?.functionParameters ?? ethereum?.data),
    ),
    gas_consumed: one.gasConsumed,
    gas_limit: toBigInt((call ?? create ?? result)?.gas) || (result ? 0n : (ethereum?.gasLimit ?? 0n)),
    gas_used: gasUsed ?? (call || create ? null : 0n),
    timestamp: toTime(item.consensusTimestamp),
    to: ethereum?.to.length ? toHex(ethereum.to) : longZero(one.contract),
    hash: toHex(one.hash),
    block_hash: toHex(block.file.hash),
    block_number: block.file.blockNumber,
    result: proto.ResponseCodeEnum[status],
    transaction_index: one.index === null ? null : BigInt(one.index),
    status: dialect === 'spec' ? (success ? 1n : 0n) : success ? '0x1' : '0x0',
    failed_initcode: failedInitcode?.length ? toHex(failedInitcode) : null,
    access_list: predictAccessList(ethereum?.accessList ?? [], dialect),
    block_gas_used: one.blockGas,
    chain_id: ethereum ? (ethereum.chainId.length ? toQuantity(toInteger(ethereum.chainId)) : '0x') : '0x128',
    gas_price: ethereum ? price(ethereum.gasPrice) : predictGasPrice(ledger, item.consensusTimestamp),
    max_fee_per_gas: ethereum ? price(ethereum.maxFee) : null,
    max_priority_fee_per_gas: ethereum ? price(ethereum.maxPriorityFee) : null,
    r: ethereum ? toHex(ethereum.r) : null,
    s: ethereum ? toHex(ethereum.s) : null,
    type: BigInt(ethereum?.type ?? 0),
    v: ethereum ? ethereum.v : null,
    nonce: ethereum ? ethereum.nonce : null,
  };
}

/** null if the stream began after the system files were written. */
function predictGasPrice(ledger: ReadLedger, at: bigint): string | null {
  const isKnown = ledger.files.has(112n) && [111n, 113n].some((file) => wasWritten(ledger, file, at));
  return isKnown ? toQuantity(gasPriceAt(ledger, at)) : null;
}

/**
 * tinybar, from the simple fees (113), before there were any from the fee schedule (111), and from the exchange rate
 * (112) as they were; schedule and rate expire long after.
 */
export function gasPriceAt(ledger: ReadLedger, at: bigint): bigint {
  const { hbarEquiv, centEquiv } = proto.ExchangeRateSet.decode(contentsAt(ledger, 112n, at)).currentRate!;
  if (wasWritten(ledger, 113n, at)) {
    return (simpleGas(contentsAt(ledger, 113n, at)) * BigInt(hbarEquiv!)) / BigInt(centEquiv!);
  }
  const schedule = proto.CurrentAndNextFeeSchedule.decode(contentsAt(ledger, 111n, at)).currentFeeSchedule!;
  const call = schedule.transactionFeeSchedule!.find(
    (fees) => fees.hederaFunctionality === proto.HederaFunctionality.ContractCall,
  )!;
  const thousandths = toBigInt(call.fees![0]!.servicedata!.gas);
  return (thousandths * BigInt(hbarEquiv!)) / (BigInt(centEquiv!) * 1000n);
}

/** Tinycents: the fee (field 2) of the extra (field 4) whose name (field 1) is 5. */
function simpleGas(schedule: Buffer): bigint {
  const reader = protobuf.Reader.create(schedule);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag >>> 3 !== 4) {
      reader.skipType(tag & 7);
      continue;
    }
    const extra = protobuf.Reader.create(reader.bytes());
    const values = new Map<number, bigint>();
    while (extra.pos < extra.len) values.set(extra.uint32() >>> 3, BigInt(extra.uint64().toString()));
    if (values.get(1) === 5n) return values.get(2) ?? 0n;
  }
  throw new Error('The simple fees have no price of gas.');
}

function wasWritten(ledger: ReadLedger, file: bigint, moment: bigint): boolean {
  return ledger.files.get(file)?.some(({ at }) => at <= moment) ?? false;
}

function contentsAt(ledger: ReadLedger, file: bigint, moment: bigint): Buffer {
  const pieces = ledger.files.get(file)!.filter(({ at }) => at <= moment);
  return Buffer.concat(pieces.slice(pieces.findLastIndex(({ restart }) => restart)).map(({ bytes }) => bytes));
}

function predictAccessList(list: { address: string; storageKeys: string[] }[], dialect: Dialect): unknown {
  if (dialect === 'hiero') return list.map(({ address, storageKeys }) => ({ address, storage_keys: storageKeys }));
  if (list.length === 0) return '0x';
  const raw = list.map(({ address, storageKeys }) => [fromHex(address), storageKeys.map(fromHex)]);
  return toHex(RLP.encode(raw));
}

export function predictSchedule(ledger: ReadLedger, id: bigint, dialect: Dialect): object {
  const schedule = ledger.schedules.get(id)!;
  const entity = ledger.entities.latest(id)!;
  const text = (bytes: Buffer): string => {
    const base64 = bytes.toString('base64');
    return dialect === 'spec' ? base64 : (base64.match(/.{1,76}/g) ?? []).join('\n');
  };
  return {
    admin_key: toKey(entity.key),
    deleted: entity.deleted,
    consensus_timestamp: toTime(schedule.consensus),
    creator_account_id: toId(schedule.creator),
    executed_timestamp: toTime(schedule.executed),
    expiration_time: toTime(schedule.expiration),
    memo: entity.memo,
    payer_account_id: toId(schedule.payer),
    schedule_id: toId(id),
    signatures: schedule.signatures
      // Those of one time as in the signature map.
      .toSorted((left, right) => compare(left.at, right.at))
      .map(({ at, prefix, signature, type }) => ({
        consensus_timestamp: toTime(at),
        public_key_prefix: text(prefix),
        signature: text(signature),
        type,
      })),
    transaction_body: schedule.body.toString('base64'),
    wait_for_expiry: schedule.waitForExpiry,
  };
}

function expiryOf({ expiration, created, autoRenewPeriod }: Entity): bigint | null {
  return expiration ?? (autoRenewPeriod === null ? null : created + autoRenewPeriod * second);
}

function addressOf({ evmAddress, alias }: Entity, id: bigint): string {
  return toHex(evmAddress ?? (alias?.length === 20 ? alias : toLongZero(id)));
}

function toLongZero(id: bigint): Buffer {
  return fromHex(`0x${id.toString(16).padStart(40, '0')}`);
}

function toKey(bytes: Buffer | null): object | null {
  if (bytes === null) return null;
  const key = proto.Key.decode(bytes);
  if (key.keyList && !key.keyList.keys?.length) return null;
  const { threshold, keys: threshKeys } = key.thresholdKey ?? {};
  const inner = threshold === 1 ? threshKeys?.keys : key.keyList?.keys;
  const plain = inner?.length === 1 ? inner[0]! : key;
  if (plain.ed25519?.length === 32) return { _type: 'ED25519', key: toHex(plain.ed25519).slice(2) };
  if (plain.ECDSASecp256k1?.length === 33) {
    return { _type: 'ECDSA_SECP256K1', key: toHex(plain.ECDSASecp256k1).slice(2) };
  }
  return { _type: 'ProtobufEncoded', key: bytes.toString('hex') };
}

export function toId(id: bigint | null): string | null {
  return id === null || id === 0n ? null : `0.0.${id}`;
}

export function toTime(ns: bigint | null): string | null {
  return ns === null ? null : `${ns / second}.${(ns % second).toString().padStart(9, '0')}`;
}

function toHex(bytes: Uint8Array | null | undefined): string {
  return `0x${Buffer.from(bytes ?? []).toString('hex')}`;
}

function fromHex(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

function toInteger(bytes: Buffer): bigint {
  return BigInt(toHex(bytes));
}

function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function toBase32(bytes: Buffer): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function sortBy<T>(list: T[], by: (one: T) => string): T[] {
  return list.toSorted((left, right) => (by(left) < by(right) ? -1 : 1));
}
