// What `contract verify` asks of a mirror: its chains, checks of sources, and how they end. An answer is read up to a
// limit; a mirror that is busy says when to come again.
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { UsageError } from '../../runtime/settings/usage-error.ts';

export type MirrorAnswer = { status: number; body: Record<string, unknown> | unknown[]; retryAfterMs: number | null };

export type MirrorClient = {
  /** Without a slash at the end. */
  url: string;
  get(path: string): Promise<MirrorAnswer>;
  post(path: string, body: unknown): Promise<MirrorAnswer>;
};

/** Jobs repeat both codes, of at most 48 KB each, and what the compiler says. */
const maxAnswerBytes = 20_000_000;
const timeoutMs = 60_000;

export function createMirrorClient(text: string, signal: AbortSignal): MirrorClient {
  const url = readUrl(text);

  async function ask(path: string, init: RequestInit = {}): Promise<MirrorAnswer> {
    const limits = { redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) } as const;
    const response = await fetch(`${url}${path}`, { ...init, ...limits }).catch((error: Error) => {
      throw new Error(`The mirror ${url} cannot be asked (${reasonOf(error)}). --mirror names another one.`);
    });
    const said = Number(response.headers.get('retry-after'));
    const retryAfterMs = Number.isFinite(said) && said > 0 ? said * 1000 : null;
    return { status: response.status, body: parse(await readText(response), path), retryAfterMs };
  }

  function parse(answer: string, path: string): MirrorAnswer['body'] {
    let body: unknown;
    try {
      body = JSON.parse(answer);
    } catch {
      throw new Error(`${url}${path} does not answer as a mirror does: what it sends is not JSON.`);
    }
    if (isJsonObject(body) || Array.isArray(body)) return body;
    throw new Error(`${url}${path} does not answer as a mirror does.`);
  }

  return {
    url,
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  };
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return url.href.replace(/\/+$/, '');
  throw new UsageError(
    `--mirror must be the address of a mirror such as http://127.0.0.1:5551, not ${text.slice(0, 200)}`,
  );
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error(`An answer of ${response.url} has more than ${maxAnswerBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} s`;
  const { code, message } = (error.cause ?? error) as { code?: string; message: string };
  return code ?? message;
}
