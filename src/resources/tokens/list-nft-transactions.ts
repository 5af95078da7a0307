// GET tokens/{tokenId}/nfts/{serialNumber}/transactions: a page of the transactions that changed an NFT: its creation,
// transfers, allowances, new metadata, and the end of its token.

import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold, range } from '../../api/reading/query/conditions.ts';
import { timestampText } from '../../api/reading/value/text-kinds.ts';
import { boolean, entityId, int32, timestamp } from '../../api/values/kinds.ts';
import { members, part } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import type { NftEvent, NftEvents } from '../../ledger/tokens/create-nfts.ts';
import { transactionId, typeName } from '../transactions/transaction-members.ts';
import { serialNumberInPath, tokenAbove } from './token-path.ts';

const nftEvent = members(
  {
    consensus_timestamp: timestamp,
    nonce: int32,
    transaction_id: part(transactionId),
    type: typeName,
    is_approval: boolean,
    receiver_account_id: entityId,
    sender_account_id: entityId,
  },
  { name: 'NftTransaction' },
);

export const listNftTransactions = endpoint({
  path: '/api/v1/tokens/{tokenId}/nfts/{serialNumber}/transactions',
  id: 'listNftTransactions',
  tag: 'Tokens',
  summary: 'Transactions that changed an NFT',
  description: 'Status 206 means that the history is only partly known.',
  in: { tokenId: tokenAbove, serialNumber: serialNumberInPath },
  query: {
    ...page({ order: 'desc', by: 'consensus timestamp' }),
    timestamp: range(timestampText, `Time or bound. ${allHold}`),
  },
  ask: ({ path, query }, { ledger, dialect }) =>
    ledger.nfts.listEvents({ ...path, ...query, movesOfAll: dialect.namesTreasuries }),
  next: ['timestamp'],
  answer: pageOf<NftEvent, NftEvents>('transactions', nftEvent, 'NftTransactions'),
  fresh: 1,
  status: ({ partial }) => (partial ? 206 : 200),
  example: {
    text: 'the history of an NFT',
    find: ({ nft }) => nft && [nft.tokenId, nft.serialNumber.toString()],
    missing: 'no NFT has been minted yet',
  },
});
