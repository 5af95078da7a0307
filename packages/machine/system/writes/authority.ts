// Who has signed. In a call there is no signature but that of who asks: the sender, when it calls a system contract
// itself, or a contract for the keys that are its id.
import type { proto } from '../../../protocol/hapi/hapi.ts';
import type { StoredKey } from '../../state/ledger-facts.ts';
import type { Context } from '../functions/function.ts';
import { contractAddress, decodeKey } from '../functions/keys.ts';

const maxKeyDepth = 15;

/** Whether who asks satisfies the key. */
export function satisfiesKey(stored: StoredKey, context: Context): boolean {
  const key = stored && decodeKey(stored);
  if (!key) return false;
  const { call } = context;
  // Code that an account has been given by a delegation signs nothing for it.
  const isSender = call.caller === call.origin && !call.isBorrowed;
  const isOwn = isSender ? ownKeys(context) : () => false;
  return satisfies(key, (one) => isOwn(one) || isOfContract(one, context));
}

/**
 * Whether the account has signed: it asks itself, or its key is one of who asks. The ledger dispatches in the name of
 * who asks, and does not ask for the key of who pays; so code of others that runs in an account moves what the account
 * has.
 */
export function hasSigned(num: bigint, context: Context): boolean {
  if (num === context.asker) return true;
  const owner = context.world.fact({ kind: 'owner', account: num });
  return owner !== null && satisfiesKey(owner.key, context);
}

function isOfContract({ contractID, delegatableContractId }: proto.IKey, { asker, call }: Context): boolean {
  const id = delegatableContractId ?? (call.isBorrowed ? null : contractID);
  if (!id) return false;
  const address = contractAddress(id);
  return address === asker || address === call.caller;
}

/** The single keys that the sender has signed with: all of its own. */
function ownKeys({ world, asker }: Context): (one: proto.IKey) => boolean {
  const stored = world.fact({ kind: 'owner', account: asker })?.key;
  const own = stored ? decodeKey(stored) : null;
  const known = new Set(own ? singleKeys(own) : []);
  return (one) => singleKeys(one).some((name) => known.has(name));
}

function singleKeys(key: proto.IKey, depth = 0): string[] {
  if (depth > maxKeyDepth) return [];
  if (key.ed25519?.length) return [`ed25519 ${Buffer.from(key.ed25519).toString('hex')}`];
  if (key.ECDSASecp256k1?.length) return [`ecdsa ${Buffer.from(key.ECDSASecp256k1).toString('hex')}`];
  return partsOf(key).flatMap((one) => singleKeys(one, depth + 1));
}

function satisfies(key: proto.IKey, holds: (single: proto.IKey) => boolean, depth = 0): boolean {
  if (depth > maxKeyDepth) return false;
  if (!key.keyList && !key.thresholdKey) return holds(key);
  const parts = partsOf(key);
  const needed = key.thresholdKey ? Math.max(key.thresholdKey.threshold ?? 0, 1) : parts.length;
  return parts.length > 0 && parts.filter((one) => satisfies(one, holds, depth + 1)).length >= needed;
}

function partsOf({ keyList, thresholdKey }: proto.IKey): readonly proto.IKey[] {
  return keyList?.keys ?? thresholdKey?.keys?.keys ?? [];
}
