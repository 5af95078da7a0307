// The simulated network's block explorer: a folder with one record for each contract, named after its address. Records
// of the first blocks' contracts stay; of later ones only the newest.
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { evmAddressOf } from '../evm/run-evm.ts';
import { createFileOnce, isUnfinishedFile } from '../files/atomic-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createRecordOfCode } from './record-of-code.ts';

export type ExplorerFolder = {
  /** Writes the records of contracts created since the last call. */
  publish(): Promise<void>;
};

const lasting = 20;
const maxRecords = 1000;
/** Entities below are system entities. */
const firstUserEntity = 1001n;

export async function openExplorerFolder(folder: string, ledger: Ledger): Promise<ExplorerFolder> {
  await mkdir(folder, { recursive: true });
  const recordOf = createRecordOfCode();
  const paths = await listOldestFirst(folder);
  let next = firstUserEntity;
  return {
    async publish() {
      const end = ledger.tables.counters.get('nextEntity') ?? next;
      for (; next < end; next++) {
        const account = ledger.tables.accounts.get(next);
        const record = account?.code ? recordOf(account.code) : null;
        if (!account || record === null) continue;
        const path = join(folder, `0x${Buffer.from(evmAddressOf(account)).toString('hex')}.json`);
        if (await createFileOnce(path, Buffer.from(record))) paths.push(path);
      }
      for (const path of paths.splice(lasting, Math.max(0, paths.length - maxRecords))) await rm(path, { force: true });
    },
  };
}

async function listOldestFirst(folder: string): Promise<string[]> {
  const files: { path: string; changedMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (isUnfinishedFile(name)) await rm(path);
    else files.push({ path, changedMs: (await stat(path)).mtimeMs });
  }
  return files.sort((a, b) => a.changedMs - b.changedMs).map(({ path }) => path);
}
