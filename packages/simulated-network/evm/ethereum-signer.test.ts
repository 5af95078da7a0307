import { secp256k1 } from '@noble/curves/secp256k1.js';
import fc from 'fast-check';
import { authorization, Transaction } from 'micro-eth-signer';
import { expect, test } from 'vitest';
import { readWord } from '../../machine/base/word.ts';
import { evmAddressOfKey } from '../ledger/signing-keys.ts';
import { openEthereumTransaction, signEthereumTransaction, withoutCallData } from './ethereum-signer.ts';

const wordOf = (address: Uint8Array) => readWord(address, 0, address.length);
const bytes = (minLength: number, maxLength = minLength) => fc.uint8Array({ minLength, maxLength });
const secret = bytes(32).filter((candidate) => secp256k1.utils.isValidSecretKey(candidate));
const transaction = fc.record({
  type: fc.constantFrom('legacyUnprotected', 'legacy', 'accessList', 'dynamicFee', 'setCode'),
  chainId: fc.integer({ min: 1, max: 100_000 }),
  nonce: fc.bigInt({ min: 0n, max: 2n ** 40n }),
  gasPrice: fc.bigInt({ min: 1n, max: 2n ** 60n }),
  maxPriorityFee: fc.constant(1n),
  gasLimit: fc.bigInt({ min: 21_000n, max: 15_000_000n }),
  to: fc.oneof(bytes(20), fc.constant(new Uint8Array())),
  value: fc.bigInt({ min: 0n, max: 2n ** 90n }),
  data: bytes(0, 200),
  accessList: fc.array(fc.record({ address: bytes(20), slots: fc.array(bytes(32), { maxLength: 2 }) }), {
    maxLength: 2,
  }),
  authorizations: fc.array(
    fc.record({
      chainId: fc.constantFrom(0n, 298n),
      address: bytes(20),
      nonce: fc.bigInt({ min: 0n, max: 9n }),
      secret,
    }),
    { maxLength: 2 },
  ),
} as const);

test('what is signed is what is opened, and the sender is who signed', () => {
  fc.assert(
    fc.property(transaction, secret, (unsigned, key) => {
      const raw = signEthereumTransaction(unsigned, key);
      const opened = openEthereumTransaction(raw);
      const { nonce, gasPrice, gasLimit, value } = unsigned;
      expect(opened).toMatchObject({ nonce, gasPrice, gasLimit, value });
      const authorities = unsigned.authorizations.map(({ secret }) =>
        wordOf(evmAddressOfKey(secp256k1.getPublicKey(secret, true))),
      );
      expect(opened.authorizations.map(({ authority }) => authority)).toEqual(
        unsigned.type === 'setCode' ? authorities : [],
      );
      expect(opened.chainId).toBe(unsigned.type === 'legacyUnprotected' ? null : BigInt(unsigned.chainId));
      const address = evmAddressOfKey(secp256k1.getPublicKey(key, true));
      expect(Buffer.from(opened.sender).equals(address)).toBe(true);
      const carried = openEthereumTransaction(withoutCallData(raw), unsigned.data);
      expect(Buffer.from(carried.hash).equals(opened.hash)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('another implementation reads the same sender', () => {
  const key = Buffer.alloc(32, 7);
  for (const type of ['legacy', 'accessList', 'dynamicFee', 'setCode'] as const) {
    const raw = signEthereumTransaction(
      {
        type,
        chainId: 298,
        nonce: 3n,
        gasPrice: 900_000_000_000n,
        maxPriorityFee: 1_000_000_000n,
        gasLimit: 50_000n,
        to: Buffer.alloc(20, 5),
        value: 10n ** 18n,
        data: Buffer.from('cafe', 'hex'),
        accessList: [],
        authorizations: [{ chainId: 298n, address: Buffer.alloc(20, 6), nonce: 4n, secret: Buffer.alloc(32, 8) }],
      },
      key,
    );
    const other = Transaction.fromHex(Buffer.from(raw).toString('hex'), false);
    const sender = Buffer.from(openEthereumTransaction(raw).sender).toString('hex');
    expect(other.recoverSender().address.toLowerCase()).toBe(`0x${sender}`);
    if (type !== 'setCode') continue;
    const [signed] = (other.raw as { authorizationList?: Parameters<typeof authorization.getAuthority>[0][] })
      .authorizationList!;
    const authority = Buffer.from(evmAddressOfKey(secp256k1.getPublicKey(Buffer.alloc(32, 8), true)));
    expect(authorization.getAuthority(signed!).toLowerCase()).toBe(`0x${authority.toString('hex')}`);
  }
});
