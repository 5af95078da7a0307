// The kinds of text in parameters that are read the same in every dialect (docs/reference/rest-behaviour.md, Query
// parameters). Forms of ids belong to the dialect.
import { formatTimestamp } from '../../values/json-text.ts';
import type { KeyKind, TextKind } from '../query/parameter.ts';

export const maxInt64 = 2n ** 63n - 1n;

const decimal = '\\d{1,19}';
const integerForm = new RegExp(`^${decimal}$`);
const blockHashForm = /^(?:0x)?(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$/;

/** Seconds since 1970 with up to nine digits after the dot, as the dialect reads them; in ns. */
export const timestampText: KeyKind = {
  name: 'timestamp',
  form: ({ dialect }) => dialect.timestamp.form,
  read: (text, { dialect }) => dialect.timestamp.read(text),
  format: formatTimestamp,
};

/** An int64 that is not negative, and not below `min`. */
export function integerText({ name = 'integer', min = 0n, max = maxInt64 } = {}): KeyKind {
  return {
    name,
    form: () => integerForm,
    read(text) {
      if (!integerForm.test(text)) return undefined;
      const value = BigInt(text);
      return value >= min && value <= max ? value : undefined;
    },
    format: (value) => value.toString(),
  };
}

/** Decimal, or hexadecimal after `0x`. */
export const blockNumberText: KeyKind = {
  name: 'block',
  form: ({ dialect }) => dialect.blockNumber.form,
  read(text, { dialect }) {
    const { form, max } = dialect.blockNumber;
    if (!form.test(text)) return undefined;
    const number = BigInt(text);
    return max === null || number <= max ? number : undefined;
  },
  format: (value) => value.toString(),
};

/** Without `0x`, converted to lower case if the dialect does so. */
export const blockHashText: TextKind<string> = {
  name: 'hash',
  form: () => blockHashForm,
  read(text, { dialect }) {
    if (!blockHashForm.test(text)) return undefined;
    const digits = text.startsWith('0x') ? text.slice(2) : text;
    return dialect.lowersBlockHash ? digits.toLowerCase() : digits;
  },
};

/** A block by its number, in decimal, or by its hash or the first 64 digits of it, in lower case. */
export const blockNameText: TextKind<{ number: bigint } | { hashPrefix: string }> = {
  name: 'blockName',
  form: () => new RegExp(`^(?:${decimal}|(?:0x)?(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{96}))$`),
  read(text) {
    if (blockHashForm.test(text)) return { hashPrefix: text.replace(/^0x/, '').toLowerCase() };
    const number = integerForm.test(text) ? BigInt(text) : undefined;
    return number === undefined || number > maxInt64 ? undefined : { number };
  },
};

/** Of a message within its topic. */
export const sequenceNumberText = integerText({ name: 'sequence', min: 1n });
/** Tinybar, or smallest units of a token. */
export const amountText = integerText({ name: 'amount' });

const publicKeyForm = /^(?:0x)?(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{66}|[0-9a-fA-F]{88})$/;
/** SubjectPublicKeyInfo of an ED25519 key (RFC 8410): the 32 bytes of the key follow. */
const ed25519Prefix = '302a300506032b6570032100';

/** In hex as stored: the key alone, even if it was wrapped in DER. */
export const publicKeyText: TextKind<string> = {
  name: 'publicKey',
  form: () => publicKeyForm,
  read: readPublicKey,
};

/** undefined = not the form of a key. */
export function readPublicKey(text: string): string | undefined {
  if (!publicKeyForm.test(text)) return undefined;
  const key = text.replace(/^0x/, '').toLowerCase();
  return key.startsWith(ed25519Prefix) ? key.slice(ed25519Prefix.length) : key;
}

const tokenNameForm = /^[^\0:]{1,100}$/;

/** Part of a token's name: 3 to 100 bytes of UTF-8. */
export const tokenNameText: TextKind<string> = {
  name: 'tokenName',
  form: () => tokenNameForm,
  read(text) {
    const sizeBytes = Buffer.byteLength(text);
    return tokenNameForm.test(text) && sizeBytes >= 3 && sizeBytes <= 100 ? text : undefined;
  },
};

const tokenTypeForm =
  /^(?:[aA][lL][lL]|[fF][uU][nN][gG][iI][bB][lL][eE]_[cC][oO][mM][mM][oO][nN]|[nN][oO][nN]_[fF][uU][nN][gG][iI][bB][lL][eE]_[uU][nN][iI][qQ][uU][eE])$/;

/** In upper case. */
export const tokenTypeText: TextKind<string> = {
  name: 'tokenType',
  form: () => tokenTypeForm,
  read: (text) => (tokenTypeForm.test(text) ? text.toUpperCase() : undefined),
};

/** The same, with 0 for a fungible token. */
export const airdropSerialText = integerText({ name: 'serial' });

/** Of an NFT within its token. */
export const serialNumberText = integerText({ name: 'serial', min: 1n });

/** Position of a transaction. */
export const positionText = integerText({ name: 'index' });

// As many digits as a double can hold.
const largeForm = /^\d{1,308}$/;

/** Position of a log or call. */
export const indexText: KeyKind = {
  ...positionText,
  form: (context) => (context.dialect.readsLargePositions ? largeForm : positionText.form(context)),
  read(text, context) {
    const isLarge = context.dialect.readsLargePositions && text.length >= 19 && largeForm.test(text);
    return positionText.read(text, context) ?? (isLarge ? maxInt64 : undefined);
  },
};

/** Of a transaction in its block. */
export const transactionIndexText: TextKind<bigint> = {
  ...positionText,
  read(text, context) {
    const index = positionText.read(text, context);
    return index !== undefined && index <= context.dialect.maxTransactionIndex ? index : undefined;
  },
};

/** Numbers transactions with one id, int4. */
export const nonceText: TextKind<bigint> = {
  name: 'nonce',
  form: () => /^\d{1,10}$/,
  read(text) {
    const value = /^\d{1,10}$/.test(text) ? BigInt(text) : undefined;
    return value !== undefined && value < 2n ** 31n ? value : undefined;
  },
};

const sha256Form = /^(?:0x)?[0-9a-fA-F]{64}$/;
const sha384Form = /^(?:0x)?[0-9A-Fa-f]{96}$/;

/** A SHA-384, in lower case without `0x`. */
export const sha384Text: TextKind<string> = {
  name: 'sha384',
  form: () => sha384Form,
  read: (text) => (sha384Form.test(text) ? text.replace(/^0x/, '').toLowerCase() : undefined),
};

/** A hash of 32 bytes, in lower case without `0x`. */
export const sha256Text: TextKind<string> = {
  name: 'sha256',
  form: () => sha256Form,
  read: (text) => (sha256Form.test(text) ? text.replace(/^0x/, '').toLowerCase() : undefined),
};

/**
 * Of an Ethereum transaction or the first part of one of this ledger (32 bytes), or the whole of the latter (48 bytes).
 */
export const transactionHashText: TextKind<Buffer> = {
  name: 'transactionHash',
  form: () => blockHashForm,
  read: (text) => (blockHashForm.test(text) ? Buffer.from(text.replace(/^0x/, ''), 'hex') : undefined),
};

const wordForm = /^(?:0x)?[0-9A-Fa-f]{1,64}$/;

/** A slot of the storage of a contract or hook: up to 32 bytes as a number. */
export const slotText: KeyKind = {
  name: 'slot',
  form: () => wordForm,
  read: (text) => (wordForm.test(text) ? BigInt(text.startsWith('0x') ? text : `0x${text}`) : undefined),
  format: (value) => `0x${value.toString(16).padStart(64, '0')}`,
};

/** A topic of a log in hex, without leading zero bytes. */
export const topicText: TextKind<string> = {
  name: 'topic',
  form: () => wordForm,
  read(text) {
    if (!wordForm.test(text)) return undefined;
    const digits = text.replace(/^0x/, '').replace(/^0+/, '').toLowerCase();
    return digits.length % 2 === 0 ? digits : `0${digits}`;
  },
};

/** Of a hook of its owner. */
export const hookIdText = integerText({ name: 'hookId' });

/** Of a node, or of a registered service. */
export const nodeIdText = integerText({ name: 'nodeId' });
