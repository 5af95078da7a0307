// Where stream files come from, and what of them is imported.
import { oneThird } from '../../../importer/open/consensus-ratio.ts';
import { commandGroups } from '../command-groups.ts';
import {
  bigintSetting,
  durationSetting,
  filterSetting,
  integerSetting,
  ratioSetting,
  startPointSetting,
  streamPointSetting,
  switchSetting,
  textSetting,
  urlSetting,
} from '../setting.ts';

const { reading, importing } = commandGroups;

export const streamSettings = {
  source: textSetting({
    placeholder: '<folder>',
    description:
      'Folder with stream files in bucket layout (recordstreams/record0.0.3/…, or <network>/<shard>/<node>/record/…), or with blocks (5.blk.gz, 0000/0000/…); both below one folder for a network that moves from one to the other. Or a bucket in these layouts, s3://<bucket>/<prefix> or gs://…. Or a block node, grpc://<host>:40840 (with TLS grpcs://…; ?status=<port> where its status has a port of its own). Or several of these in order of preference, separated by commas: see docs/guides/follow-a-network.md.',
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
  'discover-block-nodes': switchSetting({
    description:
      'Use block nodes that the ledger registers as further sources behind those of --source: at most eight, at public addresses, over TLS where they are registered so. Anybody may have registered them; see docs/guides/follow-a-network.md.',
    commands: importing,
    default: false,
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
  'max-block-size': integerSetting({
    placeholder: '<MiB>',
    min: 16,
    max: 4096,
    description:
      'Largest block without compression, and largest block file. A larger one is refused before it is in memory. Votes of the network on its proofs make blocks of 99 MB, in 2026.',
    commands: reading,
    default: 512,
  }),
  'max-message-size': integerSetting({
    placeholder: '<MiB>',
    min: 8,
    max: 1024,
    description:
      'Largest message of a block node, and largest item of a block. Nodes allow items of 125 MiB and messages of 128 MiB.',
    commands: reading,
    default: 160,
  }),
  'address-book': textSetting({
    placeholder: '<file>',
    description:
      'Address book to begin with: the serialized NodeAddressBook of the file 102 of the network. Later books come from the stream. Record files, and blocks that wrap them, need one; a block stream does not.',
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
  'reimport-from': bigintSetting({
    description:
      'Import the stored blocks from this number on once more, where an earlier version wrote other rows of them; then go on as usual. The source must still have them. Rows of transactions, results, logs and the like are replaced; accounts, balances, tokens and other state stay. See docs/guides/operate.md.',
    commands: ['import'],
    defaultText: 'nothing is imported again',
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
};
