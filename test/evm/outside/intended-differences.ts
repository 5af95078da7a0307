// Where the machine differs from outside suites on purpose, by the names of cases.
import type { Intended } from './tally.ts';

export const intendedOfStateTests: readonly Intended[] = [
  { cases: /\(wide gas\)$/, reason: 'gas is counted in 53 bits: a block of a ledger has 10^8 times less' },
  { cases: /stEIP4844-blobtransactions\/opcodeBlobh/, reason: 'BLOBHASH: a ledger has no blobs' },
  {
    cases:
      /collisionStorage|InitCollision|RevertInCreateInInit|dynamicAccountOverwriteEmpty|create_(tx_)?collision_storage/,
    reason: 'EIP-7610: no account of a ledger has storage without code',
  },
  {
    cases: /CALLBlake2f_MaxRounds|vmPerformance\/loopMul/,
    reason: 'work for more gas than a network gives; its time ends it',
  },
  {
    cases: /set_code_to_log\.json .*::test_set_code_to_log/,
    reason: 'the file for Gnosis says that a LOG which ran left nothing; that for Ethereum agrees',
  },
  {
    cases: /stRevertTest\/RevertPrecompiledTouch(_storage)?\.json|failed_tx_xcf416c53/,
    reason: 'of the account 0x3 a failed call counts as touched on mainnet; accounts of ledgers stay',
  },
  { cases: /eof|eip663\//i, reason: 'EOF, which no fork of Ethereum took up' },
  {
    cases: /state_transition\/block\/(known_block_hash|eip7516_blob_base_fee|block_apply_)/,
    reason: 'the file leaves out what its test puts into the block: hashes, excess of blobs, withdrawals, rewards',
  },
  { cases: /eip6110_deposits\/eip1559\/new_bug/, reason: 'the file gives the base fee of Gnosis to no account' },
];

export const intendedOfGeth: readonly Intended[] = [
  { cases: /^modexp /, reason: 'the price of MODEXP before EIP-2565, older than every rule that a ledger had' },
];

export const intendedOfSolidity: readonly Intended[] = [
  { cases: /blobhash\.sol/, reason: 'BLOBHASH: a ledger has no blobs' },
  {
    cases: /^state\/tx_origin\.sol/,
    reason: "in the compiler's own program the origin is another account than the sender",
  },
  { cases: /^isoltestTesting\//, reason: "tests of the compiler's own program" },
  { cases: /^experimental\//, reason: 'a language that released compilers do not have' },
  {
    cases: /^tryCatch\/create\.sol/,
    reason: "in the compiler's own program a creation that fails gives the nonce back; in Ethereum it does not",
  },
  {
    cases: /^externalContracts\/FixedFeeRegistrar\.sol/,
    reason: "an address of three digits is the address 0 to the compiler's own program",
  },
];
