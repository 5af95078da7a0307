// The schedule of simple fees: what is written is read again, and what a consensus node wrote at genesis is read as it
// says.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { encodeFeeSchedule } from '../../simulated-network/formats/encode-fee-schedule.ts';
import { simpleFees } from '../../simulated-network/ledger/simple-fees.ts';
import { splitBlock } from '../../streams/block-stream/block-item.ts';
import { readBlockTransactions } from '../../streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../streams/block-stream/decode-block-transaction.ts';
import { unpackBlockFile } from '../../streams/block-stream/unpack-block-file.ts';
import { decodeFeeSchedule } from './fee-schedule.ts';
import { toBigInt } from './hapi.ts';

it('reads what it writes', () => {
  expect(decodeFeeSchedule(Buffer.from(encodeFeeSchedule(simpleFees)))).toEqual(simpleFees);
});

const genesis = fileURLToPath(new URL('../../../../shared/data/blocks/consensus-node-0.78/0.blk.gz', import.meta.url));
it.skipIf(!existsSync(genesis))('reads the file of a consensus node (skipped without ../shared/data)', () => {
  const items = readBlockTransactions(splitBlock(unpackBlockFile(readFileSync(genesis)))).transactions;
  const contents = items
    .map((made, index) => decodeBlockTransaction(made, index).item)
    .find(({ record }) => toBigInt(record.receipt?.fileID?.fileNum) === 113n)!.body.fileCreate!.contents!;
  const schedule = decodeFeeSchedule(Buffer.from(contents));
  expect(schedule.services.size).toBe(69);
  for (const [functionality, fee] of simpleFees.services) {
    expect([functionality, schedule.services.get(functionality)]).toEqual([functionality, fee]);
  }
  const { services: _, extraFees, ...rest } = simpleFees;
  expect(schedule).toMatchObject(rest);
  for (const [extra, fee] of extraFees) expect([extra, schedule.extraFees.get(extra)]).toEqual([extra, fee]);
});
