// What a log says of a token: from whom to whom how many units went. The standards are distinguished by the shape of the
// log, as ERC-20 and ERC-721 have one name for their event.
import { signatureHash } from '../../../packages/abi/selector.ts';
import type { TokenLog } from '../../../packages/store/read/select-token-logs.ts';

export type TokenStandard = 'ERC-20' | 'ERC-721' | 'ERC-1155';

export type Movement = {
  /** 20 bytes; null = the units are new, or gone. */
  from: Buffer | null;
  to: Buffer | null;
  /** null = they are all alike. */
  serialNumber: bigint | null;
  amount: bigint;
};

export type ReadTransfer = {
  standard: TokenStandard;
  movements: readonly Movement[];
  /** Whether there are more than are read. */
  isCut: boolean;
};

const transfer = signatureHash('Transfer(address,address,uint256)');
const approval = signatureHash('Approval(address,address,uint256)');
const transferSingle = signatureHash('TransferSingle(address,address,address,uint256,uint256)');
const transferBatch = signatureHash('TransferBatch(address,address,address,uint256[],uint256[])');

/** ERC-1967: what a proxy forwards calls to is another contract from now on. */
export const upgradedTopic = signatureHash('Upgraded(address)');

export const transferTopics: readonly Buffer[] = [transfer, transferSingle, transferBatch];

/** null = it is no transfer of these standards. */
export function readTransfer(log: TokenLog): ReadTransfer | null {
  const { topic0, topic2, topic3, data } = log;
  if (topic0.equals(transfer)) {
    const movement = readMovement(log);
    const standard = topic3 === null ? 'ERC-20' : 'ERC-721';
    return movement && { standard, movements: [movement], isCut: false };
  }
  const parties = toParties(topic2, topic3);
  if (parties === null) return null;
  if (data === null) return { standard: 'ERC-1155', movements: [], isCut: true };
  const units = topic0.equals(transferSingle)
    ? readSingle(data)
    : topic0.equals(transferBatch)
      ? readBatch(data)
      : null;
  return units && { standard: 'ERC-1155', movements: units.map((unit) => ({ ...parties, ...unit })), isCut: false };
}

/** Whose units who may spend, and how many; none of them move. null = it is no approval of ERC-20 or ERC-721. */
export function readApproval(log: TokenLog): Movement | null {
  return log.topic0.equals(approval) ? readMovement(log) : null;
}

/** Of events of ERC-20 and ERC-721, which have one shape each. */
function readMovement({ topic1, topic2, topic3, data }: TokenLog): Movement | null {
  const parties = toParties(topic1, topic2);
  if (parties === null || data === null) return null;
  if (topic3 !== null) return data.length === 0 ? { ...parties, serialNumber: toNumber(topic3), amount: 1n } : null;
  return data.length === wordBytes ? { ...parties, serialNumber: null, amount: wordAt(data, 0) } : null;
}

type Unit = Pick<Movement, 'serialNumber' | 'amount'>;

const wordBytes = 32;
const addressBytes = 20;

function readSingle(data: Buffer): Unit[] | null {
  if (data.length !== 2 * wordBytes) return null;
  return [{ serialNumber: wordAt(data, 0), amount: wordAt(data, wordBytes) }];
}

/** Two lists of equal length; null = it has another form. */
function readBatch(data: Buffer): Unit[] | null {
  const serials = readWords(data, 0);
  const amounts = readWords(data, wordBytes);
  if (serials === null || amounts === null || serials.length !== amounts.length) return null;
  return serials.map((serialNumber, place) => ({ serialNumber, amount: amounts[place]! }));
}

/** The list whose offset is in the word at `head`. */
function readWords(data: Buffer, head: number): bigint[] | null {
  if (data.length < head + wordBytes) return null;
  const start = wordAt(data, head);
  if (start > BigInt(data.length - wordBytes)) return null;
  const first = Number(start) + wordBytes;
  const count = wordAt(data, Number(start));
  if (count > BigInt(Math.floor((data.length - first) / wordBytes))) return null;
  return Array.from({ length: Number(count) }, (_, place) => wordAt(data, first + place * wordBytes));
}

/** null = they are no addresses. */
function toParties(from: Buffer | null, to: Buffer | null): Pick<Movement, 'from' | 'to'> | null {
  if (from === null || to === null || from.length > addressBytes || to.length > addressBytes) return null;
  return { from: toAddress(from), to: toAddress(to) };
}

/** The zero address stands for units that are made or unmade. */
function toAddress(topic: Buffer): Buffer | null {
  if (topic.every((byte) => byte === 0)) return null;
  return Buffer.concat([Buffer.alloc(addressBytes - topic.length), topic]);
}

function wordAt(data: Buffer, at: number): bigint {
  return toNumber(data.subarray(at, at + wordBytes));
}

function toNumber(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}
