// What a text in the search box may name, by its form alone: a number is an id and a block.

import { decodeBase32 } from '../../../packages/kit/base32.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { parseEntityReference } from '../../api/reading/value/entity-reference.ts';
import { readPublicKey } from '../../api/reading/value/text-kinds.ts';
import type { SearchTerm } from '../../ledger/search/search.ts';

/** For readers: what can be looked up, with an example of each form. */
export const searchForms: readonly { what: string; form: string }[] = [
  { what: 'an account, contract, token, topic or schedule by its id', form: '0.0.1234 or 1234' },
  { what: 'an account or contract by its EVM address', form: '0x and 40 hexadecimal digits' },
  { what: 'an account by its alias', form: 'base32, such as CIQAAAH4…' },
  { what: 'a transaction by its hash', form: '0x and 64 or 96 hexadecimal digits' },
  { what: 'a transaction by its id', form: '0.0.1234@1700000000.000000001' },
  { what: 'a transaction by its consensus timestamp', form: '1700000000.000000001' },
  { what: 'a block by its number', form: '1234' },
  { what: 'a block by its hash', form: '0x and 96 hexadecimal digits' },
  { what: 'accounts by their public key', form: '64 or 66 hexadecimal digits, or in DER' },
  { what: 'an NFT by its token and serial number', form: '0.0.1234/5 or 0.0.1234#5' },
  { what: 'a message by its topic and number', form: '0.0.1234/5' },
  { what: 'a token by its symbol', form: 'in any case' },
  { what: 'a token by its name, or a part of it', form: '3 to 100 characters' },
  { what: 'what those who run this mirror call something', form: 'a part of the name' },
];

const idPattern = /^\d{1,10}(\.\d{1,10}){0,2}$/;
const addressPattern = /^(\d{1,10}\.\d{1,10}\.)?(0x)?[0-9a-f]{40}$/i;
const hashPattern = /^(?:0x)?([0-9a-f]{64}|[0-9a-f]{96})$/i;
const transactionPattern = /^(\d{1,10}\.\d{1,10}\.\d{1,10})[@-](\d{1,10})[.-](\d{1,9})$/;
const numberedPattern = /^(\d{1,10}(?:\.\d{1,10}){0,2})[/#](\d{1,19})$/;
const timestampPattern = /^(\d{9,10})\.(\d{1,9})$/;
const aliasPattern = /^(\d{1,10}\.\d{1,10}\.)?([A-Z2-7]{16,200})$/i;

const blockPattern = /^\d{1,19}$/;
const maxInt64 = 2n ** 63n - 1n;
/** Bytes of UTF-8, as `tokens?name=` takes them. */
const nameBytes = { min: 3, max: 100 };

/** Everything that the text may name; empty = no known form. */
export function readSearchTerms(text: string, system: SystemRealm): SearchTerm[] {
  const exact = readExactTerm(text, system);
  const terms = exact ? [exact] : [];
  const key = readPublicKey(text);
  if (key !== undefined) terms.push({ kind: 'publicKey', key });
  const isNumber = blockPattern.test(text);
  if (isNumber && BigInt(text) <= maxInt64) terms.push({ kind: 'blockNumber', number: BigInt(text) });
  const sizeBytes = Buffer.byteLength(text);
  const canBeName = sizeBytes <= nameBytes.max && !text.includes('\0');
  // Texts of other forms than a number or a word are not names of tokens.
  if (!canBeName || key !== undefined || (exact !== null && exact.kind !== 'alias' && !isNumber)) return terms;
  terms.push({ kind: 'tokenSymbol', symbol: text });
  if (sizeBytes >= nameBytes.min) terms.push({ kind: 'tokenName', part: text });
  return terms;
}

/** null = no known form, or an impossible id. */
function readExactTerm(text: string, system: SystemRealm): SearchTerm | null {
  const timestamp = timestampPattern.exec(text);
  if (timestamp) return { kind: 'timestamp', timestamp: toNanoseconds(timestamp[1]!, timestamp[2]!.padEnd(9, '0')) };
  if (idPattern.test(text) || addressPattern.test(text)) return readEntity(text, system);
  const numbered = numberedPattern.exec(text);
  if (numbered) {
    const reference = parseEntityReference(numbered[1]!, system);
    const number = BigInt(numbered[2]!);
    return reference.kind === 'id' && number <= maxInt64 ? { kind: 'numbered', id: reference.id, number } : null;
  }
  const hash = hashPattern.exec(text);
  if (hash) return { kind: 'hash', hash: Buffer.from(hash[1]!, 'hex') };
  const transaction = transactionPattern.exec(text);
  if (transaction) {
    const [, payer, seconds, nanos] = transaction;
    const reference = parseEntityReference(payer!, system);
    // After a dash the nanoseconds are a number, after a point a fraction of nine digits.
    const validStart = toNanoseconds(seconds!, text.includes('@') ? nanos!.padEnd(9, '0') : nanos!);
    return reference.kind === 'id' ? { kind: 'transactionId', payerAccountId: reference.id, validStart } : null;
  }
  const alias = decodeBase32(aliasPattern.exec(text)?.[2]?.toUpperCase() ?? '');
  return alias && alias.length > 0 ? { kind: 'alias', alias } : null;
}

function readEntity(text: string, system: SystemRealm): SearchTerm | null {
  const reference = parseEntityReference(text, system);
  if (reference.kind === 'outOfRange' || (reference.kind === 'evmAddress' && reference.foreign)) return null;
  return reference.kind === 'id' ? reference : { kind: 'evmAddress', address: reference.address };
}

function toNanoseconds(seconds: string, nanos: string): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}
