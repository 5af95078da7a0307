// Texts that are needed later, in a temporary file: memory holds where each is. What is written under one name twice is
// kept once.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Spool = {
  has(name: string): boolean;
  /** Bytes; null = not there. */
  sizeOf(name: string): number | null;
  put(name: string, content: Buffer): Promise<void>;
  /** null = not there. */
  get(name: string): Promise<Buffer | null>;
  close(): Promise<void>;
};

export function createSpool(): Spool {
  const places = new Map<string, { start: number; length: number }>();
  let end = 0;
  let opened: Promise<{ folder: string; handle: FileHandle }> | null = null;

  async function openFile(): Promise<{ folder: string; handle: FileHandle }> {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-mirror-import-'));
    return { folder, handle: await open(join(folder, 'spool'), 'wx+', 0o600) };
  }

  return {
    has: (name) => places.has(name),
    sizeOf: (name) => places.get(name)?.length ?? null,
    async put(name, content) {
      if (places.has(name)) return;
      opened ??= openFile();
      const { handle } = await opened;
      const place = { start: end, length: content.length };
      for (let done = 0; done < content.length; ) {
        const { bytesWritten } = await handle.write(content, done, content.length - done, place.start + done);
        done += bytesWritten;
      }
      end += content.length;
      places.set(name, place);
    },
    async get(name) {
      const place = places.get(name);
      if (place === undefined || opened === null) return null;
      const { handle } = await opened;
      const content = Buffer.alloc(place.length);
      for (let done = 0; done < place.length; ) {
        const { bytesRead } = await handle.read(content, done, place.length - done, place.start + done);
        if (bytesRead === 0) throw new Error('A temporary file was cut while it was used.');
        done += bytesRead;
      }
      return content;
    },
    async close() {
      const file = await opened;
      opened = null;
      places.clear();
      await file?.handle.close();
      if (file) await rm(file.folder, { recursive: true, force: true });
    },
  };
}
