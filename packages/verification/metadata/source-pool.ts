// Handed-in sources by their hash, under any name. Where the exact text is missing, the same text with other line ends
// is
// tried: editors and version control change them.
import { setImmediate as afterOthers } from 'node:timers/promises';
import { keccak256 } from '../../protocol/keccak256.ts';
import type { InputFile } from './sort-files.ts';

export type SourcePool = {
  /** `hash`: 0x and 64 lower-case hex digits. */
  find(hash: string): Promise<InputFile | undefined>;
  /** The file that was handed in with this path. */
  at(path: string): InputFile | undefined;
};

/** No real source is larger; hashing takes 20 ms a megabyte, of the thread that answers. */
const maxHashedBytes = 1_000_000;
/** Of all variants together: ten of each file. */
const maxVariedBytes = 20_000_000;

export function createSourcePool(files: readonly InputFile[]): SourcePool {
  const hashed = files.filter(({ content }) => content.length <= maxHashedBytes);
  let exact: Promise<Map<string, InputFile>> | null = null;
  let varied: Promise<Map<string, InputFile>> | null = null;
  return {
    at: (path) => hashed.find((file) => file.path === path),
    async find(hash) {
      exact ??= index(hashed);
      const found = (await exact).get(hash);
      if (found) return found;
      varied ??= index(vary(hashed));
      return (await varied).get(hash);
    },
  };
}

/** Other requests are answered in between. */
async function index(files: Iterable<InputFile>): Promise<Map<string, InputFile>> {
  const byHash = new Map<string, InputFile>();
  let hashedBytes = 0;
  for (const file of files) {
    const hash = `0x${keccak256(Buffer.from(file.content)).toString('hex')}`;
    if (!byHash.has(hash)) byHash.set(hash, file);
    hashedBytes += file.content.length;
    if (hashedBytes < 200_000) continue;
    hashedBytes = 0;
    await afterOthers();
  }
  return byHash;
}

/** lib-sourcify's variants. */
function* vary(files: readonly InputFile[]): Generator<InputFile> {
  let bytes = 0;
  for (const { path, content } of files) {
    bytes += 10 * content.length;
    if (bytes > maxVariedBytes) return;
    const unix = content.replaceAll('\r\n', '\n');
    for (const text of [unix, unix.replaceAll('\n', '\r\n')]) {
      const trimmed = text.trimEnd();
      for (const ending of [trimmed, `${trimmed}\n`, `${trimmed}\r\n`, text, `${text}\n`, `${text}\r\n`]) {
        yield { path, content: ending };
      }
    }
  }
}

/** 0x and hex digits, as metadata has it. */
export function hashSource(content: string): string {
  return `0x${keccak256(Buffer.from(content)).toString('hex')}`;
}
