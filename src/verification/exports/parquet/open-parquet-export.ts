// Sourcify's database as parquet files. Rows of the asked chains are chosen first, then what those refer to, a pass over each
// table: memory grows with the matches of these chains, not with the millions of others. Sources wait in a temporary file.
import { hash } from 'node:crypto';
import { compareMatches, type ExportedMatch, type ExportReading, type MatchExport } from '../terms/match-export.ts';
import { assembleClaim, type Compilation } from './assemble-claim.ts';
import { createParquetReader } from './create-parquet-reader.ts';
import { createSpool } from './create-spool.ts';
import type { TableFiles, TableName } from './find-table-files.ts';
import { type RowQuery, readRows } from './read-rows.ts';
import {
  booleanColumn,
  bytesColumn,
  type ColumnReader,
  hexColumn,
  integerColumn,
  optionalBooleanColumn,
  optionalHexColumn,
  textColumn,
} from './read-value.ts';

export function openParquetExport({ folder, files }: TableFiles, reading: ExportReading): MatchExport {
  const { inputBytes, stepMs } = reading.limits;
  const spool = createSpool();
  const reader = createParquetReader(stepMs);

  function rowsOf<Row extends object>(
    table: TableName,
    query: Pick<RowQuery<Row>, 'columns' | 'key' | 'isWanted' | 'signal'>,
  ): AsyncGenerator<Row> {
    if (files[table].length === 0) reading.onProblem(`${folder} has no file of the table ${table}.`);
    return readRows({ reader, folder, table, files: files[table], ...reading, ...query });
  }

  async function list(chains: ReadonlySet<string>, signal: AbortSignal): Promise<ExportedMatch[]> {
    const deployments = new Map<string, Deployment>();
    const ofChains = rowsOf<DeploymentRow>('contract_deployments', {
      columns: deploymentColumns,
      key: 'chain_id',
      isWanted: (chainId) => chains.has(String(chainId)),
      signal,
    });
    for await (const { id, chain_id, address, transaction_hash } of ofChains) {
      const deployment = { chainId: chain_id.toString(), address, transactionHash: transaction_hash };
      keepFirst(deployments, id, deployment);
    }
    const matches = new Map<string, ExportedMatch>();
    const ofDeployments = rowsOf<VerifiedRow>('verified_contracts', {
      columns: verifiedColumns,
      key: 'deployment_id',
      isWanted: (id) => deployments.has(id as string),
      signal,
    });
    for await (const row of ofDeployments) {
      const match: ExportedMatch = {
        ...deployments.get(row.deployment_id)!,
        runtime: levelOf(row.runtime_match, row.runtime_metadata_match),
        creation: levelOf(row.creation_match, row.creation_metadata_match),
        key: row.compilation_id,
      };
      if (match.runtime === null && match.creation === null) continue;
      const name = `${match.chainId} ${match.address} ${match.key}`;
      const other = matches.get(name);
      // Of two deployments at one address the better match says what is worth a check.
      if (other === undefined || compareMatches(match, other) < 0) matches.set(name, match);
      else if (compareMatches(match, other) === 0) keepFirst(matches, name, match);
    }
    return [...matches.values()].sort(compareMatches);
  }

  async function readCompilations(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, Compilation>> {
    const compilations = new Map<string, Compilation>();
    const rows = rowsOf<CompilationRow>('compiled_contracts', {
      columns: { ...compilationColumns, compiler_settings: textColumn(inputBytes) },
      key: 'id',
      isWanted: (id) => wanted.has(id as string),
      signal,
    });
    for await (const { id, compiler_settings, ...row } of rows) {
      // Long settings are rare; they wait with the sources.
      const settings = Buffer.from(compiler_settings);
      const settingsName = `settings ${hash('sha256', settings)}`;
      await spool.put(settingsName, settings);
      keepFirst(compilations, id, { ...row, settingsName });
    }
    return compilations;
  }

  /** Path → name in the spool, of each compilation. */
  async function readPaths(wanted: ReadonlyMap<string, Compilation>, signal: AbortSignal): Promise<Paths> {
    const paths: Paths = new Map();
    /** Compilations share most of their paths and sources. */
    const known = new Map<string, string>();
    const share = (text: string): string => {
      const shared = known.get(text);
      if (shared === undefined) known.set(text, text);
      return shared ?? text;
    };
    const rows = rowsOf<PathRow>('compiled_contracts_sources', {
      columns: pathColumns,
      key: 'compilation_id',
      isWanted: (id) => wanted.has(id as string),
      signal,
    });
    for await (const { compilation_id, path, source_hash } of rows) {
      const ofOne = paths.get(compilation_id) ?? new Map<string, string>();
      paths.set(compilation_id, ofOne);
      if (ofOne.size <= maxSources) keepFirst(ofOne, share(path), share(source_hash));
    }
    return paths;
  }

  async function spoolSources(paths: Paths, signal: AbortSignal): Promise<void> {
    const wanted = new Set([...paths.values()].flatMap((ofOne) => [...ofOne.values()]));
    const rows = rowsOf<SourceRow>('sources', {
      columns: { source_hash: hexColumn(32), content: bytesColumn(inputBytes) },
      key: 'source_hash',
      isWanted: (hash) => wanted.has(hash as string) && !spool.has(hash as string),
      signal,
    });
    for await (const { source_hash, content } of rows) {
      if (`0x${hash('sha256', content)}` === source_hash) await spool.put(source_hash, content);
      else reading.onProblem(`A source in the table sources is not what its source_hash ${source_hash} says.`);
    }
  }

  return {
    description: `parquet files of Sourcify's database in ${folder}`,
    list,
    async *claims(chosen, signal) {
      if (chosen.length === 0) return;
      const compilations = await readCompilations(new Set(chosen.map(({ key }) => key)), signal);
      const paths = await readPaths(compilations, signal);
      await spoolSources(paths, signal);
      for (const match of chosen) {
        signal.throwIfAborted();
        const compilation = compilations.get(match.key);
        const sources = paths.get(match.key) ?? new Map<string, string>();
        yield { match, ...(await assembleClaim({ key: match.key, compilation, sources, spool, inputBytes })) };
      }
    },
    async close() {
      await reader.close();
      await spool.close();
    },
  };
}

type Paths = Map<string, Map<string, string>>;
type Deployment = Pick<ExportedMatch, 'chainId' | 'address' | 'transactionHash'>;

const maxSources = 5000;

/** Of rows that contradict each other, in whatever order they come, the same one stays. */
function keepFirst<T>(kept: Map<string, T>, key: string, value: T): void {
  const there = kept.get(key);
  if (there === undefined || JSON.stringify(value) < JSON.stringify(there)) kept.set(key, value);
}

/** Without the column it is unknown whether the metadata matches: as much as possible is assumed, so that it is checked. */
function levelOf(isMatch: boolean, isOfMetadata: boolean | null): ExportedMatch['runtime'] {
  if (!isMatch) return null;
  return isOfMetadata === false ? 'partial' : 'perfect';
}

type Row<Columns> = { [Name in keyof Columns]: Columns[Name] extends ColumnReader<infer T> ? T : never };

/** A UUID as text, some more where others are used. */
const id = textColumn(200);

const deploymentColumns = {
  id,
  chain_id: integerColumn,
  address: hexColumn(20),
  transaction_hash: optionalHexColumn(32),
};
type DeploymentRow = Row<typeof deploymentColumns>;

const verifiedColumns = {
  deployment_id: id,
  compilation_id: id,
  runtime_match: booleanColumn,
  creation_match: booleanColumn,
  runtime_metadata_match: optionalBooleanColumn,
  creation_metadata_match: optionalBooleanColumn,
};
type VerifiedRow = Row<typeof verifiedColumns>;

const compilationColumns = {
  id,
  version: textColumn(200),
  language: textColumn(100),
  fully_qualified_name: textColumn(4096),
};
type CompilationRow = Row<typeof compilationColumns> & { compiler_settings: string };

const pathColumns = { compilation_id: id, path: textColumn(4096), source_hash: hexColumn(32) };
type PathRow = Row<typeof pathColumns>;

type SourceRow = { source_hash: string; content: Buffer };
