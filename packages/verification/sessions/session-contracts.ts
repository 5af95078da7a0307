// The contracts that the files of a session are about, and what was found out about each.

import { assembleSources } from '../metadata/assemble-sources.ts';
import { type InputFile, sortFiles } from '../metadata/sort-files.ts';
import { createSourcePool } from '../metadata/source-pool.ts';
import { sha256 } from '../store/match-row.ts';
import type { Session, SessionContract } from './session.ts';

/** The session as it would be with these files as well; the given one is not changed. */
export async function withFiles(session: Session, added: readonly InputFile[]): Promise<Session> {
  const files = new Map(session.files);
  for (const file of added) {
    const id = hashText(file.content);
    if (!files.has(id)) files.set(id, file);
  }
  const { metadata, sources } = sortFiles([...files.values()]);
  const pool = createSourcePool(sources);
  const contracts = new Map<string, SessionContract>();
  const used = new Set<string>();
  for (const one of metadata) {
    const id = hashText(one.text);
    const assembled = await assembleSources(one, pool);
    for (const path of assembled.usedFiles) used.add(path);
    contracts.set(id, { status: 'error', ...session.contracts.get(id), metadata: one, sources: assembled });
  }
  const unused = sources.map(({ path }) => path).filter((path) => !used.has(path));
  return { ...session, files, contracts, unused };
}

function hashText(text: string): string {
  return `0x${sha256(Buffer.from(text)).toString('hex')}`;
}
