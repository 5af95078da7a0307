// GET tokens: a page of current tokens.

import type { ListedTokenRow } from '../../../packages/store/read/select-tokens.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { endpoint, type QueryValues } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold } from '../../api/reading/query/conditions.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import type { Query } from '../../api/reading/query/query-string.ts';
import { tokenRange } from '../../api/reading/value/entity-id.ts';
import { oneAccount, refuseSeveralAccounts } from '../../api/reading/value/one-account.ts';
import { textConditions } from '../../api/reading/value/text-conditions.ts';
import { publicKeyText, tokenNameText, tokenTypeText } from '../../api/reading/value/text-kinds.ts';
import type { Kind } from '../../api/values/kind.ts';
import { pageOf } from '../../api/values/page-of.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Page } from '../../ledger/question/page.ts';
import { listedTokenKind } from './token-members.ts';

const query = {
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
};

type Asked = QueryValues<typeof query>;

async function findTokens<Name extends keyof ListedTokenRow>(asked: Asked, ledger: Ledger, members: readonly Name[]) {
  const names = asked.name.map(({ text: part }) => part);
  const found = await ledger.tokens.list({
    ...asked,
    members,
    accountId: asked['account.id'],
    id: asked['token.id'],
    names,
    publicKey: asked.publickey,
    type: asked.type.filter(({ text: type }) => type !== 'ALL'),
  });
  return names.length > 0 ? { ...found, next: null } : found;
}

const { members } = listedTokenKind;

const shared = {
  path: '/api/v1/tokens',
  id: 'listTokens',
  tag: 'Tokens',
  summary: 'Tokens by id, name, type, key or owner',
  query,
  peer: { before: refuseUsage },
  check(_values: Asked, given: Query, { dialect }: ReadingContext) {
    if (dialect.judgesOneAccountLast) refuseSeveralAccounts(given);
  },
  next: ['token.id'],
  answer: pageOf('tokens', listedTokenKind, 'Tokens'),
  fresh: 10,
  example: { text: 'tokens' },
} as const;

export const listTokens = endpoint({
  ...shared,
  ask: ({ query: asked }, { ledger }) => findTokens(asked, ledger, members),
});

type Listed = typeof listedTokenKind extends Kind<infer T> ? T : never;
const more = ['totalSupply', 'transfers', 'holders'] as const;
const membersInFull = [...members, ...more] as const;
type InFull = Listed & Pick<ListedTokenRow, (typeof more)[number]>;

/** The same for pages, which show more of each token. */
export const listTokensInFull = endpoint({
  ...shared,
  answer: pageOf<Listed, Page<InFull>>('tokens', listedTokenKind, 'Tokens'),
  ask: ({ query: asked }, { ledger }) => findTokens(asked, ledger, membersInFull),
});

/** Throws RequestError. */
function refuseUsage(query: Query): void {
  const isGiven = (name: string): boolean =>
    query.some((parameter) => parameter.name === name && (parameter.repeated || parameter.values[0] !== ''));
  if (!isGiven('name')) return;
  if (isGiven('token.id')) throw refuse('nameAndToken');
  if (isGiven('account.id')) throw refuse('nameAndAccount');
}
