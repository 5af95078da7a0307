// What the bytes of proved items say, as far as a few fields do: kind, id, hash, payer, memo, status, time.
import { sha384 } from './@noble/hashes/sha2.js';
import { keccak_256 } from './@noble/hashes/sha3.js';
import { responseCodes, transactionTypes } from './names.js';
import { fields } from './verify-proof/bytes.js';

const itemKinds = {
  1: 'Header of the block',
  2: 'Header of an event',
  3: 'Header of a round',
  4: 'Transaction',
  5: 'Result of a transaction',
  6: 'Output of a transaction',
  7: 'Changes of the state',
  11: 'Trace of a transaction',
};

/** A whole BlockItem message. @returns {{ title: string, facts: [string, string][] }} */
export function describeBlockItem(bytes) {
  return described(() => {
    const [[kind, content]] = fields(bytes, 'the item');
    const title = itemKinds[kind] ?? `Item of kind ${kind}`;
    if (kind === 1) return { title, facts: [['Block', text(open(content).get(3) ?? 0n)]] };
    if (kind === 4) return describeBody(open(content).get(1), title, hashedPart(content));
    if (kind === 5) return { title, facts: describeResult(open(content)) };
    return { title, facts: [] };
  });
}

/** An item of a record file: a Transaction and its TransactionRecord. */
export function describeRecordItem({ transaction, record }) {
  return described(() => {
    const outer = open(transaction);
    const signed = outer.get(5);
    const body = signed ? open(signed).get(1) : outer.get(4);
    const { title, facts } = describeBody(body, 'Transaction', signed ?? transaction);
    const result = open(record);
    const receipt = open(result.get(1));
    const sequence = receipt.get(7);
    const parts = new Map([
      [1, receipt.get(1)],
      [2, result.get(3)],
      [6, result.get(6)],
    ]);
    const number = sequence === undefined ? [] : [['Number in its topic', text(sequence)]];
    return { title: `${title} with its record`, facts: [...facts, ...describeResult(parts), ...number] };
  });
}

/** A serialized Timestamp. */
export function describeTime(bytes) {
  const time = open(bytes);
  const [seconds, nanos] = [BigInt.asIntN(64, time.get(1) ?? 0n), time.get(2) ?? 0n];
  const date = new Date(Number(seconds) * 1000);
  const utc = Number.isNaN(date.getTime()) ? '' : ` (${date.toISOString().slice(0, 19).replace('T', ' ')} UTC)`;
  return `${seconds}.${String(nanos).padStart(9, '0')}${utc}`;
}

/** The bytes are proved, whether or not this page can read them. */
function described(describe) {
  try {
    return describe();
  } catch (error) {
    return { title: 'An item that this page cannot decode', facts: [['Why', error.message]] };
  }
}

const open = (message) => new Map(fields(message ?? new Uint8Array(), 'the item'));
const text = (value) => String(value);

/** One that was sent in the older form is hashed in that: signatures (field 3) and body (field 4) of a Transaction. */
function hashedPart(signed) {
  const parts = open(signed);
  if (!parts.get(3)) return signed;
  const field = (place, bytes) => (bytes ? [place * 8 + 2, ...varint(bytes.length), ...bytes] : []);
  return Uint8Array.from([...field(3, parts.get(2)), ...field(4, parts.get(1))]);
}
const varint = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);

/** `hashed`: what the hash of the transaction is made of. */
function describeBody(bytes, title, hashed) {
  const body = open(bytes);
  const type = [...body.keys()].find((key) => Object.hasOwn(transactionTypes, key));
  const facts = [['Type', type === undefined ? 'unknown to this page' : transactionTypes[type]]];
  const id = body.get(1);
  if (id) facts.push(['Transaction id', transactionId(open(id))], ['Payer', entityId(open(id).get(2), 4)]);
  facts.push(['Hash', `0x${toHex(sha384(hashed))}`]);
  const memo = body.get(6);
  if (memo?.length > 0) facts.push(['Memo', utf8(memo)]);
  if (type === submitMessage) {
    const message = open(body.get(submitMessage));
    facts.push(['Topic', entityId(message.get(1))], ['Message', utf8(message.get(2) ?? new Uint8Array())]);
  }
  if (type === ethereumTransaction) {
    const ethereum = open(body.get(ethereumTransaction));
    const hash = `0x${toHex(keccak_256(ethereum.get(1) ?? new Uint8Array()))}`;
    const file = ethereum.get(2);
    facts.push(
      file ? ['Call data', `in file ${entityId(file)}, which the hash is made of too`] : ['Ethereum hash', hash],
    );
  }
  for (const [place, inner] of type === batch ? fields(body.get(batch), 'the batch') : []) {
    if (place === 1) facts.push(...describeBody(open(inner).get(1), '', hashedPart(inner)).facts);
  }
  return { title, facts };
}
const [submitMessage, ethereumTransaction, batch] = [27, 50, 74];

function describeResult(result) {
  const status = Number(result.get(1) ?? 0n);
  const time = result.get(2);
  return [
    ['Status', responseCodes[status] ?? `unknown to this page (${status})`],
    ...(time ? [['Consensus time', describeTime(time)]] : []),
    ['Fee', `${result.get(6) ?? 0n} tinybars`],
  ];
}

function transactionId(id) {
  const start = open(id.get(1));
  const flags = [id.get(3) ? ' (scheduled)' : '', id.get(4) ? ` (nonce ${id.get(4)})` : ''];
  return `${entityId(id.get(2), 4)}-${start.get(1) ?? 0n}-${String(start.get(2) ?? 0n).padStart(9, '0')}${flags.join('')}`;
}

/** `alias`: the field of another name that an account may have. */
function entityId(bytes, alias) {
  const id = open(bytes);
  const other = alias === undefined ? undefined : id.get(alias);
  const last = other?.length > 0 ? `0x${toHex(other)}` : (id.get(3) ?? 0n);
  return `${id.get(1) ?? 0n}.${id.get(2) ?? 0n}.${last}`;
}

function utf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Messages and memos of other programs need not be text.
    return `0x${toHex(bytes)}`;
  }
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
