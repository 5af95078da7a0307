// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Counts calls and remembers who called how often.
contract Counter {
    uint256 public count;
    address public immutable owner;
    mapping(address => uint256) public callsOf;

    event Incremented(address indexed by, uint256 count);

    constructor(uint256 start) payable {
        count = start;
        owner = msg.sender;
    }

    function increment() external returns (uint256) {
        count += 1;
        callsOf[msg.sender] += 1;
        emit Incremented(msg.sender, count);
        return count;
    }

    /// Never ends: takes all the gas it is given.
    function spin() external {
        while (true) count += 1;
    }

    /// Violates an assertion: all gas of the frame is kept, a panic code is returned.
    function underflow(uint256 by) external returns (uint256) {
        count = count - (count + by);
        return count;
    }
}
