// The envelope of Etherscan's API, which Routescan and Blockscout share: status, message, result. Tells "not verified",
// "rate limited" and refusals apart. A refusal may repeat the key in any form: with a key only known sentences are
// passed on.
import { VerificationError } from '../terms/verification-error.ts';
import { etherscanRecord } from './etherscan-record.ts';
import { type ExplorerAnswer, requestFailed } from './explorer-record.ts';

export type AnswerContext = { name: string; key: string | undefined; retryAfterSeconds?: number };

export function readEtherscanAnswer(content: unknown, context: AnswerContext): ExplorerAnswer {
  const { name } = context;
  const { status, message, result } = (content ?? {}) as { status?: unknown; message?: unknown; result?: unknown };
  if (typeof result === 'string' || (String(status) === '0' && !Array.isArray(result))) {
    return readRefusal(typeof result === 'string' ? result : String(message ?? ''), context);
  }
  const [record] = Array.isArray(result) ? result : [];
  if (record === null || typeof record !== 'object') {
    throw requestFailed(`The answer of ${name} has no result that could be read.`);
  }
  const { SourceCode: source } = record as { SourceCode?: unknown };
  if (source === undefined || source === null || source === '') return null;
  if (typeof source !== 'string') {
    throw requestFailed(`SourceCode in the answer of ${name} is not a text.`);
  }
  return etherscanRecord(record as Record<string, unknown>, source, name);
}

function readRefusal(text: string, { name, key, retryAfterSeconds }: AnswerContext): null {
  if (/not verified/i.test(text)) return null;
  if (/rate limit/i.test(text)) throw rateLimited(name, retryAfterSeconds ?? (/daily/i.test(text) ? 3600 : 1));
  throw requestFailed(
    `Error in ${name} API response. Result message: ${key === undefined ? quote(text) : findKnown(text)}`,
  );
}

export function rateLimited(name: string, retryAfterSeconds: number): VerificationError {
  return new VerificationError('etherscan_limit', `${name} API rate limit reached, try later.`, { retryAfterSeconds });
}

/** Sentences of explorers that refuse. */
const knownRefusals = [
  'Too many invalid api key attempts',
  'Invalid API Key',
  'Missing/Invalid API Key',
  'Missing or unsupported chainid',
  'Invalid Address format',
  'Free API access is not supported for this chain',
  'Query Timeout occured',
  'No data found',
];

function findKnown(text: string): string {
  const known = knownRefusals.find((sentence) => text.toLowerCase().includes(sentence.toLowerCase()));
  return known ?? '(not repeated here, because it could hold the key)';
}

/** Without control characters, and short. */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 200) || '(none)';
}
