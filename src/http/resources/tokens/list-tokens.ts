// GET tokens: a page of current tokens.
import { Type } from '@sinclair/typebox';
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { type QueryParameter, queryParameter } from '../../reading/query/parameter.ts';
import type { Query } from '../../reading/query/query-string.ts';
import { tokenRange } from '../../reading/value/entity-id.ts';
import { type EntityReference, parseEntityReference } from '../../reading/value/entity-reference.ts';
import { textConditions } from '../../reading/value/text-conditions.ts';
import { publicKeyText, tokenNameText, tokenTypeText } from '../../reading/value/text-kinds.ts';
import { entityId, int64, key, text } from '../../values/kinds.ts';
import { members } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { tokenMetadata, tokenType } from './token-members.ts';

const allHold = 'Of several, all must hold.';

const listedToken = members(
  {
    admin_key: key,
    metadata: tokenMetadata,
    name: text,
    symbol: text,
    token_id: entityId,
    type: tokenType,
    decimals: int64,
  },
  { name: 'ListedToken' },
);

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
      accountId: query['account.id'],
      id: query['token.id'],
      names,
      publicKey: query.publickey,
      type: query.type.filter(({ text: type }) => type !== 'ALL'),
    });
    return names.length > 0 ? { ...found, next: null } : found;
  },
  next: ['token.id'],
  answer: pageOf('tokens', listedToken, 'Tokens'),
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

/** One id without an operator; null = absent, undefined = that of nothing. */
function oneAccount(description: string): QueryParameter<bigint | null | undefined> {
  return queryParameter({
    kind: 'account',
    repeatable: false,
    description,
    schema: ({ dialect }) => Type.String({ pattern: dialect.forms.entity.source }),
    open: ({ dialect, settings }) => ({
      read({ raw, text: id }) {
        const mayCount = raw === id || dialect.judgesOneAccountLast;
        return mayCount && dialect.forms.entity.test(id) ? id : undefined;
      },
      collect(ids: string[], given) {
        if (given === undefined) return null;
        if (ids.length !== 1 && !dialect.judgesOneAccountLast) throw refuse('invalidParameter', { name: 'account.id' });
        const references = ids.map((id) => parseEntityReference(id, settings.system));
        references.forEach(refuseImpossible);
        const [reference] = references;
        return reference?.kind === 'id' ? reference.id : undefined;
      },
    }),
  });
}

/** Throws RequestError. `query`: every value in it is valid, at least as a condition. */
function refuseSeveralAccounts(query: Query): void {
  const given = query.find(({ name }) => name === 'account.id');
  if (!given) return;
  if (given.repeated) throw refuse('idIsNoText', { id: given.values.join() });
  if (given.values[0]?.includes(':')) throw refuse('invalidParameter', { name: 'account.id' });
}

/** Throws RequestError if no account can have this id or address. */
function refuseImpossible(reference: EntityReference): void {
  if (reference.kind === 'id' || (reference.kind === 'evmAddress' && !reference.foreign)) return;
  throw refuse('invalidEntityId', { id: reference.padded });
}
