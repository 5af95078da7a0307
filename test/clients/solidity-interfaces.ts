// Of contracts of the simulated network, as viem and ethers take them.

export const counterAbi = [
  'function count() view returns (uint256)',
  'function increment() returns (uint256)',
  'function underflow(uint256) returns (uint256)',
  'function callsOf(address) view returns (uint256)',
  'event Incremented(address indexed by, uint256 count)',
];
export const coinAbi = [
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
  'function allowance(address,address) view returns (uint256)',
  'function transfer(address,uint256) returns (bool)',
  'function mint(address,uint256)',
];
/** Of no account of the ledger, as in the documents of many tools. */
export const outsideKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
