import { describeFailure } from '../importer/open/stream-check-error.ts';
import { type VerifiedFile, verifyStream } from '../importer/verify-stream.ts';
import { readAddressBook } from '../protocol/hapi/address-book.ts';
import { formatTimestamp } from '../protocol/hapi/timestamp.ts';
import { readAddressBookFile } from '../runtime/read-address-book-file.ts';
import { createFolderSource } from '../source/folder-source.ts';
import type { Command } from './command.ts';
import { countText } from './count-text.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Checks stream files without a database and reports each.',
  description: `
For each file: signatures of its nodes against the address book, hashes, hash chain, the running hash recomputed item by
item, sidecars. Every node's copy is looked at. Exit code 1 when anything is not what the network signed, with a sentence
that says what and where.

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror verify --source ./streams --address-book ./streams/addressbook.bin`,
  async run({ settings, shutdown, print }) {
    const sourcePath = settings.get('source');
    const addressBook = readAddressBook(readAddressBookFile(settings.get('address-book')));
    const consensusRatio = settings.get('consensus-ratio');
    let files = 0;
    let rejected = 0;
    const source = createFolderSource({ path: sourcePath });
    for await (const file of verifyStream({ source, addressBook, consensusRatio, signal: shutdown.signal })) {
      for (const line of describeFile(file)) print(line);
      files += 1;
      rejected += file.verification.rejected.length;
    }
    if (files === 0) throw new Error(`There is no record file in ${source.description}.`);
    const proved = `${countText(files, 'file is', 'files are')} proved`;
    const refused = countText(rejected, 'copy or signature is', 'copies or signatures are');
    print(rejected > 0 ? `${proved}; ${refused} not.` : `${proved}.`);
    return rejected > 0 || shutdown.signal.aborted ? 1 : 0;
  },
};

function* describeFile(file: VerifiedFile): Generator<string> {
  const { signatures, node, checks, rejected, problems } = file.verification;
  const { hapiVersion: hapi } = file;
  yield file.name;
  yield `  version ${file.version}${hapi ? `, HAPI ${hapi.major}.${hapi.minor}.${hapi.patch}` : ''}${file.blockNumber === null ? '' : `, block ${file.blockNumber}`}, ${file.transactionCount} transactions, ${file.sizeBytes} bytes from node ${node}`;
  yield `  signatures verified: ${signatures.verified} of ${signatures.nodes} nodes (${signatures.present} present); stake ${signatures.stake} of ${signatures.totalStake}, needed ${signatures.requiredStake}`;
  yield `  consensus ${formatTimestamp(file.consensusStart)} to ${formatTimestamp(file.consensusEnd)}`;
  yield `  previous hash ${file.previousHash.toString('hex')}`;
  yield `  hash          ${file.hash.toString('hex')}`;
  yield `  file hash     ${file.fileHash.toString('hex')}`;
  if (file.metadataHash) yield `  metadata hash ${file.metadataHash.toString('hex')}`;
  for (const { name, count, hash } of file.sidecars)
    yield `  sidecar ${name}: ${count} records, hash ${hash.toString('hex')}`;
  yield `  types: ${formatCounts(file.types)}`;
  yield `  statuses: ${formatCounts(file.statuses)}`;
  yield `  passed: ${checks.join(', ')}`;
  for (const problem of problems) yield `  note: ${problem}`;
  for (const failure of rejected) yield `  NOT PROVED ${failure.file}: ${describeFailure(failure)}`;
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
