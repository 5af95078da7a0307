// The forms of parameters that read the same in every dialect (reference: rest §0.3). Readers test values against them, and
// the API document shows them; forms of ids are the dialect's own.
const decimal = '\\d{1,19}';

export const timestampForm = /^\d{1,10}(?:\.\d{1,9})?$/;
/** Decimal, or hexadecimal after `0x`. */
export const blockNumberForm = new RegExp(`^(?:${decimal}|0x[0-9a-fA-F]{1,64})$`);
export const blockHashForm = /^(?:0x)?(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{96})$/;
/** Digits of an int64; its range is checked after that. */
export const integerForm = new RegExp(`^${decimal}$`);
