// Functions, events and errors that contracts of many authors have in common, by the standard or the family that they
// are of. Nothing says that a contract means the same by a name: a page that shows one says that it is a name only. Names of
// arguments are those of the standard; where two standards share a function they fit both. Checked against the sources
// of OpenZeppelin 5, Uniswap 2 and 3, Multicall 3, and the EIPs.

/** A line each, as in Solidity, structs in place: `name(type name, …) returns (type, …)`; events with `indexed`. */
export type SignatureGroup = { functions?: string; events?: string; errors?: string };

export const usualSignatures: Readonly<Record<string, SignatureGroup>> = {
  // ERC-721 has `approve` and `transferFrom` with the id of the NFT.
  'ERC-20': {
    functions: `
      name() returns (string)
      symbol() returns (string)
      decimals() returns (uint8)
      totalSupply() returns (uint256)
      balanceOf(address owner) returns (uint256)
      allowance(address owner, address spender) returns (uint256)
      transfer(address to, uint256 value) returns (bool)
      transferFrom(address from, address to, uint256 valueOrId) returns (bool)
      approve(address spender, uint256 valueOrId) returns (bool)
      increaseAllowance(address spender, uint256 addedValue) returns (bool)
      decreaseAllowance(address spender, uint256 subtractedValue) returns (bool)
      mint(address to, uint256 valueOrId)
      mint(uint256 value)
      mint(address to)
      burn(uint256 valueOrId)
      burn(address from, uint256 value)
      burnFrom(address from, uint256 value)
      cap() returns (uint256)`,
    events: `
      Transfer(address indexed from, address indexed to, uint256 value)
      Approval(address indexed owner, address indexed spender, uint256 value)`,
    errors: `
      ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)
      ERC20InvalidSender(address sender)
      ERC20InvalidReceiver(address receiver)
      ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)
      ERC20InvalidApprover(address approver)
      ERC20InvalidSpender(address spender)
      ERC20ExceededCap(uint256 increasedSupply, uint256 cap)
      ERC20InvalidCap(uint256 cap)
      SafeERC20FailedOperation(address token)
      SafeERC20FailedDecreaseAllowance(address spender, uint256 currentAllowance, uint256 requestedDecrease)`,
  },
  'ERC-721': {
    functions: `
      ownerOf(uint256 tokenId) returns (address)
      getApproved(uint256 tokenId) returns (address)
      setApprovalForAll(address operator, bool approved)
      isApprovedForAll(address owner, address operator) returns (bool)
      safeTransferFrom(address from, address to, uint256 tokenId)
      safeTransferFrom(address from, address to, uint256 tokenId, bytes data)
      onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)
      tokenURI(uint256 tokenId) returns (string)
      tokenByIndex(uint256 index) returns (uint256)
      tokenOfOwnerByIndex(address owner, uint256 index) returns (uint256)
      safeMint(address to, uint256 tokenId)
      safeMint(address to, string uri)
      safeMint(address to, uint256 tokenId, string uri)
      baseURI() returns (string)
      setBaseURI(string baseURI)
      contractURI() returns (string)
      royaltyInfo(uint256 tokenId, uint256 salePrice) returns (address, uint256)
      setDefaultRoyalty(address receiver, uint96 feeNumerator)`,
    events: `
      Transfer(address indexed from, address indexed to, uint256 indexed tokenId)
      Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)
      ApprovalForAll(address indexed owner, address indexed operator, bool approved)
      MetadataUpdate(uint256 tokenId)
      BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId)
      ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)
      ContractURIUpdated()`,
    errors: `
      ERC721InvalidOwner(address owner)
      ERC721NonexistentToken(uint256 tokenId)
      ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)
      ERC721InvalidSender(address sender)
      ERC721InvalidReceiver(address receiver)
      ERC721InsufficientApproval(address operator, uint256 tokenId)
      ERC721InvalidApprover(address approver)
      ERC721InvalidOperator(address operator)
      ERC721OutOfBoundsIndex(address owner, uint256 index)`,
  },
  'ERC-1155': {
    functions: `
      balanceOf(address account, uint256 id) returns (uint256)
      balanceOfBatch(address[] accounts, uint256[] ids) returns (uint256[])
      safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)
      safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)
      onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes data) returns (bytes4)
      onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] values, bytes data) returns (bytes4)
      uri(uint256 id) returns (string)
      setURI(string newuri)
      totalSupply(uint256 id) returns (uint256)
      exists(uint256 id) returns (bool)
      mint(address account, uint256 id, uint256 value, bytes data)
      mintBatch(address to, uint256[] ids, uint256[] values, bytes data)
      burn(address account, uint256 id, uint256 value)
      burnBatch(address account, uint256[] ids, uint256[] values)`,
    events: `
      TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)
      TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)
      URI(string value, uint256 indexed id)`,
    errors: `
      ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)
      ERC1155InvalidSender(address sender)
      ERC1155InvalidReceiver(address receiver)
      ERC1155MissingApprovalForAll(address operator, address owner)
      ERC1155InvalidApprover(address approver)
      ERC1155InvalidOperator(address operator)
      ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)`,
  },
  'ERC-165, ERC-1271': {
    functions: `
      supportsInterface(bytes4 interfaceId) returns (bool)
      isValidSignature(bytes32 hash, bytes signature) returns (bytes4)`,
  },
  'ERC-1363': {
    functions: `
      transferAndCall(address to, uint256 value) returns (bool)
      transferAndCall(address to, uint256 value, bytes data) returns (bool)
      transferFromAndCall(address from, address to, uint256 value) returns (bool)
      transferFromAndCall(address from, address to, uint256 value, bytes data) returns (bool)
      approveAndCall(address spender, uint256 value) returns (bool)
      approveAndCall(address spender, uint256 value, bytes data) returns (bool)
      onTransferReceived(address operator, address from, uint256 value, bytes data) returns (bytes4)
      onApprovalReceived(address owner, uint256 value, bytes data) returns (bytes4)`,
  },
  'ERC-2612, EIP-712': {
    functions: `
      permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
      permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)
      permit(address spender, uint256 tokenId, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
      nonces(address owner) returns (uint256)
      DOMAIN_SEPARATOR() returns (bytes32)
      PERMIT_TYPEHASH() returns (bytes32)
      eip712Domain() returns (bytes1, string, string, uint256, address, bytes32, uint256[])`,
    events: `
      EIP712DomainChanged()`,
    errors: `
      ERC2612ExpiredSignature(uint256 deadline)
      ERC2612InvalidSigner(address signer, address owner)
      InvalidAccountNonce(address account, uint256 currentNonce)
      ECDSAInvalidSignature()
      ECDSAInvalidSignatureLength(uint256 length)
      ECDSAInvalidSignatureS(bytes32 s)`,
  },
  'ERC-3009': {
    functions: `
      authorizationState(address authorizer, bytes32 nonce) returns (bool)
      transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
      receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
      cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)`,
    events: `
      AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)
      AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)`,
  },
  'ERC-3156': {
    functions: `
      maxFlashLoan(address token) returns (uint256)
      flashFee(address token, uint256 amount) returns (uint256)
      flashLoan(address receiver, address token, uint256 amount, bytes data) returns (bool)
      onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes data) returns (bytes32)`,
  },
  'ERC-4626': {
    functions: `
      asset() returns (address)
      totalAssets() returns (uint256)
      convertToShares(uint256 assets) returns (uint256)
      convertToAssets(uint256 shares) returns (uint256)
      maxDeposit(address receiver) returns (uint256)
      maxMint(address receiver) returns (uint256)
      maxWithdraw(address owner) returns (uint256)
      maxRedeem(address owner) returns (uint256)
      previewDeposit(uint256 assets) returns (uint256)
      previewMint(uint256 shares) returns (uint256)
      previewWithdraw(uint256 assets) returns (uint256)
      previewRedeem(uint256 shares) returns (uint256)
      deposit(uint256 assets, address receiver) returns (uint256)
      mint(uint256 shares, address receiver) returns (uint256)
      withdraw(uint256 assets, address receiver, address owner) returns (uint256)
      redeem(uint256 shares, address receiver, address owner) returns (uint256)`,
    events: `
      Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)
      Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)`,
    errors: `
      ERC4626ExceededMaxDeposit(address receiver, uint256 assets, uint256 max)
      ERC4626ExceededMaxMint(address receiver, uint256 shares, uint256 max)
      ERC4626ExceededMaxWithdraw(address owner, uint256 assets, uint256 max)
      ERC4626ExceededMaxRedeem(address owner, uint256 shares, uint256 max)`,
  },
  Ownable: {
    functions: `
      owner() returns (address)
      transferOwnership(address newOwner)
      renounceOwnership()
      pendingOwner() returns (address)
      acceptOwnership()`,
    events: `
      OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
      OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)`,
    errors: `
      OwnableUnauthorizedAccount(address account)
      OwnableInvalidOwner(address owner)`,
  },
  AccessControl: {
    functions: `
      DEFAULT_ADMIN_ROLE() returns (bytes32)
      MINTER_ROLE() returns (bytes32)
      PAUSER_ROLE() returns (bytes32)
      UPGRADER_ROLE() returns (bytes32)
      hasRole(bytes32 role, address account) returns (bool)
      getRoleAdmin(bytes32 role) returns (bytes32)
      grantRole(bytes32 role, address account)
      revokeRole(bytes32 role, address account)
      renounceRole(bytes32 role, address callerConfirmation)
      getRoleMember(bytes32 role, uint256 index) returns (address)
      getRoleMemberCount(bytes32 role) returns (uint256)
      getRoleMembers(bytes32 role) returns (address[])
      defaultAdmin() returns (address)
      pendingDefaultAdmin() returns (address, uint48)
      beginDefaultAdminTransfer(address newAdmin)
      cancelDefaultAdminTransfer()
      acceptDefaultAdminTransfer()
      changeDefaultAdminDelay(uint48 newDelay)
      rollbackDefaultAdminDelay()`,
    events: `
      RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)
      RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)
      RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)
      DefaultAdminTransferScheduled(address indexed newAdmin, uint48 acceptSchedule)
      DefaultAdminTransferCanceled()
      DefaultAdminDelayChangeScheduled(uint48 newDelay, uint48 effectSchedule)
      DefaultAdminDelayChangeCanceled()`,
    errors: `
      AccessControlUnauthorizedAccount(address account, bytes32 neededRole)
      AccessControlBadConfirmation()
      AccessControlInvalidDefaultAdmin(address defaultAdmin)
      AccessControlEnforcedDefaultAdminRules()
      AccessControlEnforcedDefaultAdminDelay(uint48 schedule)`,
  },
  'Pausable, ReentrancyGuard, utilities': {
    functions: `
      pause()
      unpause()
      paused() returns (bool)`,
    events: `
      Paused(address account)
      Unpaused(address account)`,
    errors: `
      EnforcedPause()
      ExpectedPause()
      ReentrancyGuardReentrantCall()
      AddressEmptyCode(address target)
      FailedCall()
      FailedDeployment()
      InsufficientBalance(uint256 balance, uint256 needed)
      SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
      SafeCastOverflowedIntToUint(int256 value)
      SafeCastOverflowedIntDowncast(uint8 bits, int256 value)
      SafeCastOverflowedUintToInt(uint256 value)
      StringsInsufficientHexLength(uint256 value, uint256 length)`,
  },
  // EIP-1967 with transparent, UUPS (EIP-1822) and beacon proxies, their admin, and what they forward to.
  Proxies: {
    functions: `
      implementation() returns (address)
      admin() returns (address)
      changeAdmin(address newAdmin)
      upgradeTo(address newImplementation)
      upgradeToAndCall(address newImplementation, bytes data)
      proxiableUUID() returns (bytes32)
      UPGRADE_INTERFACE_VERSION() returns (string)
      upgradeAndCall(address proxy, address implementation, bytes data)
      upgrade(address proxy, address implementation)
      getProxyAdmin(address proxy) returns (address)
      getProxyImplementation(address proxy) returns (address)
      changeProxyAdmin(address proxy, address newAdmin)
      initialize()
      initialize(address owner)
      isTrustedForwarder(address forwarder) returns (bool)`,
    events: `
      Upgraded(address indexed implementation)
      AdminChanged(address previousAdmin, address newAdmin)
      BeaconUpgraded(address indexed beacon)
      Initialized(uint64 version)
      Initialized(uint8 version)`,
    errors: `
      InvalidInitialization()
      NotInitializing()
      ProxyDeniedAdminAccess()
      UUPSUnauthorizedCallContext()
      UUPSUnsupportedProxiableUUID(bytes32 slot)
      ERC1967InvalidImplementation(address implementation)
      ERC1967InvalidAdmin(address admin)
      ERC1967InvalidBeacon(address beacon)
      ERC1967NonPayable()
      BeaconInvalidImplementation(address implementation)`,
  },
  'Votes, Governor, Timelock': {
    functions: `
      getVotes(address account) returns (uint256)
      getPastVotes(address account, uint256 timepoint) returns (uint256)
      getPastTotalSupply(uint256 timepoint) returns (uint256)
      delegates(address account) returns (address)
      delegate(address delegatee)
      delegateBySig(address delegatee, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s)
      clock() returns (uint48)
      CLOCK_MODE() returns (string)
      propose(address[] targets, uint256[] values, bytes[] calldatas, string description) returns (uint256)
      queue(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) returns (uint256)
      execute(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) returns (uint256)
      cancel(address[] targets, uint256[] values, bytes[] calldatas, bytes32 descriptionHash) returns (uint256)
      castVote(uint256 proposalId, uint8 support) returns (uint256)
      castVoteWithReason(uint256 proposalId, uint8 support, string reason) returns (uint256)
      state(uint256 proposalId) returns (uint8)
      proposalSnapshot(uint256 proposalId) returns (uint256)
      proposalDeadline(uint256 proposalId) returns (uint256)
      quorum(uint256 timepoint) returns (uint256)
      votingDelay() returns (uint256)
      votingPeriod() returns (uint256)
      schedule(address target, uint256 value, bytes data, bytes32 predecessor, bytes32 salt, uint256 delay)
      scheduleBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt, uint256 delay)
      execute(address target, uint256 value, bytes payload, bytes32 predecessor, bytes32 salt)
      executeBatch(address[] targets, uint256[] values, bytes[] payloads, bytes32 predecessor, bytes32 salt)
      cancel(bytes32 id)
      updateDelay(uint256 newDelay)
      getMinDelay() returns (uint256)`,
    events: `
      DelegateChanged(address indexed delegator, address indexed fromDelegate, address indexed toDelegate)
      DelegateVotesChanged(address indexed delegate, uint256 previousVotes, uint256 newVotes)
      ProposalCreated(uint256 proposalId, address proposer, address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, uint256 voteStart, uint256 voteEnd, string description)
      ProposalQueued(uint256 proposalId, uint256 etaSeconds)
      ProposalExecuted(uint256 proposalId)
      ProposalCanceled(uint256 proposalId)
      VoteCast(address indexed voter, uint256 proposalId, uint8 support, uint256 weight, string reason)
      CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)
      CallExecuted(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data)
      Cancelled(bytes32 indexed id)
      MinDelayChange(uint256 oldDuration, uint256 newDuration)`,
  },
  'Wrapped coin': {
    functions: `
      deposit()
      withdraw(uint256 value)
      depositTo(address to)
      withdrawTo(address to, uint256 value)`,
    events: `
      Deposit(address indexed destination, uint256 value)
      Withdrawal(address indexed source, uint256 value)`,
  },
  'Pairs as of Uniswap 2': {
    functions: `
      factory() returns (address)
      token0() returns (address)
      token1() returns (address)
      getReserves() returns (uint112, uint112, uint32)
      MINIMUM_LIQUIDITY() returns (uint256)
      price0CumulativeLast() returns (uint256)
      price1CumulativeLast() returns (uint256)
      kLast() returns (uint256)
      burn(address to) returns (uint256, uint256)
      swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)
      skim(address to)
      sync()
      initialize(address token0, address token1)
      uniswapV2Call(address sender, uint256 amount0, uint256 amount1, bytes data)
      createPair(address tokenA, address tokenB) returns (address)
      getPair(address tokenA, address tokenB) returns (address)
      allPairs(uint256 index) returns (address)
      allPairsLength() returns (uint256)
      feeTo() returns (address)
      feeToSetter() returns (address)
      setFeeTo(address feeTo)
      setFeeToSetter(address feeToSetter)`,
    events: `
      Mint(address indexed sender, uint256 amount0, uint256 amount1)
      Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)
      Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)
      Sync(uint112 reserve0, uint112 reserve1)
      PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)`,
  },
  'Routers as of Uniswap 2': {
    functions: `
      WETH() returns (address)
      addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256, uint256, uint256)
      addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) returns (uint256, uint256, uint256)
      removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256, uint256)
      removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) returns (uint256, uint256)
      removeLiquidityWithPermit(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s) returns (uint256, uint256)
      removeLiquidityETHWithPermit(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline, bool approveMax, uint8 v, bytes32 r, bytes32 s) returns (uint256, uint256)
      removeLiquidityETHSupportingFeeOnTransferTokens(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) returns (uint256)
      swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])
      swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[])
      swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])
      swapTokensForExactETH(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline) returns (uint256[])
      swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[])
      swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) returns (uint256[])
      swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
      swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)
      swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)
      quote(uint256 amountA, uint256 reserveA, uint256 reserveB) returns (uint256)
      getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) returns (uint256)
      getAmountIn(uint256 amountOut, uint256 reserveIn, uint256 reserveOut) returns (uint256)
      getAmountsOut(uint256 amountIn, address[] path) returns (uint256[])
      getAmountsIn(uint256 amountOut, address[] path) returns (uint256[])`,
  },
  'Pools as of Uniswap 3': {
    functions: `
      fee() returns (uint24)
      tickSpacing() returns (int24)
      liquidity() returns (uint128)
      slot0() returns (uint160, int24, uint16, uint16, uint16, uint8, bool)
      initialize(uint160 sqrtPriceX96)
      mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes data) returns (uint256, uint256)
      burn(int24 tickLower, int24 tickUpper, uint128 amount) returns (uint256, uint256)
      collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0Requested, uint128 amount1Requested) returns (uint128, uint128)
      swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256, int256)
      flash(address recipient, uint256 amount0, uint256 amount1, bytes data)
      increaseObservationCardinalityNext(uint16 observationCardinalityNext)
      setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)
      collectProtocol(address recipient, uint128 amount0Requested, uint128 amount1Requested) returns (uint128, uint128)
      uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes data)
      uniswapV3MintCallback(uint256 amount0Owed, uint256 amount1Owed, bytes data)
      uniswapV3FlashCallback(uint256 fee0, uint256 fee1, bytes data)
      createPool(address tokenA, address tokenB, uint24 fee) returns (address)
      getPool(address tokenA, address tokenB, uint24 fee) returns (address)
      enableFeeAmount(uint24 fee, int24 tickSpacing)`,
    events: `
      Initialize(uint160 sqrtPriceX96, int24 tick)
      Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)
      Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)
      Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)
      Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)
      Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)
      CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)
      PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)
      FeeAmountEnabled(uint24 indexed fee, int24 indexed tickSpacing)
      OwnerChanged(address indexed oldOwner, address indexed newOwner)`,
  },
  'Routers and positions as of Uniswap 3': {
    functions: `
      exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) returns (uint256)
      exactInput((bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum) params) returns (uint256)
      exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params) returns (uint256)
      exactOutput((bytes path, address recipient, uint256 deadline, uint256 amountOut, uint256 amountInMaximum) params) returns (uint256)
      quoteExactInput(bytes path, uint256 amountIn)
      quoteExactOutput(bytes path, uint256 amountOut)
      positions(uint256 tokenId)
      mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params) returns (uint256, uint128, uint256, uint256)
      increaseLiquidity((uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) returns (uint128, uint256, uint256)
      decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) returns (uint256, uint256)
      collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params) returns (uint256, uint256)
      createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) returns (address)
      WETH9() returns (address)
      unwrapWETH9(uint256 amountMinimum, address recipient)
      sweepToken(address token, uint256 amountMinimum, address recipient)
      refundETH()
      selfPermit(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
      selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)`,
    events: `
      IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)
      DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)
      Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)`,
  },
  Multicall: {
    functions: `
      multicall(bytes[] data) returns (bytes[])
      aggregate((address target, bytes callData)[] calls) returns (uint256, bytes[])
      tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns ((bool success, bytes returnData)[])
      blockAndAggregate((address target, bytes callData)[] calls) returns (uint256, bytes32, (bool success, bytes returnData)[])
      tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) returns (uint256, bytes32, (bool success, bytes returnData)[])
      aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])
      aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) returns ((bool success, bytes returnData)[])
      getEthBalance(address addr) returns (uint256)
      getBlockHash(uint256 blockNumber) returns (bytes32)
      getBlockNumber() returns (uint256)
      getCurrentBlockTimestamp() returns (uint256)
      getChainId() returns (uint256)
      getBasefee() returns (uint256)`,
  },
};
