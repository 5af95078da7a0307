// The rooms of ARCHITECTURE.md as rules. Which room may import from which stands in one table; everything else is refused.
// Tests may import from every room.

/** Room by the rooms that it may import from. */
const allowed = {
  kit: [],
  protocol: ['kit'],
  proof: ['kit'],
  evm: ['kit', 'protocol'],
  source: ['kit', 'protocol'],
  store: ['kit', 'protocol'],
  status: ['kit'],
  ledger: ['kit', 'protocol', 'proof', 'store'],
  calls: ['kit', 'protocol', 'store', 'evm', 'ledger'],
  importer: ['kit', 'protocol', 'proof', 'source', 'store'],
  transfer: ['kit', 'protocol', 'source', 'store'],
  verification: ['kit', 'protocol', 'store'],
  http: ['kit', 'protocol', 'store', 'ledger', 'calls', 'verification', 'status'],
  doors: ['kit', 'protocol', 'store', 'ledger', 'calls', 'http'],
  runtime: [
    ...['kit', 'protocol', 'source', 'store', 'status', 'ledger', 'calls', 'importer', 'verification', 'http'],
    ...['doors', 'transfer'],
  ],
  cli: ['kit', 'protocol', 'source', 'store', 'status', 'importer', 'transfer', 'runtime'],
};

const inProduction = { pathNot: '[.]test[.]ts$' };
const network = 'packages/simulated-network';
/** Folders of `test` that others there may import from. */
const helpers = ['support', 'oracle', 'fuzz', 'plans', 'pages'];

const forbidden = [
  { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'room-is-in-the-table',
    comment: 'A new room needs its line in `allowed`.',
    severity: 'error',
    from: { path: '^src/', pathNot: `^src/(${Object.keys(allowed).join('|')})/` },
    to: {},
  },
  ...Object.entries(allowed).map(([room, others]) => ({
    name: `${room}-imports-what-the-table-allows`,
    severity: 'error',
    from: { path: `^src/${room}/`, ...inProduction },
    to: { path: '^src/', pathNot: `^src/(${[room, ...others].join('|')})/` },
  })),
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
    name: 'network-imports-protocol-and-kit',
    severity: 'error',
    from: { path: `^${network}/`, ...inProduction },
    to: { path: '^(src|packages)/', pathNot: `^(${network}|src/evm|src/kit|src/protocol)/` },
  },
  {
    name: 'only-the-command-line-starts-the-network',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/cli/|[.]test[.]ts$' },
    to: { path: '^packages/' },
  },
  {
    name: 'the-network-has-one-door',
    severity: 'error',
    from: { path: '^src/cli/', ...inProduction },
    to: { path: '^packages/', pathNot: `^${network}/network[.]ts$` },
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
    from: { path: '^src/store/migration/migrations[.]ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'proof-is-pure',
    comment: 'What proofs are checked with comes from @noble alone: no files, no network, no clock.',
    severity: 'error',
    from: { path: '^src/proof/', ...inProduction },
    to: { pathNot: '^src/(proof|kit)/|node_modules/@noble/' },
  },
  {
    name: 'evm-is-pure',
    comment: 'The machine runs on what it is given, and on @noble: no files, no network, no clock.',
    severity: 'error',
    from: { path: '^src/evm/', ...inProduction },
    to: { pathNot: '^src/(evm|kit|protocol/hapi)/|^src/protocol/stream-file-error[.]ts$|node_modules/@noble/' },
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
    name: 'sql-in-store-only',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/store/|[.]test[.]ts$' },
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
