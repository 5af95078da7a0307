// The floors of ARCHITECTURE.md as rules: a file imports from lower floors only, from its own room, and rooms of one
// floor never know each other.
const floors = [
  ['kit'],
  ['protocol'],
  ['store', 'source'],
  ['importer', 'ledger', 'verification', 'status'],
  ['http'],
  ['runtime'],
  ['cli'],
];

const forbidden = [
  { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'network-knows-protocol-only',
    severity: 'error',
    from: { path: '^src/network/', pathNot: '[.]test[.]ts$' },
    to: { path: '^src/', pathNot: '^src/(network|protocol|kit)/' },
  },
  {
    name: 'network-is-not-needed-in-production',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/(network|runtime|cli)/|[.]test[.]ts$' },
    to: { path: '^src/network/' },
  },
  {
    name: 'only-tests-import-tests',
    severity: 'error',
    from: { path: '^src/', pathNot: '[.]test[.]ts$' },
    to: { path: '^test/' },
  },
  {
    name: 'migrations-are-frozen-text',
    comment: 'A migration that takes its statements from a living description changes when that does.',
    severity: 'error',
    from: { path: '^src/store/schema/migrations([.]ts$|/)' },
    to: { path: '^src/', pathNot: '^src/store/schema/migrations/' },
  },
  {
    name: 'sql-in-store-only',
    severity: 'error',
    from: { path: '^src/', pathNot: '^src/store/|[.]test[.]ts$' },
    to: { path: 'node_modules/(pg|pg-copy-streams)/' },
  },
];

floors.forEach((rooms, floor) => {
  for (const room of rooms) {
    const lower = floors.slice(0, floor).flat();
    const allowed = [room, ...lower, ...(room === 'runtime' || room === 'cli' ? ['network'] : [])];
    forbidden.push({
      name: `${room}-imports-downwards`,
      severity: 'error',
      from: { path: `^src/${room}/`, pathNot: '[.]test[.]ts$' },
      to: { path: '^src/', pathNot: `^src/(${allowed.join('|')})/` },
    });
  }
});

export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.json'] },
  },
};
