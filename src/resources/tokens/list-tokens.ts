// GET tokens: a page of current tokens.

import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold } from '../../api/reading/query/conditions.ts';
import type { Query } from '../../api/reading/query/query-string.ts';
import { tokenRange } from '../../api/reading/value/entity-id.ts';
import { oneAccount, refuseSeveralAccounts } from '../../api/reading/value/one-account.ts';
import { textConditions } from '../../api/reading/value/text-conditions.ts';
import { publicKeyText, tokenNameText, tokenTypeText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { listedTokenKind } from './token-members.ts';

export const listTokens = endpoint({
  path: '/api/v1/tokens',
  id: 'listTokens',
  tag: 'Tokens',
  summary: 'Tokens by id, name, type, key or owner',
  query: {
    'account.id': oneAccount('Id of an account: the tokens that it is associated with. Not together with `name`.'),
    ...page({ order: 'asc', by: 'token id' }),
    name: textConditions(
      tokenNameText,
      `Part of the name, in any case; \`%\` and \`_\` stand for any text and any character. ${allHold} There are no further pages. Not together with \`token.id\` or \`account.id\`.`,
      { accepts: ['eq'] },
    ),
    publickey: textConditions(publicKeyText, `Public key of the token, in hex or DER. ${allHold}`),
    'token.id': tokenRange(
      'Id of the token. All bounds must hold; several exact ids are alternatives. Not together with `name`.',
      { alternatives: true },
    ),
    type: textConditions(tokenTypeText, `\`all\` is no condition. ${allHold}`),
  },
  peer: { before: refuseUsage },
  check(_values, query, { dialect }) {
    if (dialect.judgesOneAccountLast) refuseSeveralAccounts(query);
  },
  async ask({ query }, { ledger }) {
    const names = query.name.map(({ text: part }) => part);
    const found = await ledger.tokens.list({
      ...query,
      members: listedTokenKind.members,
      accountId: query['account.id'],
      id: query['token.id'],
      names,
      publicKey: query.publickey,
      type: query.type.filter(({ text: type }) => type !== 'ALL'),
    });
    return names.length > 0 ? { ...found, next: null } : found;
  },
  next: ['token.id'],
  answer: pageOf('tokens', listedTokenKind, 'Tokens'),
  fresh: 10,
  example: { text: 'tokens' },
});

/** Throws RequestError. */
function refuseUsage(query: Query): void {
  const isGiven = (name: string): boolean =>
    query.some((parameter) => parameter.name === name && (parameter.repeated || parameter.values[0] !== ''));
  if (!isGiven('name')) return;
  if (isGiven('token.id')) throw refuse('nameAndToken');
  if (isGiven('account.id')) throw refuse('nameAndAccount');
}
