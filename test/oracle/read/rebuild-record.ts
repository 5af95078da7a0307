// Rebuilds records and sidecars of contract transactions, messages and tokens from a unit of a block stream, by the
// rules of the format.
import type { Plain } from './second-decoder.ts';
import { type SecondTransaction, type SecondUnit, toNs } from './second-reader.ts';

/** Without leading zeros, in hex. */
export type RebuiltSlot = { slot: string; read: string; written: string | null };

/** Storage that a transaction read and wrote, by number of the contract. */
export function rebuildStorage(unit: SecondUnit, transaction: SecondTransaction): Map<string, RebuiltSlot[]> {
  const rebuilt = new Map<string, RebuiltSlot[]>();
  for (const usage of usagesOf(transaction)) {
    const contract = contractOf(usage);
    const written = writtenKeys(unit, usage);
    const reads: Plain[] = usage.slotReads ?? [];
    const slots = reads.map((read) => {
      const slot = read.key === undefined ? written[read.index]! : toHex(read.key);
      const value = written.includes(slot) ? writtenValue(unit, transaction, usage, slot) : null;
      return { slot, read: toHex(read.readValue), written: value };
    });
    rebuilt.set(contract, [...(rebuilt.get(contract) ?? []), ...slots]);
  }
  return rebuilt;
}

/** The initcode of a trace, with the code of the state between its ends. */
export function rebuildInitcode(unit: SecondUnit, transaction: SecondTransaction): Buffer | null {
  for (const { evmTraceData } of transaction.traces) {
    const { executedInitcode } = evmTraceData ?? {};
    if (!executedInitcode) continue;
    const { contractId, explicitInitcode, initcodeBookends } = executedInitcode;
    if (explicitInitcode) return explicitInitcode;
    const { deployBytecode, metadataBytecode } = initcodeBookends;
    const parts = [deployBytecode, bytecodeOf(unit, contractId.contractNum)!, metadataBytecode];
    return Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0)));
  }
  return null;
}

export function bytecodeOf({ changes }: SecondUnit, contract: string): Buffer | null {
  const change = changes.find(({ mapUpdate }) => mapUpdate?.key.contractId?.contractNum === contract);
  return change?.mapUpdate.value.bytecode.code ?? null;
}

/** Running hash and number of each message of the unit, by its consensus time. */
export function rebuildMessages(unit: SecondUnit): Map<bigint, { sequenceNumber: string; runningHash: Buffer }> {
  const messages = new Map<bigint, { sequenceNumber: string; runningHash: Buffer }>();
  for (const { body, result, traces } of unit.transactions) {
    const topic = body.consensusSubmitMessage?.topicID.topicNum;
    if (!topic || result.status !== success) continue;
    const traced = traces.find(({ submitMessageTraceData }) => submitMessageTraceData)?.submitMessageTraceData;
    const changed = unit.changes.find(({ mapUpdate }) => mapUpdate?.key.topicId?.topicNum === topic);
    messages.set(toNs(result.consensusTimestamp), traced ?? changed.mapUpdate.value.topic);
  }
  return messages;
}

/** Supply and newest serial after each mint, burn and wipe: from the end of the unit back to its beginning. */
export function rebuildSupply(unit: SecondUnit): Map<bigint, { newTotalSupply: bigint; serialNumbers: bigint[] }> {
  const supplies = new Map<bigint, { newTotalSupply: bigint; serialNumbers: bigint[] }>();
  const after = new Map<string, { supply: bigint; serial: bigint }>();
  for (const { mapUpdate } of unit.changes) {
    const token = mapUpdate?.value.token;
    if (!token) continue;
    const supply = BigInt(token.totalSupply ?? 0);
    after.set(token.tokenId.tokenNum, { supply, serial: BigInt(token.lastUsedSerialNumber ?? 0) });
  }
  for (const { body, result } of unit.transactions.toReversed()) {
    const { tokenMint, tokenBurn, tokenWipe } = body;
    const data = tokenMint ?? tokenBurn ?? tokenWipe;
    const token = data && after.get(data.token.tokenNum);
    if (!token || result.status !== success) continue;
    const minted = BigInt(tokenMint?.metadata?.length ?? 0);
    const units = BigInt(data.amount ?? 0) || minted || BigInt(data.serialNumbers?.length ?? 0);
    const serialNumbers = Array.from(
      { length: Number(minted) },
      (_, index) => token.serial - minted + 1n + BigInt(index),
    );
    supplies.set(toNs(result.consensusTimestamp), { newTotalSupply: token.supply, serialNumbers });
    const supply = tokenMint ? token.supply - units : token.supply + units;
    after.set(data.token.tokenNum, { supply, serial: token.serial - minted });
  }
  return supplies;
}

export function toHex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? [])
    .toString('hex')
    .replace(/^(00)+/, '');
}

const success = 22;

function usagesOf({ traces }: SecondTransaction): Plain[] {
  return traces.flatMap(({ evmTraceData }) => evmTraceData?.contractSlotUsages ?? []);
}

function contractOf(usage: Plain): string {
  return usage.contractId.contractNum;
}

/** As listed, else the changes of the unit with a different value, in their order. */
function writtenKeys({ changes }: SecondUnit, usage: Plain): string[] {
  if (usage.writtenSlotKeys) return (usage.writtenSlotKeys.keys ?? []).map(toHex);
  return changes.flatMap(({ mapUpdate, mapDelete }) => {
    const key = (mapUpdate ?? mapDelete)?.key.slotKey;
    return key?.contractID.contractNum === contractOf(usage) && !mapUpdate?.identical ? [toHex(key.key)] : [];
  });
}

/** The value that the next trace of the unit read, else the value after the unit. */
function writtenValue(unit: SecondUnit, transaction: SecondTransaction, usage: Plain, slot: string): string {
  const hook = hookOf(transaction);
  const later = unit.transactions.slice(unit.transactions.indexOf(transaction) + 1);
  for (const next of usage.writtenSlotKeys ? later : []) {
    if (hookOf(next) !== hook) continue;
    for (const other of usagesOf(next).filter((one) => contractOf(one) === contractOf(usage))) {
      const keys = writtenKeys(unit, other);
      const read = (other.slotReads ?? []).find(
        ({ index, key }: Plain) => (key === undefined ? keys[index] : toHex(key)) === slot,
      );
      if (read) return toHex(read.readValue);
    }
  }
  const change = unit.changes.find(({ mapUpdate, mapDelete }) => {
    const { slotKey, evmHookSlot } = (mapUpdate ?? mapDelete)?.key ?? {};
    if (hook) return evmHookSlot && JSON.stringify(evmHookSlot.hookId) === hook && toHex(evmHookSlot.key) === slot;
    return slotKey?.contractID.contractNum === contractOf(usage) && toHex(slotKey.key) === slot;
  });
  if (!change) throw new Error(`Nothing says what was written to ${slot} of ${contractOf(usage)}`);
  return toHex(change.mapUpdate?.value.slotValue.value);
}

/** The hook that ran, as text. */
function hookOf({ outputs }: SecondTransaction): string | null {
  const id = outputs[0]?.contractCall?.evmTransactionResult.executedHookId;
  return id ? JSON.stringify(id) : null;
}
