// GET accounts/{idOrAliasOrEvmAddress}/nfts: a page of the NFTs that an account owns.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { listKeyConditions, refuseUnpageable } from '../../api/reading/page/two-key-page.ts';
import { range } from '../../api/reading/query/conditions.ts';
import { operatorsOf } from '../../api/reading/query/query-parameters.ts';
import type { Query } from '../../api/reading/query/query-string.ts';
import { refuseNotEqual } from '../../api/reading/query/refuse-not-equal.ts';
import { accountRange, tokenRange } from '../../api/reading/value/entity-id.ts';
import { serialNumberText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { nftKind } from '../tokens/nft-members.ts';
import { listOfAccount } from './account-path.ts';

const keys = { primary: 'token.id', secondary: 'serialnumber' } as const;

export const listAccountNfts = endpoint({
  ...listOfAccount('the NFTs of an account'),
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/nfts',
  id: 'listAccountNfts',
  summary: 'NFTs that an account owns',
  query: {
    ...page({ order: 'desc', by: 'token id and serial number' }),
    'token.id': tokenRange('Id of the token: one, or one bound on each side.'),
    serialnumber: range(
      serialNumberText,
      'Serial number: one, or one bound on each side. A bound needs an inclusive one on `token.id`, and applies only at its value.',
    ),
    'spender.id': accountRange('Id of the spender of the NFT: several are alternatives, or one bound on each side.', {
      alternatives: true,
    }),
  },
  check(_values, query) {
    refuseUnpageable(listKeyConditions(query, keys), keys);
    refuseSeveralBounds(query, 'spender.id');
    refuseNotEqual(query, 'spender.id', 'Not equals (ne) comparison operator is not supported');
  },
  ask: ({ path, query }, { ledger }) =>
    ledger.nfts.listOfAccount({
      ...query,
      members: nftKind.members,
      accountId: path.idOrAliasOrEvmAddress,
      token: query['token.id'],
      serialNumber: query.serialnumber,
      spender: query['spender.id'],
    }),
  next: [keys.primary, keys.secondary],
  answer: pageOf('nfts', nftKind, 'NftsOfAccount'),
  fresh: 1,
});

function refuseSeveralBounds(query: Query, name: string): void {
  const operators = operatorsOf(query, name);
  for (const side of ['gt', 'lt']) {
    if (operators.filter((operator) => operator.startsWith(side)).length > 1) throw refuse('severalRanges', { name });
  }
}
