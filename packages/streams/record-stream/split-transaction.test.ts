import { describe, expect, it } from 'vitest';
import { decodeSignatureMap } from '../../protocol/hapi/decode-signature-map.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { bytesField, messageField } from '../../protocol/wire-writer.ts';
import { splitTransaction } from './split-transaction.ts';

const bodyBytes = Buffer.from(proto.TransactionBody.encode({ memo: 'm', cryptoTransfer: {} }).finish());
const otherBody = Buffer.from(proto.TransactionBody.encode({ memo: 'other' }).finish());
const sigMap = { sigPair: [{ pubKeyPrefix: Buffer.of(1), ed25519: Buffer.of(2) }] };
const sigMapBytes = Buffer.from(proto.SignatureMap.encode(sigMap).finish());
const none = Buffer.alloc(0);

describe('the body of a transaction', () => {
  const transaction = (message: proto.ITransaction) => Buffer.from(proto.Transaction.encode(message).finish());
  const signedTransactionBytes = proto.SignedTransaction.encode({ bodyBytes, sigMap }).finish();

  it.each([
    ['signedTransactionBytes', transaction({ signedTransactionBytes }), bodyBytes, sigMapBytes],
    ['bodyBytes', transaction({ bodyBytes, sigMap }), bodyBytes, sigMapBytes],
    ['body', transaction({ body: { memo: 'other' }, sigMap }), otherBody, sigMapBytes],
    ['bodyBytes without signatures', transaction({ bodyBytes }), bodyBytes, none],
    [
      'the newest form before older ones',
      transaction({ signedTransactionBytes, bodyBytes: otherBody }),
      bodyBytes,
      sigMapBytes,
    ],
    ['an empty transaction', none, none, none],
  ])('%s', (_name, bytes, body, signatures) => {
    expect(splitTransaction(bytes)).toEqual({ bodyBytes: body, signatureMapBytes: signatures });
  });

  it('is refused when it is cut', () => {
    expect(() => splitTransaction(transaction({ bodyBytes }).subarray(0, -1))).toThrow(StreamFileError);
  });
});

describe('signature maps', () => {
  const pair = (...fields: Buffer[][]) => messageField(1, fields);

  it('keep every pair in order, known type or not', () => {
    const bytes = Buffer.concat(
      [
        pair(bytesField(1, Buffer.of(1)), bytesField(3, Buffer.of(11))),
        pair(bytesField(1, Buffer.of(2)), bytesField(6, Buffer.of(12))),
        pair(bytesField(1, Buffer.of(3)), bytesField(77, Buffer.of(13))),
        pair(bytesField(2, Buffer.of(14))),
        pair(bytesField(1, Buffer.of(5))),
      ].flat(),
    );
    expect(decodeSignatureMap(bytes)).toEqual([
      { publicKeyPrefix: Buffer.of(1), signature: Buffer.of(11), type: 3 },
      { publicKeyPrefix: Buffer.of(2), signature: Buffer.of(12), type: 6 },
      { publicKeyPrefix: Buffer.of(3), signature: Buffer.of(13), type: 77 },
      { publicKeyPrefix: none, signature: Buffer.of(14), type: 2 },
    ]);
  });

  it('may be empty', () => expect(decodeSignatureMap(none)).toEqual([]));
});
