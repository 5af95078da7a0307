// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Fails in the ways a contract can fail.
contract Reverter {
    error Refused(address caller, uint256 code);

    constructor(bool refuse) {
        require(!refuse, "refused at birth");
    }

    function withReason(string calldata reason) external pure {
        revert(reason);
    }

    function withError(uint256 code) external view {
        revert Refused(msg.sender, code);
    }

    function withNothing() external pure {
        revert();
    }
}
