// The rooms of ARCHITECTURE.md as rules. Which room may import from which stands in one table; everything else is refused.
// Tests may import from every room.

/** Packages stand alone: each is of use without the program. Rooms of the program are folders of `src`. */
const packages = Object.fromEntries(
  [
    'abi',
    'kit',
    'machine',
    'postgres',
    'proof',
    'protocol',
    'schema',
    'sources',
    'status',
    'store',
    'streams',
    'verification',
  ]
    .map((name) => [name, `packages/${name}`])
    .concat([
      ['network', 'packages/simulated-network'],
      ['web', 'packages/web-server'],
    ]),
);

const stored = ['kit', 'protocol', 'streams', 'postgres', 'schema', 'store'];
const answered = [...stored, 'abi', 'web', 'ledger', 'calls', 'verification', 'contracts'];

/** Room by the rooms that it may import from. */
const allowed = {
  kit: [],
  abi: ['kit'],
  protocol: ['kit'],
  postgres: ['kit'],
  web: ['kit'],
  schema: ['kit', 'protocol', 'postgres'],
  proof: ['kit'],
  machine: ['kit', 'abi', 'protocol'],
  streams: ['kit', 'protocol', 'proof'],
  store: ['kit', 'protocol', 'streams', 'postgres', 'schema'],
  sources: ['kit', 'protocol', 'streams'],
  network: ['kit', 'abi', 'protocol', 'machine', 'streams'],
  status: ['kit', 'web'],
  verification: ['kit', 'abi', 'web', 'protocol', 'postgres'],
  ledger: [...stored, 'proof'],
  calls: [...stored, 'abi', 'machine', 'ledger'],
  contracts: [...stored, 'abi', 'verification'],
  importer: [...stored, 'proof', 'sources'],
  transfer: [...stored, 'sources'],
  api: answered,
  resources: [...answered, 'api'],
  pages: [...answered, 'api', 'resources'],
  doors: [...answered, 'api', 'resources'],
  server: [...answered, 'status', 'api', 'resources', 'pages'],
  runtime: [...answered, 'sources', 'status', 'importer', 'transfer', 'api', 'doors', 'server'],
  cli: [...stored, 'web', 'sources', 'status', 'importer', 'transfer', 'runtime', 'network'],
};
const folderOf = (room) => packages[room] ?? `src/${room}`;

const inProduction = { pathNot: '[.]test[.]ts$|^packages/[^/]+/examples/' };
const { network } = packages;
/** Folders of `test` that others there may import from. */
const helpers = ['support', 'oracle', 'fuzz', 'plans', 'pages'];

const forbidden = [
  { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'room-is-in-the-table',
    comment: 'A new room needs its line in `allowed`.',
    severity: 'error',
    from: {
      path: '^(src|packages)/',
      pathNot: `^(${Object.keys(allowed).map(folderOf).join('|')}|packages/test-support)/`,
    },
    to: {},
  },
  ...Object.entries(allowed).map(([room, others]) => ({
    name: `${room}-imports-what-the-table-allows`,
    severity: 'error',
    from: { path: `^${folderOf(room)}/`, ...inProduction },
    to: { path: '^(src|packages)/', pathNot: `^(${[room, ...others].map(folderOf).join('|')})/` },
  })),
  {
    name: 'packages-stand-alone',
    comment: 'A package is of use without the program, whatever the table allows.',
    severity: 'error',
    from: { path: '^packages/', pathNot: '[.]test[.]ts$|^packages/test-support/' },
    to: { path: '^src/' },
  },
  {
    name: 'only-tests-import-tests',
    severity: 'error',
    from: { path: '^(src|packages)/', pathNot: '[.]test[.]ts$|^packages/test-support/' },
    to: { path: '^test/|^bench/|^packages/test-support/|[.]test[.]ts$' },
  },
  {
    name: 'tests-beside-the-code-leave-test-alone',
    comment: 'What they share with the tests of the whole system is in packages/test-support.',
    severity: 'error',
    from: { path: '^(src|packages)/' },
    to: { path: '^(test|bench)/' },
  },
  {
    name: 'the-network-has-one-door',
    severity: 'error',
    from: { path: '^src/cli/', ...inProduction },
    to: { path: `^${network}/`, pathNot: `^${network}/network[.]ts$` },
  },
  {
    name: 'tests-share-helpers-only',
    comment: 'test/README.md says which folder is for what.',
    severity: 'error',
    from: { path: '^test/([^/]+)/' },
    to: { path: '^test/', pathNot: `^test/($1|${helpers.join('|')})/` },
  },
  {
    name: 'migrations-are-frozen-text',
    comment: 'A migration that takes its statements from a living description changes when that does.',
    severity: 'error',
    from: { path: '^packages/schema/migration/migrations[.]ts$' },
    to: { path: '^(src|packages)/' },
  },
  {
    name: 'proof-is-pure',
    comment: 'What proofs are checked with comes from @noble alone: no files, no network, no clock.',
    severity: 'error',
    from: { path: '^packages/proof/', ...inProduction },
    to: { pathNot: '^packages/(proof|kit)/|node_modules/@noble/' },
  },
  {
    name: 'machine-is-pure',
    comment: 'The machine runs on what it is given, and on @noble: no files, no network, no clock.',
    severity: 'error',
    from: { path: '^packages/machine/', ...inProduction },
    to: {
      pathNot:
        '^packages/(machine|kit|abi|protocol/hapi)/|^packages/protocol/stream-file-error[.]ts$|node_modules/@noble/',
    },
  },
  {
    name: 'the-verifier-for-others-stands-alone',
    comment: 'Who uses it should not have to trust, or install, anything of the mirror.',
    severity: 'error',
    from: { path: '^clients/' },
    to: { path: '^(src|packages|test|bench|scripts)/' },
  },
  {
    name: 'the-verifier-for-others-uses-noble-alone',
    severity: 'error',
    from: { path: '^clients/', pathNot: '/cli[.]js$' },
    to: { pathNot: '^clients/|node_modules/@noble/' },
  },
  {
    name: 'manifests-are-not-packed',
    comment: 'The packed program has no package.json of its parts: it would not start.',
    severity: 'error',
    from: { path: '^(src|packages)/' },
    to: { path: '^packages/[^/]+/package[.]json$' },
  },
  {
    name: 'sql-in-store-only',
    severity: 'error',
    from: { path: '^(src|packages)/', pathNot: '^packages/(postgres|schema|store|test-support)/|[.]test[.]ts$' },
    to: { path: 'node_modules/(pg|pg-copy-streams)/' },
  },
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
