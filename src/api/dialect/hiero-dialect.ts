// The API as the Hiero mirror node answers it, so that its clients run unchanged.
import { Type } from '@sinclair/typebox';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { AccessListItem } from '../../../packages/store/read/contract-result-row.ts';
import { plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import { formatNextLink } from '../reading/page/next-link.ts';
import { everyOperator } from '../reading/query/conditions.ts';
import type { Dialect } from '../reading/query/dialect.ts';
import { plainQuery } from '../reading/query/query-form.ts';
import { plainFlags } from '../reading/value/flag.ts';
import { maxInt64 } from '../reading/value/text-kinds.ts';
import { paddedTimestamp } from '../reading/value/timestamp-form.ts';
import { asBuffer } from '../values/json-text.ts';
import { listOf } from '../values/kind.ts';
import { text, word } from '../values/kinds.ts';
import { array, members, value } from '../values/members.ts';
import {
  aliasForm,
  anyEntityForm,
  contractConditionForm,
  numberedForm,
  numberForm,
  scheduleForm,
  senderForm,
  tokenForm,
} from './entity-forms.ts';
import { createJavaDialects } from './java-dialects.ts';
import { readPageSize } from './page-size.ts';

const inJavaScript: Dialect = {
  pageSize(text, max) {
    const requested = readPageSize(text);
    return requested === undefined ? undefined : Math.min(requested, max);
  },
  query: plainQuery,
  documentedOnly: false,
  timestamp: paddedTimestamp,
  forms: {
    token: tokenForm,
    account: anyEntityForm,
    alias: aliasForm,
    anyAccount: anyEntityForm,
    anyAlias: aliasForm,
    anyToken: tokenForm,
    contract: anyEntityForm,
    schedule: scheduleForm,
    sender: senderForm,
    entity: anyEntityForm,
    numbered: numberedForm,
    number: numberForm,
    contractCondition: contractConditionForm,
  },
  invalidOutOfRange: false,
  namesPathVariables: false,
  senderOperators: everyOperator,
  flags: plainFlags,
  toWord: (text) => text.toLowerCase(),
  ignoresLeftoverBits: false,
  blockNumber: { form: /^(?:\d{1,19}|0x[0-9a-fA-F]{1,64})$/, max: maxInt64 },
  maxTransactionIndex: maxInt64,
  transactionTypes: new Map(transactionTypes.map(({ name, number }) => [name, { numbers: [number], except: false }])),
  repeatedTransactionTypes: true,
  formatNextLink,
  linksRepeatEqual: true,
  linksBeforeCreation: true,
  leavesOutMoments: false,
  lowersBlockHash: false,
  readsWordsAlone: true,
  judgesOneAccountLast: true,
  looksUpContractFirst: true,
  zeroIsEveryContract: true,
  readsLargePositions: true,
  pastSlots: 'bytes',
  toMaxAge(seconds, { typed, endpoint }) {
    const [router] = routerForm.exec(endpoint) ?? [''];
    // The prefix that names the dialect may precede it.
    return typed.includes(router) ? seconds : usualMaxAge;
  },
  fractionalFeesOfNfts: false,
  namesTreasuries: false,
  partialSynthetic: true,
  status: { schema: word(['0x0', '0x1']).schema, write: (success) => (success ? '"0x1"' : '"0x0"') },
  accessList: listOf(
    members<AccessListItem>({
      address: value(text, (item) => item.address),
      storage_keys: array(text, (item) => item.storage_keys),
    }),
  ),
  signatureBytes: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9+/\\n]*={0,2}$',
      contentEncoding: 'base64',
      description: 'MIME base64: a newline after every 76 characters.',
    }),
    write: (bytes) => `"${toLines(asBuffer(bytes))}"`,
  },
  shapes: { ...plainShapes, variesUnchanged: false },
  tellsExtent: false,
  overridesState: false,
  contractsSend: false,
  showsPrestates: false,
  showsProof: false,
  hasOwnEndpoints: false,
  refusesMethods: false,
  java: null,
};

export const hieroDialect: Dialect = { ...inJavaScript, java: createJavaDialects(inJavaScript) };

// The default is one second; longer times are listed by path, as it was typed.
const usualMaxAge = 1;
const routerForm = /^\/api\/v1\/(?:blocks|contracts|accounts(?=\/\{\w+\}\/))/;

/** Bytes in a line of 76 characters. */
const lineBytes = 57;

/**
 * MIME base64 as PostgreSQL's encode() gives it: a newline (here already escaped) after every full line, including the
 * last.
 */
function toLines(bytes: Buffer): string {
  let lines = '';
  let start = 0;
  for (; start + lineBytes <= bytes.length; start += lineBytes) {
    lines += `${bytes.toString('base64', start, start + lineBytes)}\\n`;
  }
  return lines + bytes.toString('base64', start);
}
