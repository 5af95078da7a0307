// The forms of ids that the mirror node accepts (docs/reference/rest-behaviour.md, Ids, aliases, EVM addresses), as
// pieces of regular expressions.

/** `realm.num` or `shard.realm.num`. */
const id = '(?:\\d{1,4}\\.)?\\d{1,5}\\.\\d{1,12}';
/** A bare number. A negative one has the right form, but is out of range. */
const number = '-?\\d{1,19}';
const evmAddress = '(?:0x)?[A-Fa-f0-9]{40}';
const evmAddressWithRealm = '(?:\\d{1,4}\\.)?(?:\\d{1,5}\\.)?[A-Fa-f0-9]{40}';

/** A number as an EVM address: at most 2^38 - 1. */
const longZeroAddress = '(?:0x|(?:\\d{1,4}\\.)?(?:\\d{1,5}\\.)?)0{30}[0-3][A-Fa-f0-9]{9}';

/** Any of them, or an alias, which has its own form. */
export const anyEntityForm = new RegExp(`^(?:${id}|${number}|${evmAddress}|${evmAddressWithRealm})$`);
export const aliasForm = /^(?:\d{1,5}\.){0,2}[A-Z2-7]+$/;
/** Without a realm. */
export const addressForm = new RegExp(`^${evmAddress}$`);
/** Whole bytes in base32: leftover bits in the last digit are 0. */
export const bareAliasForm =
  /^(?:[A-Z2-7]{8})*(?:[A-Z2-7][AEIMQUY4]|[A-Z2-7]{3}[AQ]|[A-Z2-7]{4}[ACEGIKMOQSUWY246]|[A-Z2-7]{6}[AIQY]|[A-Z2-7]{8})$/;
/** No realm before an EVM address. */
export const senderForm = new RegExp(`^(?:${id}|${number}|${evmAddress})$`);
/** `0x` may precede a number, which is decimal all the same. */
export const tokenForm = new RegExp(`^(?:0x)?(?:${id}|${number}|${evmAddressWithRealm})$`);
/** Numbers, including long-zero addresses. */
export const numberedForm = new RegExp(`^(?:${id}|${number}|${longZeroAddress})$`);
/** Only numbers, with or without shard and realm. */
export const numberForm = new RegExp(`^(?:${id}|${number})$`);
export const scheduleForm = new RegExp(`^(?:0x)?(?:${id}|${number})$`);
/** `contract.id` in conditions: an EVM address without `0x`. */
export const contractConditionForm = new RegExp(`^(?:${id}|${number}|${evmAddressWithRealm})$`);
