/** Of `entity`: what the machine sees of every account. */
export const accountColumns = [
  'balance',
  'created_timestamp',
  'delegation_address',
  'deleted',
  'ethereum_nonce',
  'evm_address',
  'id',
  'type',
] as const;
