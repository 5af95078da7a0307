// GET accounts/{idOrAliasOrEvmAddress}/nfts: a page of the NFTs that an account owns.

import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { listKeyConditions, refuseUnpageable } from '../../reading/page/two-key-page.ts';
import { range } from '../../reading/query/conditions.ts';
import { splitOperator } from '../../reading/query/query-parameters.ts';
import type { Query } from '../../reading/query/query-string.ts';
import { refuseNotEqual } from '../../reading/query/refuse-not-equal.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import { serialNumberText } from '../../reading/value/text-kinds.ts';
import { pageOf } from '../../values/page-of.ts';
import { nftKind } from '../tokens/nft-members.ts';
import { accountIdInPath } from './account-path.ts';

const keys = { primary: 'token.id', secondary: 'serialnumber' } as const;

export const listAccountNfts = endpoint({
  path: '/api/v1/accounts/{idOrAliasOrEvmAddress}/nfts',
  id: 'listAccountNfts',
  tag: 'Accounts',
  summary: 'NFTs that an account owns',
  in: { idOrAliasOrEvmAddress: accountIdInPath() },
  query: {
    ...page({ order: 'desc', by: 'token id and serial number' }),
    'token.id': idRange('Id of the token: one, or one bound on each side.', {
      form: 'numbered',
      kind: 'token',
    }),
    serialnumber: range(
      serialNumberText,
      'Serial number: one, or one bound on each side. A bound needs an inclusive one on `token.id`, and holds at that.',
    ),
    'spender.id': idRange('Id of who may spend the NFT: several are alternatives, or one bound on each side.', {
      form: 'entity',
      kind: 'account',
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
      accountId: path.idOrAliasOrEvmAddress,
      token: query['token.id'],
      serialNumber: query.serialnumber,
      spender: query['spender.id'],
      order: query.order,
      limit: query.limit,
    }),
  next: [keys.primary, keys.secondary],
  answer: pageOf('nfts', nftKind, 'NftsOfAccount'),
  fresh: 1,
  example: {
    text: 'the NFTs of an account',
    find: ({ accountId }) => accountId,
    missing: 'no account has been seen yet',
  },
});

function refuseSeveralBounds(query: Query, name: string): void {
  const operators = query
    .filter((parameter) => parameter.name === name)
    .flatMap(({ values }) => values.map((raw) => splitOperator(raw ?? '')!.operator));
  for (const side of ['gt', 'lt']) {
    if (operators.filter((operator) => operator.startsWith(side)).length > 1) throw refuse('severalRanges', { name });
  }
}
