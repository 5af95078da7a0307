/** Transfer(address,address,uint256), which ERC-20 and ERC-721 have in common. */
export const transferTopic = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');
