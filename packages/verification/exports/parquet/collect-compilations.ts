// What the wanted compilations were made of: their rows, the paths of their sources, and the sources, which go into the
// spool.
import { hash } from 'node:crypto';
import type { Compilation } from './assemble-claim.ts';
import type { Spool } from './create-spool.ts';
import { keepFirst } from './keep-first.ts';
import type { ReadTable } from './read-table.ts';

export type CollectedCompilations = {
  compilations: ReadonlyMap<string, Compilation>;
  /** Path → name in the spool, of each compilation. */
  paths: ReadonlyMap<string, ReadonlyMap<string, string>>;
};

export async function collectCompilations(
  read: ReadTable,
  wanted: ReadonlySet<string>,
  { spool, onProblem }: { spool: Spool; onProblem: (sentence: string) => void },
): Promise<CollectedCompilations> {
  const compilations = new Map<string, Compilation>();
  for await (const { id, compiler_settings, ...row } of read('compiled_contracts', 'id', (id) => wanted.has(id))) {
    // Long settings are rare; they wait with the sources.
    const settings = Buffer.from(compiler_settings);
    const settingsName = `settings ${hash('sha256', settings)}`;
    await spool.put(settingsName, settings);
    keepFirst(compilations, id, { ...row, settingsName });
  }
  const paths = await readPaths(read, compilations);
  const sources = new Set<string>();
  for (const ofOne of paths.values()) for (const name of ofOne.values()) sources.add(name);
  const isMissing = (name: string): boolean => sources.has(name) && !spool.has(name);
  for await (const { source_hash, content } of read('sources', 'source_hash', isMissing)) {
    if (`0x${hash('sha256', content)}` === source_hash) await spool.put(source_hash, content);
    else onProblem(`A source in the table sources is not what its source_hash ${source_hash} says.`);
  }
  return { compilations, paths };
}

/** One more than a claim may have, so that it is refused. */
const maxSources = 5001;

async function readPaths(
  read: ReadTable,
  compilations: ReadonlyMap<string, Compilation>,
): Promise<Map<string, Map<string, string>>> {
  const paths = new Map<string, Map<string, string>>();
  /** Compilations share most of their paths and sources. */
  const known = new Map<string, string>();
  const share = (text: string): string => {
    const shared = known.get(text);
    if (shared === undefined) known.set(text, text);
    return shared ?? text;
  };
  const isOfOne = (id: string): boolean => compilations.has(id);
  for await (const row of read('compiled_contracts_sources', 'compilation_id', isOfOne)) {
    const ofOne = paths.get(row.compilation_id) ?? new Map<string, string>();
    paths.set(row.compilation_id, ofOne);
    if (ofOne.size < maxSources) keepFirst(ofOne, share(row.path), share(row.source_hash));
  }
  return paths;
}
