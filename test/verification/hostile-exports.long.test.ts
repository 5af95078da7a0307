// Exports that are damaged or made to harm: each problem names its file, and what is not damaged is read.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openMatchExport } from '../../packages/verification/exports/open-match-export.ts';
import {
  metadataOf,
  type Tables,
  toParquet,
  toTables,
  type WrittenMatch,
  writeContractFolder,
  writeParquetExport,
} from './write-exports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-exports-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function matchOf(index: number, chainId = '298'): WrittenMatch {
  return {
    chainId,
    address: `0x${index.toString(16).padStart(40, '0')}`,
    level: 'perfect',
    compilerVersion: '0.8.37+commit.f401782d',
    path: `contracts/C${index}.sol`,
    name: `C${index}`,
    sources: { [`contracts/C${index}.sol`]: `contract C${index} {}`, 'lib/Shared.sol': 'library Shared {}' },
    settings: { optimizer: { enabled: true, runs: 200 } },
  };
}

const six = [1, 2, 3, 4, 5, 6].map((index) => matchOf(index));

async function readAll(path = folder, stepMs = 60_000) {
  const problems: string[] = [];
  const { signal } = new AbortController();
  const matches = openMatchExport(path, {
    limits: { inputBytes: 100_000, stepMs },
    onProblem: (sentence) => problems.push(sentence),
    onStep: () => undefined,
  });
  try {
    const listed = await matches.list(new Set(['298']), signal);
    const claims: Record<string, string> = {};
    for await (const { match, claim, problem } of matches.claims(listed, signal)) {
      claims[match.address] = claim ? JSON.stringify(claim) : problem!;
    }
    return { listed, claims, problems };
  } finally {
    await matches.close();
  }
}

describe('parquet', () => {
  /** One row a file: the damage of a file is that of one row. */
  const write = (tables: Tables = toTables(six)) => writeParquetExport(folder, tables, { rowsPerFile: 1 });
  const fileOf = (table: string, row: number) => join(folder, 'v2', table, `${table}_${row}_${row + 1}.parquet`);

  const damages: [what: string, damage: (path: string) => void, says: RegExp][] = [
    ['cut', (path) => truncateSync(path, readFileSync(path).length >> 1), /footer != PAR1/],
    ['empty', (path) => writeFileSync(path, ''), /it has 0 bytes/],
    ['text', (path) => writeFileSync(path, 'x'.repeat(100_000)), /does not begin as a parquet file/],
    ['another beginning', (path) => patch(path, 0, 'XXXX'), /does not begin as a parquet file/],
    ['another end', (path) => patch(path, -4, 'XXXX'), /footer != PAR1/],
    ['a description of 4 GB', (path) => patch(path, -8, '\xff\xff\xff\xff'), /metadata length 4294967295 exceeds/],
    ['a description of 0 bytes', (path) => patch(path, -8, '\0\0\0\0'), /cannot be read/],
    ['one gigabyte of nothing', (path) => truncateSync(path, 2 ** 30), /footer != PAR1/],
    ['a folder', (path) => void [rmSync(path), mkdirSync(path)], /is no regular file/],
    ['a pipe', (path) => void [rmSync(path), makePipe(path)], /is no regular file/],
    [
      'a link',
      (path) => void [renameSync(path, `${path}.real`), symlinkSync(`${path}.real`, path)],
      /links are not followed/,
    ],
    ['no columns', (path) => writeFileSync(path, toParquet([{ other: 1n }])), /it has no column/],
  ];
  test.each(damages)('%s', async (_, damage, says) => {
    for (const table of ['contract_deployments', 'verified_contracts', 'compiled_contracts', 'sources']) {
      rmSync(join(folder, 'v2'), { recursive: true, force: true });
      write();
      damage(fileOf(table, 0));
      const { problems, claims } = await readAll();
      expect(problems).toEqual([expect.stringMatching(says)]);
      expect(problems[0]).toContain(`${table}_0_1.parquet`);
      // The match whose row was there.
      const others = Object.entries(claims).filter(([address]) => address !== six[0]!.address);
      expect(others).toHaveLength(5);
      for (const [, claim] of others) expect(claim).toMatch(/^\{"language"/);
      const own = claims[six[0]!.address];
      if (table.endsWith('compiled_contracts')) expect(own).toMatch(/has no readable row in compiled_contracts\.$/);
      else if (table === 'sources')
        expect(own).toMatch(/needs "contracts\/C1\.sol", which no readable row of sources has/);
      else expect(own).toBeUndefined();
    }
  });

  const rows: [what: string, change: (tables: Tables) => void, says: RegExp | null, own: RegExp | null][] = [
    [
      'no address',
      ({ contract_deployments: [row] }) => set(row, 'address', null),
      /row 0: address must be 20 bytes/,
      null,
    ],
    [
      'a short address',
      ({ contract_deployments: [row] }) => set(row, 'address', Buffer.alloc(3)),
      /there is 3 bytes/,
      null,
    ],
    ['no chain', ({ contract_deployments: [row] }) => set(row, 'chain_id', null), /cannot be read|chain_id/, null],
    ['another chain', ({ contract_deployments: [row] }) => set(row, 'chain_id', 1n), null, null],
    [
      'a chain as text',
      ({ contract_deployments: [row] }) => set(row, 'chain_id', '298'),
      /chain_id is of type BYTE_ARRAY/,
      null,
    ],
    [
      'no verdict',
      ({ verified_contracts: [row] }) => set(row, 'runtime_match', null),
      /runtime_match must be true/,
      null,
    ],
    [
      'settings that are no JSON',
      ({ compiled_contracts: [row] }) => set(row, 'compiler_settings', '{'),
      null,
      /no JSON object/,
    ],
    [
      'settings of a list',
      ({ compiled_contracts: [row] }) => set(row, 'compiler_settings', '[]'),
      null,
      /no JSON object/,
    ],
    [
      'deep settings',
      ({ compiled_contracts: [row] }) => set(row, 'compiler_settings', '['.repeat(90_000)),
      null,
      /no JSON/,
    ],
    ['a language', ({ compiled_contracts: [row] }) => set(row, 'language', 'fe'), null, /is in the language "fe"/],
    [
      'no contract name',
      ({ compiled_contracts: [row] }) => set(row, 'fully_qualified_name', 'x'),
      null,
      /without path/,
    ],
    [
      'another source',
      ({ sources: [row] }) => set(row, 'content', 'contract Evil {}'),
      /is not what its source_hash/,
      /needs/,
    ],
    ['a source that is no text', ({ sources: [row] }) => set(row, 'content', null), /content must be text/, /needs/],
    [
      'a large source',
      ({ sources: [row] }) => set(row, 'content', 'x'.repeat(100_001)),
      /at most 100000 are read/,
      /needs/,
    ],
  ];
  test.each(rows)('a row with %s', async (_, change, says, own) => {
    const tables = toTables(six);
    change(tables);
    write(tables);
    const { problems, claims } = await readAll();
    expect(problems).toEqual(says === null ? [] : [expect.stringMatching(says)]);
    const { [six[0]!.address]: first, ...others } = claims;
    expect(Object.keys(others)).toHaveLength(5);
    for (const claim of Object.values(others)) expect(claim).toMatch(/^\{"language"/);
    if (own === null) expect(first).toBeUndefined();
    else expect(first).toMatch(own);
  });

  it('names tables that are missing, and files that only the manifest has', async () => {
    write();
    rmSync(join(folder, 'v2', 'sources'), { recursive: true });
    const files = {
      sources: ['sources/sources_0_1.parquet'],
      contract_deployments: ['x/contract_deployments_0_1.parquet'],
    };
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ timestamp: 1, files }));
    const { problems } = await readAll(join(folder, 'manifest.json'));
    expect(problems).toEqual([
      expect.stringMatching(/manifest\.json names sources\/sources_0_1\.parquet, which is not there/),
      expect.stringMatching(/has no file of the table sources/),
    ]);
    writeFileSync(join(folder, 'manifest.json'), '{"files":');
    expect((await readAll()).problems[0]).toMatch(/manifest\.json cannot be read: .*JSON/);
  });

  it('takes no more memory than a page has', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => matchOf(i + 1));
    const { contract_deployments: deployments } = toTables(rows);
    write();
    const path = fileOf('contract_deployments', 0);
    const parquet = Buffer.from(toParquet(deployments, { compression: 'UNCOMPRESSED', rowGroupSize: 1000 }));
    // 1000 as a zigzag varint; 8191 has as many bytes.
    for (let at = 0; ; at += 2) {
      at = parquet.indexOf(Buffer.from([0xd0, 0x0f]), at);
      if (at < 0 || at > parquet.length - 20_000) break;
      parquet[at] = 0xfe;
      parquet[at + 1] = 0x7f;
    }
    writeFileSync(path, parquet);
    const { problems } = await readAll();
    expect(problems).toEqual([expect.stringMatching(/contract_deployments_0_1\.parquet cannot be read to its end: /)]);
  });

  it('gives what is true, or a problem, whatever bits are flipped', async () => {
    write();
    const whole = (await readAll()).claims;
    const tables = readdirSync(join(folder, 'v2'));
    const copy = join(folder, 'whole');
    const flips = fc.array(fc.record({ at: fc.nat(), bit: fc.nat(7) }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tables), fc.nat(5), flips, async (table, row, flipped) => {
        const path = fileOf(table, row);
        copyFileSync(path, copy);
        const bytes = readFileSync(path);
        for (const { at, bit } of flipped) bytes[at % bytes.length]! ^= 1 << bit;
        writeFileSync(path, bytes);
        const { claims } = await readAll(folder, 20_000).finally(() => copyFileSync(copy, path));
        // A source is what its hash says; the rest of a claim is for the compiler to judge.
        for (const [address, claim] of Object.entries(claims)) {
          if (!claim.startsWith('{') || table !== 'sources') continue;
          expect(claim).toBe(whole[address]);
        }
        expect(Object.keys(claims).filter((address) => address in whole).length).toBeGreaterThanOrEqual(5);
      }),
      { numRuns: Number(process.env.PARQUET_FLIPS ?? 25) },
    );
  });
});

describe('folders', () => {
  const [match, other] = six as [WrittenMatch, WrittenMatch];
  const write = (version: 1 | 2 = 2, metadata: unknown = metadataOf(match)): string => {
    writeContractFolder(folder, other, metadataOf(other));
    return writeContractFolder(folder, match, metadata as object, version);
  };

  const metadatas: [what: string, metadata: (usual: ReturnType<typeof metadataOf>) => unknown, says: RegExp][] = [
    ['no object', () => [], /compiler\.version, settings or sources is missing/],
    ['no compiler', (usual) => ({ ...usual, compiler: undefined }), /compiler\.version/],
    ['a language', (usual) => ({ ...usual, language: 'Fe' }), /its language is "Fe"/],
    ['no target', (usual) => ({ ...usual, settings: {} }), /compilationTarget must name one contract/],
    ['two targets', (usual) => ({ ...usual, settings: { compilationTarget: { a: 'A', b: 'B' } } }), /must name one/],
    [
      'another hash',
      (usual) => ({ ...usual, sources: { x: { keccak256: `0x${'7'.repeat(64)}` } } }),
      /no file has the hash of source "x"/,
    ],
    ['no hash', (usual) => ({ ...usual, sources: { x: {} } }), /source "x" has no keccak256/],
    [
      'a path',
      (usual) => ({ ...usual, sources: { '../../../../etc/passwd': { keccak256: `0x${'7'.repeat(64)}` } } }),
      /no file has the hash of source "..\/..\/..\/..\/etc\/passwd"/,
    ],
    [
      'a library',
      (usual) => ({ ...usual, settings: { ...usual.settings, libraries: { L: 7 } } }),
      /library "L" has no address/,
    ],
  ];
  test.each(metadatas)('metadata with %s', async (_, metadata, says) => {
    const place = write(2, metadata(metadataOf(match)));
    const { claims, problems } = await readAll();
    expect(problems).toEqual([]);
    expect(claims[match.address]).toMatch(says);
    expect(claims[match.address]).toContain(place);
    expect(claims[other.address]).toMatch(/^\{/);
  });

  const damages: [what: string, damage: (place: string) => void, says: RegExp][] = [
    ['no metadata', (place) => rmSync(join(place, 'metadata.json')), /metadata\.json: ENOENT/],
    ['half of the metadata', (place) => truncateSync(join(place, 'metadata.json'), 50), /metadata\.json: .*JSON/],
    ['deep metadata', (place) => writeFileSync(join(place, 'metadata.json'), '['.repeat(90_000)), /nested deeper/],
    [
      '1 GB of metadata',
      (place) => truncateSync(join(place, 'metadata.json'), 2 ** 30),
      /has 1073741824 bytes, at most/,
    ],
    [
      'metadata that is a pipe',
      (place) => {
        rmSync(join(place, 'metadata.json'));
        makePipe(join(place, 'metadata.json'));
      },
      /no regular file/,
    ],
    [
      'metadata that is a link',
      (place) => {
        renameSync(join(place, 'metadata.json'), join(place, 'm'));
        symlinkSync('m', join(place, 'metadata.json'));
      },
      /metadata\.json: ELOOP/,
    ],
    [
      '1 GB of source',
      (place) => {
        writeFileSync(join(place, 'sources', 'x'), '');
        truncateSync(join(place, 'sources', 'x'), 2 ** 30);
      },
      /sources.x: it has 1073741824 bytes, at most/,
    ],
    ['no sources', (place) => rmSync(join(place, 'sources'), { recursive: true }), /no file has the hash of source/],
    [
      'sources that are links',
      (place) => {
        for (const name of readdirSync(join(place, 'sources'))) {
          renameSync(join(place, 'sources', name), join(place, name));
          symlinkSync(`../${name}`, join(place, 'sources', name));
        }
      },
      /no file has the hash of source/,
    ],
    [
      'a link as sources',
      (place) => {
        renameSync(join(place, 'sources'), join(place, 's'));
        symlinkSync('s', join(place, 'sources'));
      },
      /sources is no folder; links are not followed/,
    ],
    [
      'very deep folders',
      (place) => mkdirSync(join(place, 'sources', ...Array.from({ length: 70 }, () => 'd')), { recursive: true }),
      /nested deeper than 64 folders/,
    ],
    [
      'more sources than a compilation has',
      (place) => {
        for (let i = 0; i <= 5000; i++) writeFileSync(join(place, 'sources', `${i}`), '');
      },
      /more than 5000 sources/,
    ],
  ];
  test.each(damages)('%s', async (_, damage, says) => {
    damage(write());
    const { claims, problems } = await readAll();
    expect(problems).toEqual([]);
    expect(claims[match.address]).toMatch(says);
    expect(claims[other.address]).toMatch(/^\{/);
  });

  it('passes over names that are no addresses, links and other chains, and takes addresses in any case', async () => {
    const place = write();
    writeContractFolder(folder, { ...match, chainId: '295' }, metadataOf(match));
    const chain = join(place, '..');
    const large = { ...match, address: `0x${'aBcDeF'.repeat(6)}abcd` };
    renameSync(
      writeContractFolder(folder, { ...large, address: large.address.toLowerCase() }, metadataOf(match)),
      join(chain, large.address),
    );
    mkdirSync(join(chain, '0x12'));
    writeFileSync(join(chain, `0x${'7'.repeat(40)}`), '');
    symlinkSync('/', join(chain, `0x${'8'.repeat(40)}`));
    const { listed, problems } = await readAll();
    expect(listed.map(({ address }) => address)).toEqual([match.address, other.address, large.address.toLowerCase()]);
    expect(problems.sort()).toEqual([
      expect.stringMatching(/0x12 is not named by an address/),
      expect.stringMatching(/0x7{40} is no folder; links are not followed/),
      expect.stringMatching(/0x8{40} is no folder; links are not followed/),
    ]);
  });

  it('finds libraries of both forms, and the text of sources in the metadata itself', async () => {
    const usual = metadataOf(match);
    const literal = { ...usual.sources['lib/Shared.sol']!, content: match.sources['lib/Shared.sol'] };
    const place = write(2, {
      ...usual,
      settings: { ...usual.settings, libraries: { 'a:b.sol:L': '0x01', M: '0x02' } },
      sources: { ...usual.sources, 'lib/Shared.sol': literal },
    });
    for (const name of readdirSync(join(place, 'sources'))) {
      if (readFileSync(join(place, 'sources', name), 'utf8').startsWith('library'))
        rmSync(join(place, 'sources', name));
    }
    const claim = JSON.parse((await readAll()).claims[match.address]!);
    expect(claim.input.settings.libraries).toEqual({ 'a:b.sol': { L: '0x01' }, '': { M: '0x02' } });
    expect(claim.input.sources).toEqual(
      Object.fromEntries(Object.entries(match.sources).map(([path, content]) => [path, { content }])),
    );
    expect(claim.input.settings).not.toHaveProperty('compilationTarget');
  });
});

it('says what it expects where there is no export', async () => {
  for (const path of [folder, join(folder, 'nothing')]) {
    await expect(readAll(path)).rejects.toThrow(/has neither parquet files|cannot be read: ENOENT/);
  }
  writeFileSync(join(folder, 'x.tar'), '');
  await expect(readAll(join(folder, 'x.tar'))).rejects.toThrow(/is neither a folder nor manifest\.json/);
});

function makePipe(path: string): void {
  spawnSync('sh', ['-c', 'mkfifo "$0"', path]);
}

function patch(path: string, at: number, text: string): void {
  const bytes = readFileSync(path);
  bytes.write(text, at < 0 ? bytes.length + at : at, 'latin1');
  writeFileSync(path, bytes);
}

function set(row: Tables[string][number] | undefined, name: string, value: Tables[string][number][string]): void {
  row![name] = value;
}
