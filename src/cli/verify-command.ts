import { statSync } from 'node:fs';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { formatTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { createSingleFileSource } from '../../packages/sources/single-file-source.ts';
import { describeCover, describeProof } from '../importer/open/block-verification.ts';
import { describeFailure } from '../importer/open/stream-check-error.ts';
import { type VerifiedFile, verifyStream } from '../importer/verify-stream.ts';
import { openSource, readAddressBookFile, readSourceOptions } from '../runtime/sources/open-source.ts';
import { readPublicationFile } from '../runtime/sources/read-publication-file.ts';
import type { Command } from './command.ts';
import { createVerifySummary } from './verify-summary.ts';

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Checks stream files without a database and reports each.',
  description: `
For each record file and block: signatures of nodes against the address book, hashes or block root, the chain, the running
hash recomputed item by item, sidecars. Every node's copy is checked. Without --address-book everything but signatures
of nodes, which a block stream has none of: its blocks carry a threshold signature of the network, or lead to a later block
that does. It is verified for the ledger of --ledger-id or, without it, for the one that the first block publishes. Exit
code 1 when anything is not what the network signed, with a sentence that says what and where; also when something was given
to verify with, and nothing could be verified with it.

--source may also be one block or record file. Missing blocks are reported, the rest is checked, and the exit code is 1.

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror verify --source ./streams --address-book ./streams/addressbook.bin`,
  async run({ settings, log, shutdown, print }) {
    const sourcePath = settings.get('source');
    const bookPath = settings.find('address-book');
    const addressBook = bookPath === undefined ? null : readAddressBook(readAddressBookFile(bookPath));
    const consensusRatio = settings.get('consensus-ratio');
    const ledgerId = settings.find('ledger-id') ?? null;
    const ledgerKey = settings.find('ledger-key') ?? null;
    const publicationPath = settings.find('ledger-publication');
    const ledgerPublication = publicationPath === undefined ? null : readPublicationFile(publicationPath);
    const ledger = [ledgerId, ledgerKey, ledgerPublication].some((given) => given !== null);
    const summary = createVerifySummary({ addressBook: addressBook !== null, ledger });
    const isFile = statSync(sourcePath, { throwIfNoEntry: false })?.isFile() === true;
    const options = readSourceOptions(settings);
    const source = isFile
      ? createSingleFileSource(sourcePath, options.blockLimits)
      : openSource({ text: sourcePath, options, log });
    const { signal } = shutdown;
    for await (const file of verifyStream({
      source,
      addressBook,
      consensusRatio,
      ledgerId,
      ledgerKey,
      ledgerPublication,
      signal,
    })) {
      for (const line of describeFile(file)) print(line);
      summary.add(file);
    }
    if (summary.isEmpty()) throw new Error(`There is no record file and no block in ${source.description}.`);
    const { lines, isGood } = summary.end();
    for (const line of lines) print(line);
    return isGood && !signal.aborted ? 0 : 1;
  },
};

function* describeFile(file: VerifiedFile): Generator<string> {
  const { proofs, cover, node, checks, rejected, problems, doubts } = file.verification;
  const { hapiVersion: hapi, gap } = file;
  if (gap) yield `MISSING blocks ${gap.first} to ${gap.last}`;
  yield file.name;
  yield `  version ${file.version}${hapi ? `, HAPI ${hapi.major}.${hapi.minor}.${hapi.patch}` : ''}${file.blockNumber === null ? '' : `, block ${file.blockNumber}`}, ${file.transactionCount} transactions, ${file.sizeBytes} bytes${node === null ? '' : ` from node ${node}`}`;
  for (const proof of proofs) yield `  ${describeProof(proof)}`;
  if (cover?.kind === 'chain') yield `  ${describeCover(cover)}`;
  yield `  consensus ${formatTimestamp(file.consensusStart)} to ${formatTimestamp(file.consensusEnd)}`;
  yield `  previous hash ${file.previousHash.toString('hex')}`;
  yield `  hash          ${file.hash.toString('hex')}`;
  if (file.wrapped) yield `  block root    ${file.wrapped.root.toString('hex')}`;
  if (file.fileHash.length > 0) yield `  file hash     ${file.fileHash.toString('hex')}`;
  if (file.metadataHash) yield `  metadata hash ${file.metadataHash.toString('hex')}`;
  for (const { name, count, hash } of file.sidecars)
    yield `  sidecar ${name}: ${count} records, hash ${hash.toString('hex')}`;
  yield `  types: ${formatCounts(file.types)}`;
  yield `  statuses: ${formatCounts(file.statuses)}`;
  yield `  passed: ${checks.join(', ')}`;
  for (const problem of [...problems, ...doubts.map(({ text }) => text)]) yield `  note: ${problem}`;
  for (const failure of rejected) yield `  NOT PROVED ${failure.file}: ${describeFailure(failure)}`;
}

function formatCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
