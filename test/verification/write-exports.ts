// Exports as Sourcify publishes them, of matches that a test names: parquet files of its tables, and folders of
// contracts.
import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { type ColumnSource, type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer';
import { toChecksumAddress } from '../../packages/abi/checksum-address.ts';
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import type { TableName } from '../../packages/verification/exports/parquet/find-table-files.ts';

export type WrittenMatch = {
  chainId: string;
  /** 0x, in lower case. */
  address: string;
  level: 'perfect' | 'partial';
  language?: string;
  compilerVersion: string;
  path: string;
  name: string;
  sources: Record<string, string>;
  settings: object;
};

type Value = string | bigint | number | boolean | Date | Uint8Array | null;
export type Tables = Record<TableName, Record<string, Value>[]> & Record<string, Record<string, Value>[]>;

const at = new Date('2026-10-01T12:00:00.250Z');
const stamps = { created_at: at, updated_at: at, created_by: 'sourcify', updated_by: 'sourcify' };

const codeHash = `0x${'5c'.repeat(32)}`;

/** The rows of the database that these matches are. */
export function toTables(matches: readonly WrittenMatch[]): Tables {
  const tables: Tables = {
    contract_deployments: [],
    verified_contracts: [],
    compiled_contracts: [],
    compiled_contracts_sources: [],
    sources: [],
  };
  for (const [index, match] of matches.entries()) {
    const compilation = uuid(`compilation ${JSON.stringify(match)}`);
    const deployment = uuid(`deployment ${match.chainId} ${match.address} ${index}`);
    tables.contract_deployments.push({
      id: deployment,
      chain_id: BigInt(match.chainId),
      address: bytes(match.address),
      transaction_hash: null,
      block_number: -1n,
      transaction_index: -1,
      deployer: null,
      contract_id: uuid(`contract ${index}`),
      ...stamps,
    });
    tables.verified_contracts.push({
      id: BigInt(index + 1),
      deployment_id: deployment,
      compilation_id: compilation,
      creation_match: false,
      creation_values: 'null',
      creation_transformations: 'null',
      creation_metadata_match: null,
      runtime_match: true,
      runtime_values: '{}',
      runtime_transformations: '[]',
      runtime_metadata_match: match.level === 'perfect',
      ...stamps,
    });
    tables.compiled_contracts.push({
      id: compilation,
      compiler: 'solc',
      version: match.compilerVersion.replace(/^v/, ''),
      language: (match.language ?? 'Solidity').toLowerCase(),
      name: match.name,
      fully_qualified_name: `${match.path}:${match.name}`,
      compiler_settings: JSON.stringify(match.settings),
      compilation_artifacts: '{}',
      creation_code_hash: bytes(codeHash),
      creation_code_artifacts: '{}',
      runtime_code_hash: bytes(codeHash),
      runtime_code_artifacts: '{}',
      ...stamps,
    });
    for (const [path, content] of Object.entries(match.sources)) {
      const source_hash = Buffer.from(hash('sha256', content), 'hex');
      const id = uuid(`${compilation} ${path}`);
      tables.compiled_contracts_sources.push({ id, compilation_id: compilation, source_hash, path, created_at: at });
      if (tables.sources.some((row) => source_hash.equals(row.source_hash as Uint8Array))) continue;
      const source_hash_keccak = keccak256(Buffer.from(content));
      tables.sources.push({ source_hash, source_hash_keccak, content, ...stamps });
    }
  }
  return tables;
}

/** The tables of the database that say nothing about a check: code, names, and matches with their metadata. */
export function otherTables(matches: readonly WrittenMatch[]): Record<string, Record<string, Value>[]> {
  const of = <T>(toRow: (match: WrittenMatch, index: number) => T): T[] => matches.map(toRow);
  return {
    code: [{ code_hash: bytes(codeHash), code: bytes('0x6001'), code_hash_keccak: bytes(codeHash), ...stamps }],
    contracts: of((_, index) => ({
      ...{ id: uuid(`contract ${index}`), creation_code_hash: null, runtime_code_hash: bytes(codeHash), ...stamps },
    })),
    sourcify_matches: of((match, index) => ({
      id: BigInt(index + 1),
      verified_contract_id: BigInt(index + 1),
      creation_match: null,
      runtime_match: match.level,
      metadata: JSON.stringify(metadataOf(match)),
      ...{ created_at: at, updated_at: at },
    })),
    signatures: [{ signature_hash_32: bytes(codeHash), signature: 'n()', created_at: at }],
    compiled_contracts_signatures: of((match) => ({
      id: uuid(`signature ${match.address}`),
      compilation_id: uuid(`compilation ${JSON.stringify(match)}`),
      signature_hash_32: bytes(codeHash),
      signature_type: 'function',
      created_at: at,
    })),
  };
}

export type ParquetLayout = {
  rowsPerFile?: number;
  rowGroupSize?: number;
  compression?: 'ZSTD' | 'SNAPPY' | 'UNCOMPRESSED';
  /** Reverses the columns. */
  isReversed?: boolean;
  /** Folder of the tables: `v2/` as published, or one folder for all. */
  toPath?: (table: string, file: string) => string;
};

export function writeParquetExport(folder: string, tables: Tables, layout: ParquetLayout = {}): void {
  const { rowsPerFile = 1000, toPath = (table, file) => join('v2', table, file) } = layout;
  for (const [table, rows] of Object.entries(tables)) {
    for (let start = 0; start === 0 || start < rows.length; start += rowsPerFile) {
      const path = join(folder, toPath(table, `${table}_${start}_${start + rowsPerFile}.parquet`));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, toParquet(rows.slice(start, start + rowsPerFile), layout));
    }
  }
}

export function toParquet(rows: readonly Record<string, Value>[], layout: ParquetLayout = {}): Uint8Array {
  const { rowGroupSize = 7, compression = 'ZSTD', isReversed = false } = layout;
  const names = Object.keys(rows[0] ?? { id: '' });
  const columnData = (isReversed ? names.toReversed() : names).map((name): ColumnSource => {
    const data = rows.map((row) => row[name] ?? null);
    return { name, data, type: typeOf(name, data), nullable: true };
  });
  const options: Omit<ParquetWriteOptions, 'writer'> = {
    columnData,
    rowGroupSize,
    codec: compression,
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
  };
  return new Uint8Array(parquetWriteBuffer(options));
}

function typeOf(name: string, data: readonly Value[]): NonNullable<ColumnSource['type']> {
  const value = data.find((one) => one !== null);
  if (value instanceof Date) return 'TIMESTAMP';
  if (typeof value === 'number') return 'INT32';
  if (typeof value === 'boolean' || (value === undefined && name.endsWith('_match'))) return 'BOOLEAN';
  if (typeof value === 'bigint') return 'INT64';
  return value instanceof Uint8Array || /hash|address|deployer/.test(name) ? 'BYTE_ARRAY' : 'STRING';
}

/** The second version names sources by their hash, the first one by their path. Returns the folder of the contract. */
export function writeContractFolder(root: string, match: WrittenMatch, metadata: object, version: 1 | 2 = 2): string {
  const kind = match.level === 'perfect' ? 'full_match' : 'partial_match';
  const folder = join(root, 'contracts', kind, match.chainId, toChecksumAddress(match.address));
  for (const [path, content] of Object.entries(match.sources)) {
    const name = version === 2 ? `0x${keccak256(Buffer.from(content)).toString('hex')}` : path;
    const file = join(folder, 'sources', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'metadata.json'), JSON.stringify(metadata));
  return folder;
}

/** What the compiler would say of the compilation, without its outputs. */
export function metadataOf({ compilerVersion, path, name, sources, settings, language = 'Solidity' }: WrittenMatch) {
  return {
    compiler: { version: compilerVersion.replace(/^v/, '') },
    language,
    output: {},
    settings: { ...settings, compilationTarget: { [path]: name }, libraries: {} },
    sources: Object.fromEntries(
      Object.entries(sources).map(([of, content]) => [
        of,
        { keccak256: `0x${keccak256(Buffer.from(content)).toString('hex')}`, urls: [] },
      ]),
    ),
    version: 1,
  };
}

function uuid(seed: string): string {
  const digits = hash('sha256', seed);
  return [8, 4, 4, 4, 12].map((length, i) => digits.slice(i * 12, i * 12 + length)).join('-');
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
