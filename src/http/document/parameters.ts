// Every parameter of the six endpoints as the API document shows it, from the same forms, lists and limits that the routes
// read with. What is matched here is accepted; a few further spellings are accepted too and left unmentioned, such as
// `limit=eq:5` and words in other cases.
import { type TSchema, Type } from '@sinclair/typebox';
import type { Dialect } from '../dialect/dialect.ts';
import type { HttpSettings } from '../http-settings.ts';
import { blockHashForm, blockNumberForm, timestampForm } from '../parameters/parameter-forms.ts';
import { everyOperator } from '../parameters/parameter-readers.ts';
import type { Operator } from '../parameters/query-parameters.ts';
import { oneOf } from './value-schemas.ts';

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description: string;
  schema: TSchema;
};

export type DocumentSettings = Pick<
  HttpSettings,
  'limitDefault' | 'limitMax' | 'maxRepeatedParameters' | 'delegationAddress' | 'users'
>;

export function createParameters(dialect: Dialect, settings: DocumentSettings) {
  const { forms } = dialect;
  const { limitDefault, limitMax, maxRepeatedParameters } = settings;
  const capped = dialect.pageSize(BigInt(limitMax) + 1n, limitMax) !== undefined;
  const several = (item: TSchema): TSchema => Type.Array(item, { maxItems: maxRepeatedParameters });
  const compared = (form: RegExp, operators: readonly Operator[] = everyOperator): TSchema =>
    Type.String({ pattern: withOperators(form, operators) });
  const transactionType = oneOf([...dialect.transactionTypes.keys()].sort());

  return {
    tokenId: path('tokenId', forms.tokenPath.source, 'Id of the token.', '0.0.1001'),
    account: path(
      'idOrAliasOrEvmAddress',
      `${forms.accountPath.source}|${forms.aliasPath.source}`,
      'Id, alias (base32) or EVM address of the account.',
      '0.0.1001',
    ),
    contract: path('contractIdOrAddress', forms.contractPath.source, 'Id or EVM address of the contract.', '0.0.1001'),
    scheduleId: path('scheduleId', forms.schedulePath.source, 'Id of the schedule.', '0.0.1001'),

    limit: query('limit', {
      schema: Type.Integer({ minimum: 1, default: limitDefault, ...(capped ? {} : { maximum: limitMax }) }),
      description: `Most items on a page${capped ? `; more than ${limitMax} means ${limitMax}` : ''}.`,
    }),
    order: (defaultOrder: 'asc' | 'desc', key: string) =>
      query('order', {
        schema: { ...oneOf(['asc', 'desc']), default: defaultOrder },
        description: `Direction, by ${key}.`,
      }),
    moment: query('timestamp', {
      schema: compared(timestampForm, ['eq', 'lt', 'lte']),
      description: 'The state at this time: `eq` (as without an operator) and `lte` include what began just then.',
    }),
    timestamps: (description: string) => query('timestamp', { schema: several(compared(timestampForm)), description }),
    transactionType: query('transactiontype', {
      schema: dialect.repeatedTransactionTypes ? several(transactionType) : transactionType,
      description: `Only transactions of this type.${dialect.repeatedTransactionTypes ? ' Several are alternatives.' : ''}`,
    }),
    transactions: query('transactions', {
      schema: Type.Boolean({ default: true }),
      description: 'false leaves the list of transactions empty.',
    }),
    sender: query('from', {
      schema: several(compared(forms.sender, dialect.senderOperators)),
      description: 'Account id or EVM address of the sender. Several without an operator are alternatives.',
    }),
    blockHash: query('block.hash', {
      schema: compared(blockHashForm, ['eq']),
      description:
        'Hash of the block: all of it, or its first 64 digits. Of several the last counts. Not together with `block.number`.',
    }),
    blockNumber: query('block.number', {
      schema: compared(blockNumberForm, ['eq']),
      description: 'Number of the block, decimal or hexadecimal after `0x`. Of several the last counts.',
    }),
    hbar: query('hbar', {
      schema: Type.Boolean({ default: true }),
      description: 'true for amounts and prices in tinybar, false for weibar.',
    }),
    internal: query('internal', {
      schema: Type.Boolean({ default: false }),
      description: 'Whether results of child transactions are listed too.',
    }),
    transactionIndex: query('transaction.index', {
      schema: several(Type.Integer({ format: 'int32', minimum: 0, maximum: 2 ** 31 - 1 })),
      description:
        'Position of the transaction in its block; needs `block.hash` or `block.number`. Several are alternatives.',
    }),
    scheduleAccount: query('account.id', {
      schema: several(compared(forms.scheduleQuery)),
      description: `Id of the account that created the schedule. ${allHold}`,
    }),
    scheduleIds: query('schedule.id', {
      schema: several(compared(forms.scheduleQuery)),
      description: `Id of the schedule. ${allHold}`,
    }),
  };
}

const allHold = 'Of several, all must hold.';

function path(name: string, pattern: string, description: string, example: string): Parameter {
  return { name, in: 'path', required: true, description, schema: Type.String({ pattern, examples: [example] }) };
}

function query(name: string, { schema, description }: { schema: TSchema; description: string }): Parameter {
  return { name, in: 'query', description, schema };
}

/** The form, with an operator before it or none. Every form stands between `^` and `$`. */
function withOperators({ source }: RegExp, operators: readonly Operator[]): string {
  return `^(?:(?:${operators.join('|')}):)?${source.slice(1)}`;
}
