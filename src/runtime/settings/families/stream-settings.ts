// Where stream files come from, and which of them are imported.

import { bigint, file, integer, type Kind, onOff, setting, text, url } from '../../../../packages/kit/setting.ts';
import { type FilterTerms, parseFilterTerms } from '../../../importer/extent/stream-filter.ts';
import {
  parseStartPoint,
  parseStreamPoint,
  type StartPoint,
  type StreamPoint,
} from '../../../importer/extent/stream-point.ts';
import { type ConsensusRatio, oneThird, parseConsensusRatio } from '../../../importer/open/consensus-ratio.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { reading, fetching, asking, importing } = commandGroups;

const ratio: Kind<ConsensusRatio> = {
  placeholder: '<ratio>',
  shape: 'a share above 0 and at most 1, such as 1/3 or 0.5',
  read: parseConsensusRatio,
};

/** Answers and pages show them with 0x. */
function hexOf(lengths: string, pattern: RegExp): Kind<Buffer> {
  return {
    placeholder: '<hex>',
    shape: `${lengths} hexadecimal digits`,
    read: (given) => (pattern.test(given) ? Buffer.from(given.replace(/^0x/i, ''), 'hex') : null),
  };
}

const ledgerId = hexOf('64 or 128', /^(?:0x)?(?:[0-9a-f]{64}){1,2}$/i);
const keyHash = hexOf('64', /^(?:0x)?[0-9a-f]{64}$/i);

const nsOfUnit: Record<string, bigint> = { h: 3_600_000_000_000n, d: 86_400_000_000_000n, w: 604_800_000_000_000n };

/** In nanoseconds. */
const duration: Kind<bigint> = {
  placeholder: '<duration>',
  shape: 'a number of hours, days or weeks such as 36h, 7d or 12w',
  read(given) {
    const [, count, unit] = /^([1-9]\d{0,4})([hdw])$/.exec(given) ?? [];
    return count === undefined ? null : BigInt(count) * nsOfUnit[unit!]!;
  },
};

const filter: Kind<FilterTerms> = {
  placeholder: '<id|type,...>',
  shape: 'entity ids and names of transaction types with commas between, such as 0.0.1001,TOKENMINT',
  read: parseFilterTerms,
};

const points = 'a block number, seconds with a point such as 1700000000.0, or a time such as 2026-01-31T12:00:00Z';
const streamPoint: Kind<StreamPoint> = { placeholder: '<time|block>', shape: points, read: parseStreamPoint };
const startPoint: Kind<StartPoint> = {
  placeholder: '<time|block|genesis|now>',
  shape: `genesis, now, ${points}`,
  read: parseStartPoint,
};

export const streamSettings = {
  ...settingsOf(fetching, {
    source: text(
      { placeholder: '<folder>', defaultText: 'start: the simulated network' },
      'Folder with stream files in bucket layout (recordstreams/record0.0.3/…, or <network>/<shard>/<node>/record/…), or with blocks (5.blk.gz, 0000/0000/…); both below one folder for a network that moves from one to the other. Or a bucket in these layouts, s3://<bucket>/<prefix> or gs://…. Or a block node, grpc://<host>:40840 (with TLS grpcs://…; ?status=<port> where its status has a separate port). Or several of these in order of preference, separated by commas: see docs/guides/follow-a-network.md. Also serve reads files of it again, where it hands over proofs.',
    ),
  }),
  ...settingsOf(asking, {
    'source-timeout': integer(
      { unit: 's', min: 1, max: 3600, default: 10 },
      'How long a block node or a bucket may take to answer, or be silent while it has more. Then a block node is left for the next source, and a bucket is asked again.',
    ),
  }),
  ...settingsOf(importing, {
    'discover-block-nodes': onOff(
      { default: false },
      'Use block nodes that the ledger registers as further sources behind those of --source: at most eight, at public addresses, over TLS where they are registered so. Anybody may have registered them; see docs/guides/follow-a-network.md.',
    ),
  }),
  ...settingsOf(asking, {
    'source-endpoint': url(
      { schemes: ['http', 'https'], defaultText: 'that of Amazon or Google' },
      'Address of the object store for s3://… and gs://…, where it is not that of Amazon or Google.',
    ),
    'source-region': text(
      {
        placeholder: '<region>',
        defaultText: 'AWS_REGION or the profile, else us-east-1; Amazon says where the bucket is',
      },
      'Region of the bucket of s3://….',
    ),
    'source-requester-pays': onOff(
      { default: false },
      'Agree to pay for requests and bytes of a bucket whose owner lets the reader pay.',
    ),
    'source-project': text(
      { placeholder: '<project>', defaultText: 'the project of the credentials' },
      'Google Cloud project that pays for gs://… with --source-requester-pays.',
    ),
  }),
  ...settingsOf(fetching, {
    'source-poll': integer(
      { unit: 's', min: 1, max: 3600, default: 3 },
      'How often a bucket is asked for new files: each time costs a list request for each node, or one for blocks.',
    ),
    'source-ahead': integer(
      { unit: 'MB', min: 1, max: 4096, default: 64 },
      'How much of a bucket is fetched before it is read.',
    ),
    'max-block-size': integer(
      { unit: 'MiB', min: 16, max: 4096, default: 512 },
      'Largest block without compression, and largest block file. A larger one is refused before it is in memory. Votes of the network on its proofs make blocks of 99 MB, in 2026.',
    ),
    'max-message-size': integer(
      { unit: 'MiB', min: 8, max: 1024, default: 160 },
      'Largest message of a block node, and largest item of a block. Nodes allow items of 125 MiB and messages of 128 MiB.',
    ),
  }),
  ...settingsOf(reading, {
    'address-book': file(
      { defaultText: 'the book that is stored already' },
      'Address book to begin with: the serialized NodeAddressBook of the file 102 of the network. Later books come from the stream. Record files, and blocks that wrap them, need one; a block stream does not.',
    ),
  }),
  ...settingsOf(['start', 'import', 'verify', 'bootstrap'], {
    'consensus-ratio': setting(
      ratio,
      { default: oneThird, defaultText: '1/3' },
      'Share of the stake that must have signed a file for it to be accepted.',
    ),
  }),
  ...settingsOf(['start', 'import', 'verify', 'bootstrap'], {
    'ledger-id': setting(
      ledgerId,
      { defaultText: 'the one that signed record files, the first block or the export name' },
      'Ledger id that the threshold signatures of blocks must be of, as the operators of the network make it known: 32 bytes, the hash of its first address book, or 64, that hash and the one of its first key. An import stores it, and later blocks must be of it also without this setting. An export of another ledger is refused.',
    ),
  }),
  ...settingsOf(['start', 'import', 'verify'], {
    'ledger-key': setting(
      keyHash,
      { defaultText: 'the keys that the ledger id and proved blocks name' },
      'Hash of the hinTS key that blocks are signed with, where nothing else vouches for it: an import that begins in the middle of a stream, or a change of keys that no proved block announced. Whoever gives it vouches for it. An import stores it.',
    ),
    'ledger-publication': file(
      { defaultText: 'the one in the stream' },
      'Publication of the ledger id, for a stream that begins after it: the serialized message of its transaction, or the block that has it (0.blk.gz). Whoever gives it vouches for it.',
    ),
  }),
  ...settingsOf(['import'], {
    once: onOff({ default: false }, 'Import the files that are there, then exit instead of waiting for more.'),
    bulk: onOff(
      { default: false },
      'First import of much history: indexes that only queries need are made when it has caught up, which costs less than keeping them up to date. Until then queries are slow. If it is killed, the next start continues it; a start without --bulk makes the indexes first.',
    ),
    'reimport-from': bigint(
      { defaultText: 'nothing is imported again' },
      'Import the stored blocks from this number on once more, up to the newest or to --until, where an earlier version wrote other rows of them; then go on as usual. The source must still have them. Rows of transactions, results, logs and the like are replaced; accounts, balances, tokens and other state stay. See docs/guides/operate.md.',
    ),
  }),
  ...settingsOf(importing, {
    from: setting(
      startPoint,
      { defaultText: 'genesis, or where the database began' },
      'Where an empty database begins: at the first file or block at or after a time (UTC, or seconds with a point) or a block number, at the newest (now), or at the first that the source has (genesis). The database remembers it; see docs/guides/small-mirror.md.',
    ),
    until: setting(
      streamPoint,
      { defaultText: 'no end' },
      'Where the import ends although there is more: after this block, or with the block of this time. Queries are still answered.',
    ),
    include: setting(
      filter,
      { defaultText: 'all, or what the database was filled with' },
      'Store only transactions that touch one of these entities or are of one of these types: 0.0.1001,0.0.1013,TOKENMINT. State is stored of everything, so that balances are right. The database remembers it; see docs/guides/small-mirror.md.',
    ),
    exclude: setting(
      filter,
      { defaultText: 'none, or what the database was filled without' },
      'Do not store transactions that touch one of these entities or are of one of these types, even if included.',
    ),
    keep: setting(
      duration,
      { defaultText: 'everything; 7d of the simulated network of start' },
      'How much of the newest part of the ledger is kept, in hours, days or weeks (36h, 7d, 12w). Older transactions, blocks and histories are dropped; accounts, tokens, balances and other state stay. See docs/guides/small-mirror.md.',
    ),
    'keep-proofs': onOff(
      { default: false },
      'Keep what proofs of transactions are made of: the block, or the record file with its signatures, compressed, with each block that is imported from now on. Without it they are read from the source again, if that is known and still has them. See docs/reference/proof-documents.md.',
    ),
    'start-block': bigint(
      { default: 0n },
      'Block number of the first file, where the files (record files before v6) carry none.',
    ),
    'commit-transactions': integer(
      { min: 0, max: 100_000, default: 5000 },
      'Behind the head of the stream several small blocks are written in one database transaction; this is how many transactions of the ledger one may have. 0 writes every block by itself.',
    ),
  }),
};
