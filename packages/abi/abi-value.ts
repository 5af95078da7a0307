/** Numbers and addresses are bigint, bytes of any kind are bytes, lists and tuples arrays. */
export type AbiValue = bigint | boolean | string | Uint8Array | readonly AbiValue[];
