// A serialized HAPI Key as the key object of the API: plain keys by name, also if they are the only member of a key
// list or of a 1-of-1 threshold key; everything else as its protobuf bytes.
import { asBuffer } from './json-text.ts';

// Each is matched against the whole key in lower-case hex.
const plainKeys = [
  { type: 'ED25519', prefixes: ['1220', '32240a221220', '2a28080112240a221220'], digits: 64 },
  { type: 'ECDSA_SECP256K1', prefixes: ['3a21', '32250a233a21', '2a29080112250a233a21'], digits: 66 },
];
const emptyKeyList = '3200';

export function toJsonKey(bytes: Uint8Array | null): string {
  if (bytes === null) return 'null';
  const hex = asBuffer(bytes).toString('hex');
  if (hex === emptyKeyList) return 'null';
  for (const { type, prefixes, digits } of plainKeys) {
    for (const prefix of prefixes) {
      if (hex.length === prefix.length + digits && hex.startsWith(prefix)) {
        return `{"_type":"${type}","key":"${hex.slice(prefix.length)}"}`;
      }
    }
  }
  return `{"_type":"ProtobufEncoded","key":"${hex}"}`;
}
