// Submits the sources of one contract to a mirror, and follows the check to its end.
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { pause } from '../../../packages/kit/pause.ts';
import { type BuildContract, fullNameOf } from './build-contract.ts';
import type { MirrorAnswer, MirrorClient } from './mirror-client.ts';

export type Submission = {
  chainId: string;
  /** As the user gave it: `0x…` or `0.0.N`. */
  address: string;
  contract: BuildContract;
  libraries: Record<string, Record<string, string>>;
  creationTransactionHash?: string | undefined;
};

export type ContractVerification = {
  address: string;
  /** `path:Name`. */
  contract: string;
  isVerified: boolean;
  /** `verified`, `already verified`, or why not: a code of the mirror's. */
  status: string;
  /** `exact_match`, `match` or null. */
  match: string | null;
  creationMatch: string | null;
  runtimeMatch: string | null;
  message: string;
  verificationId: string | null;
  /** Where people see the result. */
  page: string | null;
};

export type VerifyContractOptions = {
  mirror: MirrorClient;
  signal: AbortSignal;
  /** Called as often as something is known. */
  onProgress(text: string): void;
};

/** A mirror that is full gives a place later; after this time something else is wrong. */
const maxWaitMs = 30 * 60_000;

export async function verifyContract(
  submission: Submission,
  options: VerifyContractOptions,
): Promise<ContractVerification> {
  const { mirror } = options;
  const { chainId, address, contract } = submission;
  const about = { address, contract: fullNameOf(contract), verificationId: null, page: null };
  const none = { match: null, creationMatch: null, runtimeMatch: null };
  const started = await submit(submission, options);
  const page = `${mirror.url}/repo-ui/${chainId}/${encodeURIComponent(address)}`;
  if (started.status === 409) {
    const found = await mirror.get(`/v2/contract/${chainId}/${encodeURIComponent(address)}`);
    const message = 'It has been verified before.';
    return { ...about, isVerified: true, status: 'already verified', ...matchesOf(found.body), message, page };
  }
  if (started.status !== 202) return { ...about, isVerified: false, ...none, ...refusalOf(started) };
  const verificationId = String(memberOf(started.body, 'verificationId'));
  const job = await follow(verificationId, submission, options);
  const error = memberOf(job, 'error');
  if (isJsonObject(error)) {
    const { customCode, message } = error;
    const status = String(customCode ?? 'not verified');
    return { ...about, isVerified: false, status, ...none, message: String(message ?? ''), verificationId };
  }
  const matches = matchesOf(memberOf(job, 'contract'));
  return { ...about, isVerified: true, status: 'verified', ...matches, message: '', verificationId, page };
}

async function submit(submission: Submission, { mirror, signal, onProgress }: VerifyContractOptions) {
  const { chainId, address, contract, libraries, creationTransactionHash } = submission;
  const input = contract.readInput();
  const { libraries: linked } = input.settings as { libraries?: Record<string, Record<string, string>> };
  const settings = { ...input.settings, libraries: mergeLibraries(linked ?? {}, libraries) };
  const body = {
    stdJsonInput: { ...input, settings },
    compilerVersion: contract.compilerVersion.replace(/^v/, ''),
    contractIdentifier: fullNameOf(contract),
    ...(creationTransactionHash && { creationTransactionHash }),
  };
  const until = Date.now() + maxWaitMs;
  for (;;) {
    const answer = await mirror.post(`/v2/verify/${chainId}/${encodeURIComponent(address)}`, body);
    if (answer.status !== 429 || answer.retryAfterMs === null || Date.now() > until) return answer;
    onProgress(`${contract.name} at ${address}: the mirror is full, trying again in ${answer.retryAfterMs / 1000} s`);
    await pause(answer.retryAfterMs, signal);
    signal.throwIfAborted();
  }
}

async function follow(
  verificationId: string,
  { address, contract }: Submission,
  { mirror, signal, onProgress }: VerifyContractOptions,
): Promise<MirrorAnswer['body']> {
  const startedAt = Date.now();
  for (let waitMs = 200; ; waitMs = Math.min(waitMs * 1.5, 3000)) {
    const { status, body } = await mirror.get(`/v2/verify/${verificationId}`);
    if (status >= 500) throw new Error(`The mirror cannot say how the check goes: ${messageOf(body)}`);
    if (status >= 400) throw new Error(`The mirror has lost the check ${verificationId}: ${messageOf(body)}`);
    if (memberOf(body, 'isJobCompleted') === true) return body;
    onProgress(`${contract.name} at ${address}: being checked, ${Math.round((Date.now() - startedAt) / 1000)} s`);
    await pause(waitMs, signal);
    signal.throwIfAborted();
  }
}

function mergeLibraries(...all: Record<string, Record<string, string>>[]): Record<string, Record<string, string>> {
  const merged: Record<string, Record<string, string>> = {};
  for (const [file, named] of all.flatMap(Object.entries<Record<string, string>>)) {
    merged[file] = { ...merged[file], ...named };
  }
  return merged;
}

function matchesOf(body: unknown) {
  const member = (name: string): string | null => {
    const value = memberOf(body, name);
    return typeof value === 'string' ? value : null;
  };
  return { match: member('match'), creationMatch: member('creationMatch'), runtimeMatch: member('runtimeMatch') };
}

function refusalOf({ status, body }: MirrorAnswer): { status: string; message: string } {
  const code = memberOf(body, 'customCode');
  return { status: typeof code === 'string' ? code : `HTTP ${status}`, message: messageOf(body) };
}

function messageOf(body: MirrorAnswer['body']): string {
  return String(memberOf(body, 'message') ?? JSON.stringify(body).slice(0, 500));
}

function memberOf(body: unknown, name: string): unknown {
  return isJsonObject(body) ? body[name] : undefined;
}
