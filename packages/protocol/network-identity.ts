// What a network is called. A mirror may learn it while it runs, from the import that fills its database: readers keep
// the object, and read its members for each answer.
export type NetworkIdentity = { readonly name: string; readonly chainId: bigint };
