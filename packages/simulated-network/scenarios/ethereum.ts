// Ethereum transactions of all types: calls, value transfers, creations, call data in a file, wrong nonces,
// authorizations.
import { proto } from '../../protocol/hapi/hapi.ts';
import { encodeValues, initcodeOf } from '../evm/artifacts.ts';
import { signEthereumTransaction, type UnsignedEthereumTransaction, withoutCallData } from '../evm/ethereum-signer.ts';
import { chainId, evmAddressOf, weibarPerTinybar } from '../evm/run-evm.ts';
import { fileId, tinybarPerHbar, toLong } from '../ledger/hapi-values.ts';
import { evmAddressOfKey } from '../ledger/signing-keys.ts';
import { createUser, enlistHollow } from './accounts.ts';
import { callContract, pickCall, uploadText } from './contracts.ts';
import { refill, type Scene } from './scene.ts';

export async function ethereumCall(scene: Scene): Promise<void> {
  const call = pickCall(scene);
  if (!call) return callContract(scene);
  const to = evmAddressOf(scene.account(call.target));
  await send(scene, { to, data: call.data, value: (call.value ?? 0n) * weibarPerTinybar }, scene.random.chance(0.05));
}

/** Plain value, to a user or to an unused address. */
export async function ethereumTransfer(scene: Scene): Promise<void> {
  const key = scene.newKey('ECDSA');
  const unknown = scene.random.chance(0.3) && !scene.isFull('hollow');
  const address = unknown
    ? evmAddressOfKey(key.ECDSASecp256k1!)
    : evmAddressOf(scene.account(scene.random.pick(scene.cast('user'))));
  await send(scene, {
    to: address,
    value: scene.random.amount(1n, 9n) * tinybarPerHbar * weibarPerTinybar,
    gasLimit: 800_000n,
  });
  const id = scene.ledger.tables.names.get(Buffer.from(address).toString('hex'));
  if (unknown && id !== undefined && !scene.cast('hollow').includes(id)) enlistHollow(scene, id, key);
}

export async function ethereumCreate(scene: Scene): Promise<void> {
  const fails = scene.random.chance(0.2);
  const name = fails ? 'Reverter' : scene.isFull('counter') ? 'Reverter' : 'Counter';
  const values = name === 'Counter' ? [0n] : [fails || scene.isFull('reverter')];
  const data = Buffer.concat([initcodeOf(name), encodeValues(values)]);
  const result = await send(scene, { to: new Uint8Array(), data, gasLimit: 1_500_000n }, scene.random.chance(0.4));
  if (result?.status === 'SUCCESS') scene.enlist(name === 'Counter' ? 'counter' : 'reverter', result.id);
}

/** A nonce that is too low or too high: refused before the EVM runs, the relayer pays its fee. */
export async function ethereumWrongNonce(scene: Scene): Promise<void> {
  const call = pickCall(scene);
  if (!call) return callContract(scene);
  await send(scene, {
    to: evmAddressOf(scene.account(call.target)),
    data: call.data,
    nonceShift: scene.random.pick([1n, 7n]),
  });
}

type Wanted = Partial<Pick<UnsignedEthereumTransaction, 'value' | 'data' | 'gasLimit'>> & {
  to: Uint8Array;
  sender?: bigint;
  /** Who relays it. */
  payer?: bigint;
  nonceShift?: bigint;
  type?: UnsignedEthereumTransaction['type'];
  /** Of type 4; by default such as are skipped. */
  authorizations?: UnsignedEthereumTransaction['authorizations'];
};

export async function send(scene: Scene, wanted: Wanted, inFile = false) {
  const { random } = scene;
  if (scene.cast('ethereumUser').length === 0) {
    await createUser(scene);
    return undefined;
  }
  const sender = wanted.sender ?? random.pick(scene.cast('ethereumUser'));
  if (scene.account(sender).balance < 1000n * tinybarPerHbar) await refill(scene, sender);
  const key = proto.Key.decode(scene.account(sender).key).ECDSASecp256k1;
  const secret = scene.keys.ecdsaSecret(Buffer.from(key!).toString('hex'));
  const creates = wanted.to.length === 0;
  const type =
    wanted.type ??
    random.weighted({
      legacy: 2,
      legacyUnprotected: 2,
      accessList: 2,
      dynamicFee: 4,
      setCode: creates ? 0 : 1.5,
    });
  const data = wanted.data ?? new Uint8Array();
  // The nonce is read last: the uploads above may be transactions of the same sender.
  const callData = inFile ? await uploadText(scene, Buffer.from(Buffer.from(data).toString('hex'))) : undefined;
  const { ethereumNonce } = scene.account(sender);
  const signed = signEthereumTransaction(
    {
      type,
      chainId,
      nonce: ethereumNonce + (wanted.nonceShift ?? 0n),
      gasPrice: (scene.prices.gas() + random.amount(0n, 20n)) * weibarPerTinybar,
      maxPriorityFee: random.pick([0n, weibarPerTinybar]),
      gasLimit: wanted.gasLimit ?? 500_000n,
      to: wanted.to,
      value: wanted.value ?? 0n,
      data,
      // Networks hash transactions with call data in a file without their access list, so these have none.
      accessList:
        !creates && !inFile && type !== 'legacy' && type !== 'legacyUnprotected'
          ? randomAccessList(scene, wanted.to)
          : [],
      authorizations:
        type === 'setCode' ? (wanted.authorizations ?? unfitAuthorizations(scene, secret, ethereumNonce)) : [],
    },
    secret,
  );
  return scene.submit({
    kind: 'ethereumTransaction',
    payer: wanted.payer ?? (await scene.payer()),
    data: {
      ethereumData: inFile ? withoutCallData(signed) : signed,
      callData: callData === undefined ? undefined : fileId(callData),
      maxGasAllowance: toLong(random.pick([0n, 10n]) * tinybarPerHbar),
    },
  });
}

/** The receiver with some of its slots, and perhaps another contract with none. */
function randomAccessList({ random, cast, account }: Scene, to: Uint8Array) {
  if (random.chance(0.5)) return [];
  const slots = Array.from({ length: random.integer(0, 3) }, (_, slot) =>
    Buffer.concat([Buffer.alloc(31), Buffer.of(slot)]),
  );
  const others = cast('coin').slice(0, random.integer(0, 1));
  return [{ address: to, slots }, ...others.map((id) => ({ address: evmAddressOf(account(id)), slots: [] }))];
}

/** With a wrong nonce: such authorizations cost gas and are skipped (EIP-7702). */
function unfitAuthorizations({ random, cast, account }: Scene, secret: Uint8Array, nonce: bigint) {
  const targets = [...cast('counter'), ...cast('vault')];
  return Array.from({ length: random.integer(1, 2) }, (_, index) => ({
    chainId: index === 0 ? BigInt(chainId) : 0n,
    address: targets.length > 0 ? evmAddressOf(account(random.pick(targets))) : new Uint8Array(20),
    nonce: nonce + 1000n + BigInt(index),
    secret,
  }));
}
