// A log as JSON-RPC shows it.
import type { Ledger } from '../../../ledger/ledger.ts';
import { hash32, hash32OfText, hex, quantity, word } from '../terms/hex.ts';
import { addressOf } from './address.ts';

export type FoundLog = Awaited<ReturnType<Ledger['contractLogs']['listPlain']>>['items'][number];

export type RpcLog = ReturnType<typeof toLog>;

/** Rows of a single result have neither block nor transaction: those are `of`. */
export function toLog(log: LogRow, of: LogPlace) {
  return {
    address: addressOf(log.evmAddress, log.contractId),
    blockHash: hash32OfText(of.blockHash),
    blockNumber: of.blockNumber === null ? null : quantity(of.blockNumber),
    blockTimestamp: secondOf(of),
    data: dataOf(log),
    logIndex: quantity(log.index),
    removed: false,
    topics: topicsOf(log),
    transactionHash: hash32(of.transactionHash ?? noBytes),
    transactionIndex: of.transactionIndex === null ? null : quantity(of.transactionIndex),
  };
}

/** That of its block; where no block is known its own. */
function secondOf({ blockStart, consensusTimestamp }: Pick<LogPlace, 'blockStart' | 'consensusTimestamp'>): string {
  return quantity((blockStart ?? consensusTimestamp) / 1_000_000_000n);
}

export function toListedLog(log: ListedLog): RpcLog {
  return toLog(log, log);
}

/**
 * The members of such a list, without its brackets. Nothing in it needs an escape, and what a block's logs share is
 * made once. The text is flat: one made of pieces is put together by its first reader, at once with all others of
 * a long answer.
 */
export function writeLogs(logs: readonly ListedLog[]): string {
  const texts: string[] = [];
  let ofBlock = '';
  let block: { hash: string | null; second: string } | null = null;
  for (const log of logs) {
    const second = secondOf(log);
    if (block === null || block.hash !== log.blockHash || block.second !== second) {
      block = { hash: log.blockHash, second };
      const number = log.blockNumber === null ? 'null' : `"${quantity(log.blockNumber)}"`;
      ofBlock = `","blockHash":"${hash32OfText(log.blockHash)}","blockNumber":${number},"blockTimestamp":"${second}","data":"`;
    }
    const topics = topicsOf(log);
    const shownTopics = topics.length === 0 ? '[]' : `["${topics.join('","')}"]`;
    const index = log.transactionIndex === null ? 'null' : `"${quantity(log.transactionIndex)}"`;
    texts.push(
      `{"address":"${addressOf(log.evmAddress, log.contractId)}${ofBlock}${dataOf(log)}","logIndex":"${quantity(log.index)}","removed":false,"topics":${shownTopics},"transactionHash":"${hash32(log.transactionHash ?? noBytes)}","transactionIndex":${index}}`,
    );
  }
  return texts.join(',');
}

const noBytes = Buffer.alloc(0);

/** Leading zeros are not stored for logs that no contract emitted. */
function dataOf({ data }: LogRow): string {
  return data.length === 0 || data.length >= 32 ? hex(data) : word(data);
}

type LogRow = Pick<
  FoundLog,
  'contractId' | 'data' | 'evmAddress' | 'index' | 'topic0' | 'topic1' | 'topic2' | 'topic3'
>;
export type LogPlace = Pick<
  FoundLog,
  'blockHash' | 'blockNumber' | 'blockStart' | 'consensusTimestamp' | 'transactionHash' | 'transactionIndex'
>;

type ListedLog = LogRow & LogPlace;

function topicsOf({ topic0, topic1, topic2, topic3 }: LogRow): string[] {
  return [topic0, topic1, topic2, topic3].filter((topic) => topic !== null).map(word);
}
