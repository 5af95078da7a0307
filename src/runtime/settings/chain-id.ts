// Chain ids of the networks that have a name (EIP-155; HIP-26). Networks without one show 0x128, as mirrors always have.

const chainIds: Record<string, bigint> = { mainnet: 0x127n, testnet: 0x128n, previewnet: 0x129n, demo: 0x12an };

export function defaultChainId(network: string): bigint {
  return chainIds[network] ?? 0x128n;
}
