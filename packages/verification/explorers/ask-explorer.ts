// One request to one explorer: over HTTP in its dialect, or to a folder with one file per address.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Explorer } from '../registry/chain-registry.ts';
import { isTransactionHash } from '../terms/hex.ts';
import { parseModestJson } from '../terms/modest-json.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { rateLimited, readEtherscanAnswer } from './etherscan-answer.ts';
import { dialectUrl, explorerDialects } from './explorer-dialects.ts';
import { type ExplorerAnswer, type Lookup, requestFailed } from './explorer-record.ts';
import { fetchText } from './fetch-text.ts';
import { repeatsKey } from './repeats-key.ts';

/** Throws a VerificationError if the explorer gives neither a record nor "not verified". */
export async function askExplorer(explorer: Explorer, lookup: Lookup): Promise<ExplorerAnswer> {
  const { kind, name } = explorer;
  if (kind === 'folder') return readFolder(explorer, lookup);
  const dialect = explorerDialects[kind];
  const url = dialectUrl(explorer, lookup, dialect.query(lookup));
  const { status, text, retryAfterSeconds } = await fetchText(url, explorer);
  if (status === dialect.notVerifiedStatus) return null;
  if (status === 429) throw rateLimited(name, retryAfterSeconds ?? 10);
  if (status < 200 || status > 299) {
    throw requestFailed(`${name} API returned HTTP ${status} error.`);
  }
  const { key } = lookup;
  const read = () => dialect.read(parseAnswer(text, name), { name, key, retryAfterSeconds });
  return key !== undefined && repeatsKey(text, key) ? readRefusalOnly(read, name) : read();
}

/**
 * An answer that repeats the key can still mean "not verified"; a record or an error message with the key is not passed
 * on.
 */
function readRefusalOnly(read: () => ExplorerAnswer, name: string): null {
  const unusable = requestFailed(`The answer of ${name} repeats the API key of the request, and is not used.`);
  let answer: ExplorerAnswer;
  try {
    answer = read();
  } catch (error) {
    const isRefusal = error instanceof VerificationError && error.code !== 'malformed_etherscan_response';
    throw isRefusal ? error : unusable;
  }
  if (answer !== null) throw unusable;
  return null;
}

/** The transaction that created a contract; undefined if the explorer does not know it or fails. */
export async function askForCreation(explorer: Explorer, lookup: Lookup): Promise<string | undefined> {
  const query = explorer.kind === 'folder' ? null : explorerDialects[explorer.kind].creationQuery;
  if (query === null) return undefined;
  try {
    const { text } = await fetchText(dialectUrl(explorer, lookup, query(lookup)), explorer);
    const { result } = parseAnswer(text, explorer.name) as { result?: { txHash?: unknown }[] };
    const hash = result?.[0]?.txHash;
    return isTransactionHash(hash) ? hash : undefined;
  } catch {
    return undefined; // Without it only the runtime code is compared.
  }
}

/** `<location>/<address>.json` in Etherscan's form. */
async function readFolder({ location, name }: Explorer, { address }: Lookup): Promise<ExplorerAnswer> {
  let text: string;
  try {
    text = await readFile(join(location, `${address}.json`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw requestFailed(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  return readEtherscanAnswer(parseAnswer(text, name), { name, key: undefined });
}

function parseAnswer(text: string, name: string): unknown {
  try {
    return parseModestJson(text);
  } catch {
    // The parser's message would repeat untrusted text.
    throw requestFailed(`The answer of ${name} is not JSON that can be read.`);
  }
}
