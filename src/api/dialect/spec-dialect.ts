// The API exactly as in its specification. Where that says nothing (schedules), ids have the mirror node's forms.
import { RLP } from '@ethereumjs/rlp';
import { Type } from '@sinclair/typebox';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { plainShapes } from '../../../packages/web-server/answer-shapes.ts';
import { formatNextLink } from '../reading/page/next-link.ts';
import type { Dialect, TransactionTypeFilter } from '../reading/query/dialect.ts';
import { typedQuery } from '../reading/query/query-form.ts';
import { plainFlags } from '../reading/value/flag.ts';
import { paddedTimestamp } from '../reading/value/timestamp-form.ts';
import { formatHex } from '../values/hex-text.ts';
import { base64, hex } from '../values/kinds.ts';
import {
  aliasForm,
  anyEntityForm,
  contractConditionForm,
  numberedForm,
  numberForm,
  scheduleForm,
  tokenForm,
} from './entity-forms.ts';
import { readPageSize } from './page-size.ts';

// Types that the ledger has, but the specification does not list.
const unlisted: ReadonlySet<string> = new Set([
  'CLPRCLOSECHANNEL',
  'CLPRCOMPLETECHANNEL',
  'CLPRCOMPLETECONNECTOR',
  'CLPRDEREGISTERCONNECTOR',
  'CLPRENDPOINTPUBLICATION',
  'CLPRREDACTMESSAGE',
  'CLPRREGISTERCHANNEL',
  'CLPRREGISTERCONNECTOR',
  'CLPRSUBMITBUNDLE',
  'CLPRUPDATELEDGERCONFIGURATION',
  'CRSPUBLICATION',
  'HINTSKEYPUBLICATION',
  'HINTSPARTIALSIGNATURE',
  'HINTSPREPROCESSINGVOTE',
  'HISTORYPROOFKEYPUBLICATION',
  'HISTORYPROOFSIGNATURE',
  'HISTORYPROOFVOTE',
  'HOOKDISPATCH',
  'HOOKSTORE',
  'LEDGERIDPUBLICATION',
  'MIGRATIONROOTHASHVOTE',
  'REGISTEREDNODECREATE',
  'REGISTEREDNODEDELETE',
  'REGISTEREDNODEUPDATE',
  'STATESIGNATURETRANSACTION',
]);

export const specDialect: Dialect = {
  pageSize(text, max) {
    const requested = readPageSize(text);
    return requested === undefined || requested > max ? undefined : requested;
  },
  query: typedQuery,
  documentedOnly: true,
  timestamp: paddedTimestamp,
  forms: {
    token: /^\d{1,10}\.\d{1,10}\.\d{1,10}$/,
    account: /^(?:\d{1,10}\.){0,2}(?:\d{1,10}|(?:0x)?[A-Fa-f0-9]{40})$/,
    alias: /^(?:\d{1,10}\.){0,2}(?:[A-Z2-7]{8})*(?:[A-Z2-7]{2}|[A-Z2-7]{4,5}|[A-Z2-7]{7,8})$/,
    anyAccount: anyEntityForm,
    anyAlias: aliasForm,
    anyToken: tokenForm,
    contract: /^(?:\d{1,10}\.){0,2}(?:\d{1,10}|(?:0x)?[A-Fa-f0-9]{40})$/,
    schedule: scheduleForm,
    sender: /^(?:\d{1,10}\.\d{1,10}\.\d{1,10}|(?:0x)?[A-Fa-f0-9]{40})$/,
    entity: anyEntityForm,
    numbered: numberedForm,
    number: numberForm,
    contractCondition: contractConditionForm,
  },
  invalidOutOfRange: false,
  namesPathVariables: false,
  senderOperators: [],
  flags: plainFlags,
  toWord: (text) => text.toLowerCase(),
  ignoresLeftoverBits: false,
  blockNumber: { form: /^(?:\d{1,19}|0x[0-9a-fA-F]+)$/, max: null },
  maxTransactionIndex: 2n ** 31n - 1n,
  transactionTypes: listTransactionTypes(),
  repeatedTransactionTypes: false,
  formatNextLink,
  linksRepeatEqual: false,
  linksBeforeCreation: false,
  leavesOutMoments: true,
  lowersBlockHash: true,
  readsWordsAlone: false,
  judgesOneAccountLast: false,
  looksUpContractFirst: false,
  zeroIsEveryContract: false,
  readsLargePositions: false,
  pastSlots: 'numbers',
  toMaxAge: (seconds) => seconds,
  fractionalFeesOfNfts: true,
  namesTreasuries: true,
  partialSynthetic: false,
  status: {
    schema: Type.Unsafe({ type: 'integer', enum: [0, 1] }),
    write: (success) => (success ? '1' : '0'),
  },
  accessList: {
    schema: { ...hex.schema, description: 'RLP of the list as in the Ethereum transaction; `0x` for none.' },
    write(items) {
      if (items.length === 0) return '"0x"';
      const list = items.map(({ address, storage_keys }) => [toBytes(address), storage_keys.map(toBytes)]);
      return `"${formatHex(RLP.encode(list))}"`;
    },
  },
  signatureBytes: base64,
  shapes: plainShapes,
  tellsExtent: true,
  overridesState: true,
  contractsSend: true,
  showsPrestates: true,
  showsProof: true,
  hasOwnEndpoints: true,
  refusesMethods: false,
  java: null,
};

function toBytes(hex: string): Buffer {
  return Buffer.from(hex.startsWith('0x') ? hex.slice(2) : hex, 'hex');
}

/**
 * Every name that answers show. Families are those of the specification's list: NODE, and UNKNOWN for every type that
 * the list does not name.
 */
function listTransactionTypes(): Map<string, TransactionTypeFilter> {
  const types = new Map<string, TransactionTypeFilter>();
  const listed: number[] = [];
  const nodes: number[] = [];
  for (const { name, number } of transactionTypes) {
    types.set(name, { numbers: [number], except: false });
    if (unlisted.has(name)) continue;
    listed.push(number);
    if (name.startsWith('NODE')) nodes.push(number);
  }
  types.set('NODE', { numbers: nodes, except: false });
  types.set('UNKNOWN', { numbers: listed, except: true });
  return types;
}
