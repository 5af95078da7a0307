// Numbers of the freeze and KYC status columns.

export const freezeStatuses = { notApplicable: 0, frozen: 1, unfrozen: 2 } as const;
export const kycStatuses = { notApplicable: 0, granted: 1, revoked: 2 } as const;
