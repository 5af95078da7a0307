import { expect, it } from 'vitest';
import { importTransactions } from '../../../packages/test-support/streams/import-transactions.ts';

const token = { tokenNum: 40 };
const owner = { accountNum: 1001 };

it('NFTs that an account gained in the block in which it leaves their deleted token end with the others', async () => {
  const nftTransfers = [1, 2].map((serialNumber) => ({ receiverAccountID: owner, serialNumber }));
  const { rows, problems } = await importTransactions([
    {
      body: { tokenCreation: { name: 'N', symbol: 'N', treasury: owner, tokenType: 1 } },
      receipt: { tokenID: token },
    },
    {
      body: { tokenMint: { token, metadata: [Buffer.of(1), Buffer.of(2)] } },
      receipt: { serialNumbers: [1, 2], newTotalSupply: 2 },
      record: { tokenTransferLists: [{ token, nftTransfers }] },
    },
    { body: { tokenDeletion: { token } } },
    {
      body: { tokenDissociate: { account: owner, tokens: [token] } },
      record: { tokenTransferLists: [{ token, transfers: [{ accountID: owner, amount: -2 }] }] },
    },
  ]);
  expect(problems).toEqual([]);
  const latest = new Map(rows('nft').map((row) => [row.serial_number, row.deleted]));
  expect([...latest]).toEqual([
    [1n, true],
    [2n, true],
  ]);
  expect(rows('transaction').at(-1)!.nft_transfer).toHaveLength(2);
});
