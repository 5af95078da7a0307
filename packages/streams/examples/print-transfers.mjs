// node print-transfers.mjs <file>: the transfers of a block (.blk, .blk.gz, .blk.zstd) or of a record file (.rcd,
// .rcd.gz).
import { readFileSync } from 'node:fs';
import {
  formatTimestamp,
  readBlock,
  readRecords,
  responseCodeName,
  transactionTypeName,
  transfersOf,
} from '@ledger-mirror/streams';

const path = process.argv[2];
const read = path.includes('.blk') ? readBlock : readRecords;
const { kind, number, transactions, doubts } = await read(readFileSync(path));
console.log(`${kind} ${number}: ${transactions.length} transactions`);
for (const doubt of doubts) console.log(`doubt: ${doubt.text}`);
for (const item of transactions) {
  console.log(formatTimestamp(item.consensusTimestamp), transactionTypeName(item.type), responseCodeName(item.status));
  for (const { account, amount } of transfersOf(item)) console.log(`  ${account} ${amount} tinybar`);
}
