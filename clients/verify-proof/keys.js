// Ledgers with an id of 64 bytes: which hinTS keys are theirs. The proof that the network makes of its keys cannot be checked outside of
// its own library, and is not in documents. But the second half of the ledger id is the hash of the first key, and each next key
// stands in the state of a block that the key before has signed.
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToHex, bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { check, fields } from './bytes.js';
import { verifyHints } from './hints.js';
import { le } from './points.js';

const keyLength = 1096;

/** As ledger ids name a key. */
const hashKey = (key) => {
  const digest = sha256(concatBytes(utf8ToBytes('WRAPS-hints-vk-v1'), key));
  return bytesToHex(le(bytesToNumberBE(digest) % bn254.fields.Fr.ORDER));
};

/** Why keys are trusted, by their hash; `knownKeys`: of earlier proofs, or from another source that is trusted. */
export function trustKeys(ledgerId, knownKeys) {
  const trusted = new Map(knownKeys.map((hash) => [hash, 'known']));
  if (ledgerId.length === 64) trusted.set(bytesToHex(ledgerId.subarray(32)), 'ledgerId');
  return trusted;
}

/**
 * `namings`: root, items and signature of blocks that name keys, each signed by a key that is trusted or was named before. `isAllowed`:
 * a key that nothing shows to be the ledger's is said to be such, instead of refused.
 */
export function verifyByKeys(root, signature, trusted, namings, isAllowed, say) {
  for (const naming of namings) {
    const { hash } = verifySigned(naming.root, naming.signature, say);
    check(trusted.has(hash), `a block that names a key is signed by key ${hash}, which is not proved`);
    const named = naming.items.flatMap(findNamedKeys).map(hashKey);
    check(named.length > 0, 'a block that should name a key names none');
    for (const key of named) if (!trusted.has(key)) trusted.set(key, 'named');
    say(`a block that key ${hash} has signed names key ${named.join(', ')}`);
  }
  const { hash, ...weights } = verifySigned(root, signature, say);
  const from = trusted.get(hash) ?? 'nothing';
  check(
    from !== 'nothing' || isAllowed,
    `key ${hash} is not proved: neither the ledger id nor a block that a proved key has signed names it`,
  );
  say(from === 'nothing' ? `NOTHING SHOWS that key ${hash} is the ledger's` : reasons[from]);
  const provedKeys = [...trusted.keys()];
  return { ...weights, rotations: null, key: { hash, from }, provedKeys };
}

const reasons = {
  ledgerId: 'that key is the one that the ledger id names',
  named: 'that key is one that was named',
  known: 'that key was proved before',
};

/** hinTS key and signature, without the proof of the key. */
function verifySigned(root, signature, say) {
  const key = signature.subarray(0, keyLength);
  const weights = verifyHints(root, key, signature.subarray(keyLength));
  const hash = hashKey(key);
  say(`root ${bytesToHex(root)} is signed by ${weights.weight} of ${weights.totalWeight} of the weight of key ${hash}`);
  return { hash, ...weights };
}

/** Of an item: state changes → a change → a single value → construction of hinTS → its scheme → preprocessed keys → verification key. */
const pathToKey = [7, 2, 4, 14, 6, 1, 2];

function findNamedKeys({ bytes, subtree }) {
  if (subtree !== 'stateChanges') return [];
  const inside = (messages, number) =>
    messages.flatMap((message) =>
      fields(message, 'a state change').flatMap(([field, value]) => (field === number ? [value] : [])),
    );
  const found = pathToKey.reduce(inside, [bytes]);
  return found.filter((key) => key.length === keyLength);
}
