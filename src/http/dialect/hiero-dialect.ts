// The API as the Hiero mirror node answers it, so that its clients run unchanged.
import { Type } from '@sinclair/typebox';
import { transactionTypes } from '../../protocol/hapi/transaction-types.ts';
import { oneOf } from '../document/value-schemas.ts';
import { everyOperator } from '../parameters/parameter-readers.ts';
import { asBuffer, toJsonArray, toJsonString } from '../values/json-text.ts';
import type { Dialect } from './dialect.ts';
import { aliasForm, anyEntityForm, scheduleForm, senderForm, tokenForm } from './entity-forms.ts';

export const hieroDialect: Dialect = {
  pageSize: (requested, max) => (requested > BigInt(max) ? max : Number(requested)),
  forms: {
    tokenPath: tokenForm,
    accountPath: anyEntityForm,
    aliasPath: aliasForm,
    contractPath: anyEntityForm,
    schedulePath: scheduleForm,
    sender: senderForm,
    scheduleQuery: anyEntityForm,
  },
  senderOperators: everyOperator,
  transactionTypes: new Map(transactionTypes.map(({ name, number }) => [name, { numbers: [number], except: false }])),
  repeatedTransactionTypes: true,
  linksRepeatEqual: true,
  linksBeforeCreation: true,
  toJsonStatus: (success) => (success ? '"0x1"' : '"0x0"'),
  toJsonAccessList: (items) =>
    toJsonArray(
      items,
      ({ address, storage_keys }) =>
        `{"address":${toJsonString(address)},"storage_keys":${toJsonArray(storage_keys, toJsonString)}}`,
    ),
  toJsonSignatureBytes: (bytes) => `"${breakLines(asBuffer(bytes).toString('base64'))}"`,
  schemas: {
    status: oneOf(['0x0', '0x1']),
    accessList: Type.Array(Type.Object({ address: Type.String(), storage_keys: Type.Array(Type.String()) })),
    signatureBytes: Type.String({
      pattern: '^[A-Za-z0-9+/\\n]*={0,2}$',
      contentEncoding: 'base64',
      description: 'MIME base64: a newline after every 76 characters.',
    }),
  },
};

const lineLength = 76;

/** MIME base64 as PostgreSQL's encode() gives it: a newline (here already escaped) between lines. */
function breakLines(base64: string): string {
  if (base64.length <= lineLength) return base64;
  const lines: string[] = [];
  for (let start = 0; start < base64.length; start += lineLength) lines.push(base64.slice(start, start + lineLength));
  return lines.join('\\n');
}
