// Every setting there is. `--name`, `LEDGER_MIRROR_NAME` and the member `name` of ledger-mirror.config.json are the same
// setting; docs/reference/configuration.md is written from this table.
import { oneThird } from '../../importer/open/consensus-ratio.ts';
import {
  addressListSetting,
  bigintSetting,
  choiceSetting,
  commandNames,
  durationSetting,
  filterSetting,
  integerSetting,
  ratioSetting,
  startPointSetting,
  streamPointSetting,
  switchSetting,
  textSetting,
  urlSetting,
} from './setting.ts';

const storing = ['start', 'import', 'serve', 'migrate', 'doctor'] as const;
const reading = ['start', 'import', 'verify', 'doctor'] as const;
const importing = ['start', 'import'] as const;
const serving = ['start', 'serve'] as const;
const reporting = ['start', 'serve', 'status'] as const;
const simulating = ['start', 'network'] as const;

export const settingsTable = {
  config: textSetting({
    placeholder: '<file>',
    description: 'Configuration file (JSON) that is read after flags and environment.',
    commands: commandNames,
    default: 'ledger-mirror.config.json',
  }),
  'log-level': choiceSetting({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    description: 'Lowest level of messages that are logged.',
    commands: commandNames,
    default: 'info',
  }),
  'log-format': choiceSetting({
    choices: ['text', 'json'],
    description: 'Log lines for people or for programs.',
    commands: commandNames,
    default: 'text',
  }),

  port: integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description: 'Port of the service; 0 takes a free one.',
    commands: [...serving, 'doctor'],
    default: 5551,
  }),
  host: textSetting({
    placeholder: '<address>',
    description: 'Address to listen on; 0.0.0.0 makes the service reachable from the network.',
    commands: [...serving, 'import', 'status', 'doctor'],
    default: '127.0.0.1',
  }),
  workers: integerSetting({
    min: 1,
    max: 256,
    description:
      'Number of processes that share the port. What other settings bound (database connections, client connections, memory for answers) is divided among them; rate limits are counted by each.',
    commands: ['serve'],
    default: 1,
  }),
  'health-port': integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description:
      'Port on which the import answers /health/liveness, /health/readiness and /metrics; 0 takes a free one.',
    commands: ['import'],
    defaultText: 'none',
  }),
  'trust-proxy': addressListSetting({
    description:
      'Addresses or networks of trusted proxies. The address that they give in X-Forwarded-For is used as the address of the client, for example to count wrong tokens and for rate limits.',
    commands: reporting,
    defaultText: 'none',
  }),
  'head-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to send the head of a request.',
    commands: reporting,
    default: 10,
  }),
  'body-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to send the body of a request.',
    commands: reporting,
    default: 30,
  }),
  'idle-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a connection stays open between two requests.',
    commands: reporting,
    default: 60,
  }),
  'answer-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a client may take to receive an answer.',
    commands: reporting,
    default: 60,
  }),
  'max-connections': integerSetting({
    min: 1,
    max: 1_000_000,
    description:
      'Maximum number of open client connections. At the limit the connection that has been idle longest is closed; when all are busy, only health and metrics are answered, other requests get status 503.',
    commands: reporting,
    defaultText: 'three quarters of the open files allowed, less 64, from 16 to 4096',
  }),
  'max-wait': integerSetting({
    placeholder: '<ms>',
    min: 0,
    max: 60_000,
    description:
      'Requests that would wait longer than this for their answer, because of the others, get status 503 at once; at least 32 are always worked on. Answers from the cache, health and metrics are not counted. 0 = no limit.',
    commands: serving,
    default: 150,
  }),
  'rate-limit': integerSetting({
    min: 1,
    max: 1_000_000_000,
    description:
      'Requests that one address (with IPv6, one /64 network) may send to this process within rate-limit-window; more get status 429.',
    commands: serving,
    defaultText: 'any number',
  }),
  'rate-limit-window': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 86_400,
    description: 'The time in which requests are counted for rate limits.',
    commands: serving,
    default: 60,
  }),
  'api-keys': textSetting({
    placeholder: '<name:key,...>',
    description:
      'Clients that are counted by themselves and not by their address: each sends its key, of at least 16 characters, in the header X-API-Key.',
    commands: serving,
    defaultText: 'none',
    secret: true,
  }),
  'api-key-rate-limit': integerSetting({
    min: 1,
    max: 1_000_000_000,
    description: 'Requests with one API key within rate-limit-window.',
    commands: serving,
    defaultText: 'any number',
  }),
  'data-dir': textSetting({
    placeholder: '<folder>',
    description: 'Where the embedded PostgreSQL, the status service and the simulated network keep their files.',
    commands: [...storing, 'status', 'network'],
    default: './data',
  }),
  'database-url': urlSetting({
    schemes: ['postgres', 'postgresql'],
    placeholder: '<url>',
    description:
      'PostgreSQL 15 or later to use in place of the embedded one: postgres://user:password@host:port/database.',
    commands: storing,
    environment: 'DATABASE_URL',
    defaultText: 'the embedded PostgreSQL',
    secret: true,
  }),
  'statement-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description: 'How long a query may take in PostgreSQL; a request that needs longer gets status 503.',
    commands: serving,
    default: 20,
  }),
  'replica-urls': textSetting({
    placeholder: '<url,...>',
    description:
      'Replicas of the database that queries are answered from, in order of preference, each like --database-url: the first that answers and is not too far behind, else the database itself. See docs/guides/scale.md.',
    commands: ['serve', 'doctor'],
    defaultText: 'none',
    secret: true,
  }),
  'replica-max-lag': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 86_400,
    description: 'A replica whose newest block is this much older than that of the database is not asked.',
    commands: ['serve', 'doctor'],
    default: 10,
  }),
  'database-connections': integerSetting({
    min: 1,
    max: 50,
    description: 'Maximum number of concurrent queries; further ones wait for a free connection.',
    commands: serving,
    defaultText: 'two for each processor core, from 10 to 32',
  }),
  'answer-cache': integerSetting({
    placeholder: '<MB>',
    min: 0,
    max: 65_536,
    description:
      'Memory for answers that are kept for the next who asks the same, in MB. An answer is kept until the next block is committed and is never older than its Cache-Control says; 0 asks the database every time.',
    commands: serving,
    default: 64,
  }),
  'reader-role': textSetting({
    placeholder: '<name>',
    description:
      'Role of PostgreSQL that gets the right to read the tables, those of later versions too; made where it does not exist.',
    commands: ['migrate'],
    defaultText: 'none',
  }),
  distributed: switchSetting({
    description:
      'Spread the tables over the machines of a Citus cluster, with DATABASE_URL the address of its coordinator. It stays so; see docs/guides/scale.md.',
    commands: ['migrate'],
    default: false,
  }),
  'read-only': switchSetting({
    description:
      'Answer from a database that another program fills, for example a Hiero mirror node, and change nothing in it.',
    commands: ['serve', 'doctor'],
    default: false,
  }),

  source: textSetting({
    placeholder: '<folder>',
    description:
      'Folder with stream files in bucket layout (recordstreams/record0.0.3/…, or <network>/<shard>/<node>/record/…), or with blocks (5.blk.gz, 0000/0000/…); both below one folder for a network that moves from one to the other. Or a bucket in these layouts, s3://<bucket>/<prefix> or gs://…. Or a block node, grpc://<host>:40840 (with TLS grpcs://…). Or several of these in order of preference, separated by commas: see docs/guides/follow-a-network.md.',
    commands: reading,
    defaultText: 'start: the simulated network',
  }),
  'source-timeout': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description:
      'How long a block node or a bucket may take to answer, or be silent while it has more. Then a block node is left for the next source, and a bucket is asked again.',
    commands: reading,
    default: 10,
  }),
  'source-endpoint': urlSetting({
    schemes: ['http', 'https'],
    description: 'Address of the object store for s3://… and gs://…, where it is not that of Amazon or Google.',
    commands: reading,
    defaultText: 'that of Amazon or Google',
  }),
  'source-region': textSetting({
    placeholder: '<region>',
    description: 'Region of the bucket of s3://….',
    commands: reading,
    defaultText: 'AWS_REGION or the profile, else us-east-1; Amazon says where the bucket is',
  }),
  'source-requester-pays': switchSetting({
    description: 'Agree to pay for requests and bytes of a bucket whose owner lets the reader pay.',
    commands: reading,
    default: false,
  }),
  'source-project': textSetting({
    placeholder: '<project>',
    description: 'Google Cloud project that pays for gs://… with --source-requester-pays.',
    commands: reading,
    defaultText: 'the project of the credentials',
  }),
  'source-poll': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description:
      'How often a bucket is asked for new files: each time costs a list request for each node, or one for blocks.',
    commands: reading,
    default: 3,
  }),
  'source-ahead': integerSetting({
    placeholder: '<MB>',
    min: 1,
    max: 4096,
    description: 'How much of a bucket is fetched before it is read.',
    commands: reading,
    default: 64,
  }),
  'address-book': textSetting({
    placeholder: '<file>',
    description:
      'Address book to begin with: the serialized NodeAddressBook of file 0.0.102. Later books come from the stream.',
    commands: reading,
    defaultText: 'the book that is stored already',
  }),
  'consensus-ratio': ratioSetting({
    description: 'Share of the stake that must have signed a file for it to be accepted.',
    commands: ['start', 'import', 'verify'],
    default: oneThird,
    defaultText: '1/3',
  }),
  once: switchSetting({
    description: 'Import the files that are there, then exit instead of waiting for more.',
    commands: ['import'],
    default: false,
  }),
  bulk: switchSetting({
    description:
      'First import of much history: indexes that only queries need are made when it has caught up, which costs less than keeping them up to date. Until then queries are slow. Killed, it goes on with the next start; a start without --bulk makes the indexes first.',
    commands: ['import'],
    default: false,
  }),
  from: startPointSetting({
    description:
      'Where an empty database begins: at the first file or block at or after a time (UTC, or seconds with a point) or a block number, at the newest (now), or at the first that the source has (genesis). The database remembers it; see docs/guides/small-mirror.md.',
    commands: importing,
    defaultText: 'genesis, or where the database began',
  }),
  until: streamPointSetting({
    description:
      'Where the import ends although there is more: after this block, or with the block of this time. Queries are answered on.',
    commands: importing,
    defaultText: 'no end',
  }),
  include: filterSetting({
    description:
      'Store only transactions that touch one of these entities or are of one of these types: 0.0.1001,0.0.2002,TOKENMINT. State is stored of everything, so that balances are right. The database remembers it; see docs/guides/small-mirror.md.',
    commands: importing,
    defaultText: 'all, or what the database was filled with',
  }),
  exclude: filterSetting({
    description:
      'Do not store transactions that touch one of these entities or are of one of these types, even if included.',
    commands: importing,
    defaultText: 'none, or what the database was filled without',
  }),
  keep: durationSetting({
    description:
      'How much of the newest part of the ledger is kept, in hours, days or weeks (36h, 7d, 12w). Older transactions, blocks and histories are dropped; accounts, tokens, balances and other state stay. See docs/guides/small-mirror.md.',
    commands: importing,
    defaultText: 'everything',
  }),
  'start-block': bigintSetting({
    description: 'Block number of the first file, where the files (record files before v6) carry none.',
    commands: importing,
    default: 0n,
  }),

  'commit-transactions': integerSetting({
    min: 0,
    max: 100_000,
    description:
      'Behind the head of the stream several small blocks are written in one database transaction; this is how many transactions of the ledger one may have. 0 writes every block by itself.',
    commands: importing,
    default: 5000,
  }),

  network: textSetting({
    placeholder: '<name>',
    description:
      'Name of the network: mainnet, testnet, previewnet or any other. It determines the default chain id. The import stores it in the database; later a different name is refused.',
    commands: ['start', 'import', 'serve', 'status', 'network'],
    defaultText: 'what the database was filled for; demo where the network is simulated',
  }),
  'chain-id': bigintSetting({
    hex: true,
    description:
      'Chain id shown for contract results without an Ethereum transaction; stored in the database like --network.',
    commands: [...serving, 'import'],
    defaultText:
      'what the database was filled for; mainnet 0x127, testnet 0x128, previewnet 0x129, demo 0x12a, else 0x128',
  }),
  shard: bigintSetting({ description: 'Shard that short entity ids belong to.', commands: serving, default: 0n }),
  realm: bigintSetting({ description: 'Realm that short entity ids belong to.', commands: serving, default: 0n }),

  dialect: choiceSetting({
    choices: ['spec', 'hiero'],
    description: 'How the API answers: as the specification says, or byte for byte as the Hiero mirror node does.',
    commands: serving,
    default: 'spec',
  }),
  'limit-default': integerSetting({
    min: 1,
    max: 10_000,
    description: 'Page size when a request does not specify one.',
    commands: serving,
    default: 25,
  }),
  'limit-max': integerSetting({
    min: 1,
    max: 10_000,
    description: 'Maximum page size.',
    commands: serving,
    default: 100,
  }),
  'token-balance-limit': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Maximum number of token balances in one account.',
    commands: serving,
    default: 1000,
  }),
  'listed-token-balance-limit': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Most token balances of each account in lists of accounts and balances.',
    commands: serving,
    default: 50,
  }),
  'max-repeated-parameters': integerSetting({
    min: 1,
    max: 1000,
    description: 'How often one query parameter may be repeated.',
    commands: serving,
    default: 100,
  }),
  'delegation-address': switchSetting({
    description: 'Show delegation_address of accounts and authorization_list of contract results.',
    commands: serving,
    default: false,
  }),
  'synthetic-results': switchSetting({
    description: 'List results made from synthetic contract logs among the contract results.',
    commands: serving,
    default: true,
  }),
  'max-timestamp-range': integerSetting({
    placeholder: '<days>',
    min: 1,
    max: 3650,
    description: 'Maximum time range of a search for logs by topic.',
    commands: serving,
    default: 7,
  }),
  'bind-timestamp-range': switchSetting({
    description: 'Bound open timestamp ranges of transaction and result lists to the newest (or oldest) 60 days.',
    commands: serving,
    default: false,
  }),
  clock: integerSetting({
    placeholder: '<epoch seconds>',
    min: 0,
    max: 9_999_999_999,
    description: 'For tests: the time at which the clock starts that answers depend on.',
    commands: serving,
    defaultText: "the machine's clock",
  }),

  'verify-chains': textSetting({
    placeholder: '<file>',
    description:
      'YAML or JSON file with the chains and block explorers that contracts are checked against, see docs/guides/verify-contracts.md.',
    commands: serving,
    defaultText: 'the mirrored chain alone',
  }),
  'verify-recheck': integerSetting({
    placeholder: '<s>',
    min: 0,
    max: 31_536_000,
    description:
      'How long the result of a contract check that was not perfect is kept before the record is fetched again.',
    commands: serving,
    default: 600,
  }),
  'verify-compilers': textSetting({
    placeholder: '<folder>',
    description:
      'Folder with Solidity compilers (soljson files, or packages that hold one) for contract checks, beside the installed packages; downloads go here.',
    commands: serving,
    defaultText: '<data-dir>/compilers',
  }),
  'verify-download': choiceSetting({
    choices: ['off', 'npm', 'list'],
    description:
      'Fetch compilers that are missing: from the npm registry, or by the list at verify-download-url. What is fetched is checked before it is used.',
    commands: serving,
    default: 'off',
  }),
  'verify-download-url': urlSetting({
    schemes: ['http', 'https'],
    placeholder: '<url>',
    description:
      'URL of the folder with list.json of the Solidity project, which names the compilers and their SHA-256.',
    commands: serving,
    default: 'https://binaries.soliditylang.org/bin',
  }),
  'verify-compile-seconds': integerSetting({
    placeholder: '<s>',
    min: 1,
    max: 3600,
    description:
      'Maximum processor time for compiling and comparing in one contract check. A busy machine does not shorten it.',
    commands: serving,
    default: 120,
  }),
  'verify-compile-memory': integerSetting({
    placeholder: '<MB>',
    min: 128,
    max: 65_536,
    description: 'Maximum memory of the process of one contract check.',
    commands: serving,
    default: 1024,
  }),
  'verify-concurrent': integerSetting({
    min: 1,
    max: 64,
    description: 'Maximum number of contract checks that compile at the same time.',
    commands: serving,
    default: 1,
  }),
  'verify-queue': integerSetting({
    min: 0,
    max: 10_000,
    description:
      'Maximum number of contract checks in the queue, which hold at most ten times verify-input together; more are refused with status 429.',
    commands: serving,
    default: 250,
  }),
  'verify-input': integerSetting({
    placeholder: '<bytes>',
    min: 1000,
    max: 30_000_000,
    description: 'Maximum size of the sources and settings of one contract check.',
    commands: serving,
    default: 10_000_000,
  }),

  'status-service': choiceSetting({
    choices: ['on', 'off'],
    description:
      'on: a separate process answers /status and /api/v2 on this port, and continues when this process dies.',
    commands: serving,
    default: 'on',
  }),
  'status-port': integerSetting({
    placeholder: '<port>',
    min: 0,
    max: 65_535,
    description: 'Additional port of the status service itself; 0 takes a free one.',
    commands: reporting,
    defaultText: 'none',
  }),
  'status-url': urlSetting({
    schemes: ['http', 'https'],
    placeholder: '<url>',
    description: 'Public address of the status page, for links to it.',
    commands: reporting,
    defaultText: 'http://<host>:<port>/status',
  }),
  'status-title': textSetting({
    description: 'Name of the network on the status page and in the name of its component.',
    commands: reporting,
    defaultText: 'Hedera Mainnet, Hedera Testnet, Hedera Previewnet, else <Name> Network',
  }),
  'status-token': textSetting({
    placeholder: '<name:token,...>',
    description: 'Users who may change the status over HTTP, each with a token of at least 16 characters.',
    commands: reporting,
    defaultText: 'none',
    secret: true,
  }),
  'status-rules': textSetting({
    placeholder: '<file>',
    description: 'JSON file with numbers that replace thresholds and times of the status rules.',
    commands: reporting,
    defaultText: 'the rules of docs/reference/status.md',
  }),
  'status-webhook-private': switchSetting({
    description: 'Allow webhooks to addresses that are not public, such as those of a local network.',
    commands: reporting,
    default: false,
  }),
  'status-outlive': integerSetting({
    placeholder: '<seconds>',
    min: 0,
    max: 31_536_000,
    description: 'How long the status service continues after the mirror was killed, when no mirror starts again.',
    commands: reporting,
    defaultText: '3600',
  }),

  output: textSetting({
    placeholder: '<folder>',
    description: 'Folder that the simulated network writes its stream files to.',
    commands: ['network'],
    defaultText: '<data-dir>/network',
  }),
  seed: textSetting({
    description: 'Seed of the simulated network; the same seed makes the same ledger.',
    commands: simulating,
    defaultText: "`ledger mirror`, or the stored network's own",
  }),
  nodes: integerSetting({
    min: 1,
    max: 30,
    description: 'Number of simulated consensus nodes.',
    commands: simulating,
    defaultText: "4, or the stored network's own",
  }),
  'block-interval': integerSetting({
    placeholder: '<ms>',
    min: 0,
    max: 3_600_000,
    description: 'Time between simulated blocks; 0 writes as fast as possible.',
    commands: simulating,
    default: 2000,
  }),
  blocks: integerSetting({
    min: 1,
    max: 1_000_000_000,
    description: 'Number of simulated blocks to write.',
    commands: ['network'],
    defaultText: 'no end',
  }),
  'transactions-per-block': integerSetting({
    min: 1,
    max: 100_000,
    description: 'Number of user transactions in a simulated block.',
    commands: simulating,
    defaultText: '5 to 10, varying',
  }),
  mix: choiceSetting({
    choices: ['demo', 'bulk'],
    description: 'demo: every kind of transaction; bulk: mostly transfers, for benchmarks.',
    commands: simulating,
    default: 'demo',
  }),
  format: choiceSetting({
    choices: ['records', 'wrapped', 'blocks'],
    description: 'What the simulated network writes: signed record files, blocks that wrap them, or a block stream.',
    commands: ['network'],
    default: 'records',
  }),
  'cutover-at': bigintSetting({
    placeholder: '<block>',
    description: 'First block that the simulated network writes as a block of a block stream.',
    commands: ['network'],
    defaultText: 'never',
  }),
  'keep-blocks': integerSetting({
    min: 10,
    max: 1_000_000_000,
    description: 'How many blocks the simulated network keeps on disk before it deletes the oldest.',
    commands: simulating,
    default: 5000,
  }),
};

export type SettingName = keyof typeof settingsTable;

/** Title and first setting of each group, in the order of the table. */
const groupStarts: readonly (readonly [title: string, first: SettingName])[] = [
  ['General', 'config'],
  ['Place and database', 'port'],
  ['Stream files', 'source'],
  ['Network', 'network'],
  ['Answers', 'dialect'],
  ['Contract checks', 'verify-chains'],
  ['Status', 'status-service'],
  ['Simulated network', 'output'],
];

/** The settings in groups, for help texts. */
export const settingGroups: readonly { title: string; names: readonly SettingName[] }[] = groupStarts.map(
  ([title, first], index) => {
    const names = Object.keys(settingsTable) as SettingName[];
    const next = groupStarts[index + 1]?.[1];
    return { title, names: names.slice(names.indexOf(first), next && names.indexOf(next)) };
  },
);
