// What a transaction did when it was run again, beside what the ledger says about it.
import { readWord } from '../../../packages/machine/base/word.ts';
import { decodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import type { TracedRun } from '../thread/job.ts';

const comparedParts = ['status', 'output', 'logs', 'slots', 'gas'] as const;
export type ComparedPart = (typeof comparedParts)[number];

/** It succeeded, and then its batch failed: the ledger keeps neither its logs nor what it wrote. */
export const undoneStatus = 'REVERTED_SUCCESS';

/** Whether the network ran it: what runs takes gas. */
export function wasRun({ gasUsed }: Pick<ContractResultDetail, 'gasUsed'>): boolean {
  return gasUsed !== null && gasUsed > 0n;
}

export function wasUndone({ transactionResult }: Pick<ContractResultDetail, 'transactionResult'>): boolean {
  return responseCodeName(transactionResult) === undoneStatus;
}

/** What differs; parts that the ledger does not have are not compared. */
export function compareRun(run: TracedRun, stored: ContractResultDetail): ComparedPart[] {
  const status = responseCodeName(stored.transactionResult);
  const isUndone = wasUndone(stored);
  const differs: Record<ComparedPart, boolean> = {
    status: run.status !== (isUndone ? 'SUCCESS' : status),
    output: !isSameOutput(run, stored),
    logs: !isUndone && !isSame(run.logs.map(logText), storedLogs(stored)),
    slots: !isSame(runSlots(run), storedSlots(stored)) && stored.stateChanges.length > 0,
    gas: !isSameGas(BigInt(run.gasConsumed), stored),
  };
  return comparedParts.filter((part) => differs[part]);
}

/** The part of the gas limit that a network gives back at most, if it is not used. */
const maxPartBack = 5n;

/** Some blocks have only what was charged for what was used. */
function isSameGas(used: bigint, { gasConsumed, gasUsed, gasLimit }: ContractResultDetail): boolean {
  if (gasConsumed === null || gasConsumed === used) return true;
  const least = gasLimit - gasLimit / maxPartBack;
  return gasConsumed === gasUsed && gasConsumed === (used > least ? used : least);
}

/** A creation's code is not in its result on all networks. */
function isSameOutput({ output, created, status }: TracedRun, { callResult }: ContractResultDetail): boolean {
  if (callResult === null || (created !== null && callResult.length === 0)) return true;
  if (status !== 'SUCCESS' && callResult.length === 0) return true;
  return Buffer.from(output).equals(callResult);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

const wordDigits = 64;
const toHex = (word: bigint): string => word.toString(16).padStart(wordDigits, '0');
const toWord = (bytes: Uint8Array): bigint => readWord(bytes, 0, bytes.length);

function logText({ topics, data }: TracedRun['logs'][number]): string {
  return `${topics.map(toHex).join()} ${Buffer.from(data).toString('hex')}`;
}

function storedLogs({ logs }: ContractResultDetail): string[] {
  return logs.map(({ topic0, topic1, topic2, topic3, data }) => {
    const topics = [topic0, topic1, topic2, topic3].filter((topic) => topic !== null);
    return `${topics.map((topic) => toHex(toWord(topic))).join()} ${data.toString('hex')}`;
  });
}

/** Those that were written. */
function runSlots({ slots, status }: TracedRun): string[] {
  if (status !== 'SUCCESS') return [];
  return slots
    .filter(({ valueRead, valueWritten }) => valueRead !== valueWritten)
    .map(({ num, slot, valueWritten }) => `${num} ${toHex(slot)} ${toHex(valueWritten)}`)
    .sort();
}

function storedSlots({ stateChanges }: ContractResultDetail): string[] {
  return stateChanges
    .flatMap(({ contractId, slot, valueRead, valueWritten }) =>
      valueWritten === null || toWord(valueWritten) === toWord(valueRead)
        ? []
        : `${decodeEntityId(contractId).num} ${toHex(toWord(slot))} ${toHex(toWord(valueWritten))}`,
    )
    .sort();
}
