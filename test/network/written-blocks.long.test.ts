// What the simulated network writes into a block stream, read by a second decoder, is what it writes into the record
// files of the same ledger; and all state changes together are the ledger.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { responseCode } from '../../packages/protocol/hapi/response-codes.ts';
import type { StateForm } from '../../packages/simulated-network/block-stream/partial-state.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { readRecordFileV6 } from '../../packages/streams/record-stream/record-file-v6.ts';
import {
  readBlocks,
  type WriteNetworkOptions,
  writeNetwork,
} from '../../packages/test-support/streams/write-network.ts';
import { createLayOverParts } from '../oracle/read/lay-over-parts.ts';
import {
  bytecodeOf,
  rebuildInitcode,
  rebuildMessages,
  rebuildStorage,
  rebuildSupply,
  toHex,
} from '../oracle/read/rebuild-record.ts';
import { createSecondDecoder, type Plain } from '../oracle/read/second-decoder.ts';
import {
  readSecondBlock,
  type SecondBlock,
  type SecondTransaction,
  type SecondUnit,
  toNs,
} from '../oracle/read/second-reader.ts';

const blockCount = 100;
const redactedCount = 12;
const start = 1_750_000_000_000_000_000n;
const decoder = createSecondDecoder();
let root: string;
let truth: LedgerTables;
let blocks: SecondBlock[];
let blocksOf: Record<StateForm, SecondBlock[]>;
let records: Written[];

/** One transaction of the record files, with its sidecars. */
type Written = { transaction: Plain; record: Plain; sidecars: Plain[] };
type Found = { unit: SecondUnit; transaction: SecondTransaction; written: Written };

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'written-blocks-'));
  await write('records', {});
  truth = await write('blocks', { format: 'blocks' });
  for (const stateForm of ['whole', 'always'] as const) await write(stateForm, { format: 'blocks', stateForm });
  await write('signed', { format: 'blocks', signEvery: 1 }, redactedCount);
  await write('redacted', { format: 'blocks', redactEvery: 5, signEvery: 1 }, redactedCount);
  blocks = readAll('blocks', 'some');
  blocksOf = { saving: blocks, whole: readAll('whole', 'none'), always: readAll('always', 'most') };
  records = readRecords();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test('every transaction is there with its bytes, in the order of consensus', () => {
  const found = everyTransaction();
  expect(found.length).toBe(records.length);
  let older = 0;
  for (const { transaction, written } of found) {
    const { bodyBytes, sigMap, useSerializedTxMessageHashAlgorithm } = decoder.decode(
      'proto.SignedTransaction',
      transaction.signed,
    );
    const transactionType = decoder.type('proto.Transaction');
    const hashed = useSerializedTxMessageHashAlgorithm
      ? transactionType.encode(transactionType.fromObject({ sigMap, bodyBytes })).finish()
      : transaction.signed;
    const submitted = useSerializedTxMessageHashAlgorithm
      ? transactionType.fromObject({ sigMap, bodyBytes })
      : transactionType.fromObject({ signedTransactionBytes: transaction.signed });
    expect(written.transaction).toEqual(decoder.decode(transactionType, transactionType.encode(submitted).finish()));
    if (useSerializedTxMessageHashAlgorithm) older += 1;
    expect(createHash('sha384').update(hashed).digest()).toEqual(written.record.transactionHash);
  }
  expect(older / found.length).toBeGreaterThan(0.05);
  expect(blocks.every(({ withoutResult }) => withoutResult.length > 0)).toBe(true);
});

test('results say what records say', () => {
  for (const { transaction, written } of everyTransaction()) {
    const { result } = transaction;
    const { record } = written;
    const same = [
      [result.status, record.receipt.status],
      [result.consensusTimestamp, record.consensusTimestamp],
      [result.transactionFeeCharged ?? '0', record.transactionFee ?? '0'],
      [result.transferList, record.transferList],
      [result.parentConsensusTimestamp, record.parentConsensusTimestamp],
      [result.scheduleRef, record.scheduleRef],
      [result.tokenTransferLists, record.tokenTransferLists],
      [result.automaticTokenAssociations, record.automaticTokenAssociations],
      [result.paidStakingRewards, record.paidStakingRewards],
      [result.assessedCustomFees, record.assessedCustomFees],
      [result.highVolumePricingMultiplier, record.highVolumePricingMultiplier],
    ];
    for (const [left, right] of same) expect(left).toEqual(right);
  }
});

test('outputs, logs and actions say what records and sidecars say', () => {
  const seen = new Set<string>();
  for (const { transaction, written } of everyTransaction()) {
    const { record, sidecars } = written;
    const { receipt } = record;
    for (const output of transaction.outputs) {
      const [kind] = Object.keys(output);
      seen.add(kind!);
      if (kind === 'accountCreate') expect(output.accountCreate.createdAccountId).toEqual(receipt.accountID);
      if (kind === 'createSchedule') {
        expect(output.createSchedule.scheduleId).toEqual(receipt.scheduleID);
        expect(output.createSchedule.scheduledTransactionId).toEqual(receipt.scheduledTransactionID);
      }
      if (kind === 'signSchedule') {
        expect(output.signSchedule.scheduledTransactionId).toEqual(receipt.scheduledTransactionID);
      }
      if (kind === 'utilPrng') {
        const { prngBytes, prngNumber } = record;
        expect(output.utilPrng).toEqual(prngBytes ? { prngBytes } : { prngNumber: prngNumber ?? 0 });
      }
    }
    const [evm] = transaction.outputs.flatMap(evmResult);
    const functionResult = record.contractCreateResult ?? record.contractCallResult;
    expect(Boolean(evm)).toBe(Boolean(functionResult));
    if (evm) expectSameResult(evm, functionResult, transaction);
    const traces = transaction.traces.flatMap(({ evmTraceData }) => evmTraceData ?? []);
    expect(traces.flatMap(({ contractActions }) => contractActions ?? [])).toEqual(
      sidecars.flatMap(({ actions }) => actions?.contractActions ?? []),
    );
    expect(
      traces.flatMap(({ logs }) => logs ?? []).map(({ topics, ...log }) => ({ ...log, topics: topics?.map(toWord) })),
    ).toEqual(
      (functionResult?.logInfo ?? []).map(({ contractID, data, topic }: Plain) => ({
        contractId: contractID,
        ...(data && { data }),
        topics: topic,
      })),
    );
  }
  const all = ['accountCreate', 'contractCall', 'contractCreate', 'createSchedule', 'ethereumCall'];
  expect([...seen].sort()).toEqual([...all, 'signSchedule', 'utilPrng']);
});

const forms = ['saving', 'whole', 'always'] as const;

test.each(forms)('storage, initcode and code are those of the sidecars, values %s', (form) => {
  const kinds = new Set<string>();
  for (const { unit, transaction, written } of everyTransaction(blocksOf[form])) {
    const rebuilt = rebuildStorage(unit, transaction);
    const changes = written.sidecars.flatMap(({ stateChanges }) => stateChanges?.contractStateChanges ?? []);
    const expected = changes.map(({ contractId, storageChanges }: Plain) => [
      contractId.contractNum,
      storageChanges.map(({ slot, valueRead, valueWritten }: Plain) => ({
        slot: toHex(slot),
        read: toHex(valueRead),
        written: valueWritten ? toHex(valueWritten.value) : null,
      })),
    ]);
    expect([...rebuilt]).toEqual(expected);
    for (const { evmTraceData } of transaction.traces) {
      for (const { writtenSlotKeys } of evmTraceData?.contractSlotUsages ?? []) {
        kinds.add(writtenSlotKeys ? 'explicit' : 'implicit');
      }
      const { executedInitcode } = evmTraceData ?? {};
      if (executedInitcode) kinds.add(executedInitcode.initcodeBookends ? 'bookends' : 'whole initcode');
    }
    for (const { bytecode } of written.sidecars) {
      if (!bytecode) continue;
      // That of what a client sent follows from the transaction.
      const initcode = transaction.changes === null ? bytecode.initcode : undefined;
      expect(rebuildInitcode(unit, transaction) ?? undefined).toEqual(initcode);
      if (!bytecode.runtimeBytecode) continue;
      expect(bytecodeOf(unit, bytecode.contractId.contractNum)).toEqual(bytecode.runtimeBytecode);
    }
  }
  expect([...kinds].sort()).toEqual(['explicit', 'implicit', 'whole initcode']);
});

test.each(forms)('messages, supply and serial numbers follow from the state after the unit, values %s', (form) => {
  let count = 0;
  for (const { unit, transaction, written } of everyTransaction(blocksOf[form])) {
    const at = toNs(transaction.result.consensusTimestamp);
    const { receipt } = written.record;
    const message = rebuildMessages(unit).get(at);
    expect(message?.runningHash).toEqual(receipt.topicRunningHash);
    expect(message?.sequenceNumber).toEqual(receipt.topicSequenceNumber);
    const supply = rebuildSupply(unit).get(at);
    if (!supply) continue;
    count += 1;
    expect(supply.newTotalSupply).toBe(BigInt(receipt.newTotalSupply ?? 0));
    expect(supply.serialNumbers).toEqual((receipt.serialNumbers ?? []).map(BigInt));
  }
  expect(count).toBeGreaterThan(10);
});

test('batches: results without their own bytes, an end at the first failure, children between', () => {
  const batches = blocks
    .flatMap(({ units }) => units)
    .map(({ transactions }) => ({ batch: transactions.find(({ body }) => body.atomicBatch), transactions }))
    .filter(({ batch }) => batch);
  const lengths = { whole: 0, cut: 0, children: 0 };
  for (const { batch, transactions } of batches) {
    const inner = transactions.filter(({ isInner }) => isInner);
    const asked = batch!.body.atomicBatch.transactions;
    expect(inner.map(({ signed }) => signed)).toEqual(asked.slice(0, inner.length));
    for (const { result } of inner) {
      expect(result.parentConsensusTimestamp).toEqual(batch!.result.consensusTimestamp);
    }
    const failed = inner.findIndex(({ result }) => ![success, revertedSuccess].includes(result.status));
    expect(failed).toBe(batch!.result.status === success ? -1 : inner.length - 1);
    if (inner.length < asked.length) lengths.cut += 1;
    else lengths.whole += 1;
    lengths.children += transactions.filter((one) => !one.isInner && one !== batch).length;
  }
  for (const length of Object.values(lengths)) expect(length).toBeGreaterThan(0);
});

test.each(forms)('all state changes together are the ledger, values %s', (form) => {
  const state = new Map<string, Plain>();
  for (const { units } of blocksOf[form]) {
    for (const { mapUpdate, mapDelete } of units.flatMap(({ changes }) => changes)) {
      if (mapDelete) state.delete(keyText(mapDelete.key));
      else if (mapUpdate) state.set(keyText(mapUpdate.key), Object.values(mapUpdate.value)[0]);
    }
  }
  const value = (key: Plain) => state.get(keyText(key));
  for (const { id, balance, ethereumNonce, alias, evmAddress, code, deleted } of truth.accounts.values()) {
    const account = value({ accountId: { accountNum: `${id}` } });
    expect(BigInt(account.tinybarBalance ?? 0)).toBe(balance);
    expect(BigInt(account.ethereumNonce ?? 0)).toBe(ethereumNonce);
    expect(Buffer.from(account.alias ?? []).equals(alias ?? evmAddress ?? Buffer.alloc(0))).toBe(true);
    expect(Boolean(account.deleted)).toBe(deleted);
    if (code?.length) expect(Buffer.compare(value({ contractId: { contractNum: `${id}` } }).code, code)).toBe(0);
  }
  for (const { id, totalSupply, nextSerial } of truth.tokens.values()) {
    const token = value({ tokenId: { tokenNum: `${id}` } });
    expect([BigInt(token.totalSupply ?? 0), BigInt(token.lastUsedSerialNumber ?? 0)]).toEqual([
      totalSupply,
      nextSerial - 1n,
    ]);
  }
  for (const { account, token, balance } of truth.relations.values()) {
    const key = { tokenRelationship: { accountId: { accountNum: `${account}` }, tokenId: { tokenNum: `${token}` } } };
    expect(BigInt(value(key).balance ?? 0)).toBe(balance);
  }
  for (const { token, serial, owner } of truth.nfts.values()) {
    const nft = value({ nftId: { token_ID: { tokenNum: `${token}` }, serialNumber: `${serial}` } });
    const treasury = truth.tokens.get(token)!.treasury;
    // Networks leave the treasury out; one that changed hands meanwhile took them along.
    if (nft.ownerId) expect(nft.ownerId.accountNum).toBe(`${owner}`);
    else expect(owner).toBe(treasury);
  }
  for (const { id, sequence, runningHash } of truth.topics.values()) {
    const topic = value({ topicId: { topicNum: `${id}` } });
    expect([BigInt(topic.sequenceNumber ?? 0), Buffer.from(topic.runningHash ?? [])]).toEqual([
      sequence,
      Buffer.from(runningHash),
    ]);
  }
  const slots = [...state].filter(([key]) => key.includes('slotKey'));
  expect(slots.length).toBe(truth.storage.size);
  for (const [key, slotValue] of truth.storage) {
    const [contract, slot] = key.split(':') as [string, string];
    const found = value({ slotKey: { contractID: { contractNum: contract }, key: Buffer.from(slot, 'hex') } });
    expect(toHex(found.value)).toBe(Buffer.from(slotValue).toString('hex'));
  }
  const hookSlots = [...truth.hooks.values()].reduce((sum, { slots }) => sum + Object.keys(slots).length, 0);
  expect([...state.keys()].filter((key) => key.includes('evmHookSlot')).length).toBe(hookSlots);
  const hooks = [...truth.hooks.values()].filter(({ deleted }) => !deleted);
  expect([...state.keys()].filter((key) => key.startsWith('{"hookId"')).length).toBe(hooks.length);
  expect([...state.keys()].filter((key) => key.includes('pendingAirdropId')).length).toBe(truth.airdrops.size);
});

test('a redacted block has the same items, footer and proof; a hash stands for what is gone', () => {
  const whole = readBlocksOf('signed').map((bytes) => decoder.decodeBlock(bytes));
  const raw = readBlocksOf('signed').map((bytes) => decoder.decode('RawBlock', bytes).items as Buffer[]);
  const trees = new Set<number>();
  for (const [index, bytes] of readBlocksOf('redacted').entries()) {
    const items = decoder.decodeBlock(bytes);
    expect(items.length).toBe(whole[index]!.length);
    for (const [place, item] of items.entries()) {
      const original = whole[index]![place];
      if (!item.redactedItem) {
        expect(item).toEqual(original);
        continue;
      }
      const { itemHash, signedTransactionHash, tree } = item.redactedItem;
      trees.add(tree);
      expect(itemHash).toEqual(createHash('sha384').update(Buffer.of(0)).update(raw[index]![place]!).digest());
      if (!signedTransactionHash) continue;
      expect(signedTransactionHash).toEqual(createHash('sha384').update(original.signedTransaction).digest());
    }
  }
  expect([...trees].sort()).toEqual([4, 5, 6, 7, 8]);
});

const success = responseCode.SUCCESS;
const revertedSuccess = responseCode.REVERTED_SUCCESS;

async function write(name: string, options: Partial<WriteNetworkOptions>, count = blockCount): Promise<LedgerTables> {
  const folder = join(root, name);
  // The nodes' keys are in the ledger, in the address book: one set for all.
  if (name !== 'records') cpSync(join(root, 'records', 'keys'), join(folder, 'keys'), { recursive: true });
  const seed = 'written blocks';
  const { tables } = await writeNetwork({
    folder,
    seed,
    signEvery: 8,
    ...options,
    blocks: Number(count),
    transactions: 10,
    start,
  });
  return tables;
}

/** Every value as a whole, whatever the blocks have of it. `parts`: how many of the changes are parts. */
function readAll(name: string, parts: 'none' | 'some' | 'most'): SecondBlock[] {
  const layOverParts = createLayOverParts(decoder);
  let count = 0;
  let changes = 0;
  const read = readBlocksOf(name).map((bytes) =>
    readSecondBlock(decoder, bytes, (items) => {
      const found = layOverParts(items);
      count += found;
      changes += items.flatMap((item) => item.stateChanges?.stateChanges ?? []).length;
      return found;
    }),
  );
  const [least, most] = { none: [0, 0], some: [0.05, 0.5], most: [0.5, 1] }[parts];
  expect(count / changes).toBeGreaterThanOrEqual(least!);
  expect(count / changes).toBeLessThanOrEqual(most!);
  return read;
}

const readBlocksOf = (name: string): Buffer[] => readBlocks(join(root, name, 'blocks'));

function readRecords(): Written[] {
  const folder = join(root, 'records', 'recordstreams', 'record0.0.3');
  const sidecars = new Map<bigint, Plain[]>();
  for (const file of readdirSync(join(folder, 'sidecar'))) {
    const bytes = gunzipSync(readFileSync(join(folder, 'sidecar', file)));
    for (const sidecar of decoder.decode('proto.SidecarFile', bytes).sidecarRecords) {
      const at = toNs(sidecar.consensusTimestamp);
      sidecars.set(at, [...(sidecars.get(at) ?? []), sidecar]);
    }
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.rcd.gz'));
  return files.sort().flatMap((name) =>
    readRecordFileV6(gunzipSync(readFileSync(join(folder, name)))).items.map((item) => {
      const record = decoder.decode('proto.TransactionRecord', item.record);
      const transaction = decoder.decode('proto.Transaction', item.transaction);
      return { transaction, record, sidecars: sidecars.get(toNs(record.consensusTimestamp)) ?? [] };
    }),
  );
}

function everyTransaction(of = blocks): Found[] {
  const found = of.flatMap(({ units }) =>
    units.flatMap((unit) => unit.transactions.map((transaction) => ({ unit, transaction }))),
  );
  return found.map((one, index) => ({ ...one, written: records[index]! }));
}

function evmResult(output: Plain): Plain[] {
  const { contractCall, contractCreate, ethereumCall } = output;
  const ethereum = ethereumCall?.evmCallTransactionResult ?? ethereumCall?.evmCreateTransactionResult;
  return [contractCall?.evmTransactionResult ?? contractCreate?.evmTransactionResult ?? ethereum].filter(Boolean);
}

function expectSameResult(evm: Plain, functionResult: Plain, { body }: SecondTransaction): void {
  const same = [
    [evm.senderId, functionResult.senderId],
    [evm.contractId, functionResult.contractID],
    [toText(evm.resultData), toText(functionResult.contractCallResult)],
    [evm.errorMessage ?? '', functionResult.errorMessage ?? ''],
    [evm.gasUsed ?? '0', functionResult.gasUsed ?? '0'],
    [evm.contractNonces ?? [], functionResult.contractNonces ?? []],
    [evm.signerNonce, functionResult.signerNonce],
  ];
  for (const [left, right] of same) expect(left).toEqual(right);
  // An Ethereum transaction says it all itself.
  if (body.ethereumTransaction) {
    expect(evm.internalCallContext).toBeUndefined();
    return;
  }
  const { gas = '0', value = '0', callData } = evm.internalCallContext ?? {};
  expect([gas, value, toText(callData)]).toEqual([
    functionResult.gas ?? '0',
    functionResult.amount ?? '0',
    toText(functionResult.functionParameters),
  ]);
}

function toText(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

function toWord(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
}

function keyText(key: Plain): string {
  return JSON.stringify(key);
}
