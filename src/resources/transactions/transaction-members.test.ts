import { expect, it } from 'vitest';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { transactionKind } from './transaction-members.ts';

const plain: LedgerTransaction = {
  batchKey: null,
  bytes: null,
  chargedTxFee: null,
  consensusTimestamp: 1n,
  entityId: null,
  highVolume: false,
  innerTransactions: [],
  highVolumePricingMultiplier: null,
  maxFee: null,
  maxCustomFees: [],
  ...{ customFeeLimits: null, innerIds: null, nftTransfer: null, packedTransfers: null },
  memo: null,
  type: 14,
  nftTransfers: [],
  nodeAccountId: null,
  nonce: 0,
  parentConsensusTimestamp: null,
  payerAccountId: 5n,
  result: 22,
  scheduled: false,
  stakingRewardTransfers: [],
  tokenTransfers: [],
  transactionHash: null,
  transfers: [],
  validDurationSeconds: null,
  validStart: 2n,
};

it.each<[string, Partial<LedgerTransaction>, Record<string, unknown>]>([
  ['a young clock', {}, { transaction_id: '0.0.5-0-000000002', valid_start_timestamp: '0.000000002' }],
  [
    'texts for some integers',
    { maxFee: 33n, validDurationSeconds: 120n },
    { max_fee: '33', valid_duration_seconds: '120' },
  ],
  ['an empty memo is not none', { memo: Buffer.alloc(0) }, { memo_base64: '' }],
  ['unknown types and results', { type: 999, result: 9999 }, { name: 'UNKNOWN', result: 'UNKNOWN' }],
  [
    'a reward',
    { stakingRewardTransfers: [{ accountId: 800n, amount: -5n }] },
    { staking_reward_transfers: [{ account: '0.0.800', amount: -5 }] },
  ],
  [
    'a minted NFT',
    {
      nftTransfers: [
        { isApproval: false, receiverAccountId: 7n, senderAccountId: null, serialNumber: 1n, tokenId: 9n },
      ],
    },
    {
      nft_transfers: [
        {
          is_approval: false,
          receiver_account_id: '0.0.7',
          sender_account_id: null,
          serial_number: 1,
          token_id: '0.0.9',
        },
      ],
    },
  ],
])('%s', (_name, item, expected) => {
  expect(JSON.parse(transactionKind.write({ ...plain, ...item }))).toMatchObject(expected);
});

it('limits of custom fees have ids as they were written', () => {
  const text = transactionKind.write({
    ...plain,
    maxCustomFees: [
      { accountId: { shard: 1n, realm: 2n, num: 2n ** 62n }, amount: 10n, denominatingTokenId: null },
      { accountId: null, amount: -(2n ** 63n), denominatingTokenId: { shard: 0n, realm: 0n, num: 9n } },
    ],
  });
  expect(text).toContain(
    '"max_custom_fees":[{"account_id":"1.2.4611686018427387904","amount":10,"denominating_token_id":null},{"account_id":null,"amount":-9223372036854775808,"denominating_token_id":"0.0.9"}]',
  );
});
