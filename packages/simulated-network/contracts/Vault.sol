// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

interface ICounter {
    function increment() external returns (uint256);
}

/// Takes value, gives it back, and calls another contract.
contract Vault {
    mapping(address => uint256) public deposits;

    event Deposited(address indexed from, uint256 value);
    event Withdrawn(address indexed to, uint256 value);

    receive() external payable {
        deposit();
    }

    function deposit() public payable {
        deposits[msg.sender] += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        deposits[msg.sender] -= value;
        (bool sent, ) = msg.sender.call{value: value}("");
        require(sent, "not sent");
        emit Withdrawn(msg.sender, value);
    }

    /// Pays someone out of what the caller holds here; an unknown address becomes a hollow account.
    function pay(address payable to, uint256 value) external {
        deposits[msg.sender] -= value;
        (bool sent, ) = to.call{value: value}("");
        require(sent, "not sent");
    }

    function bump(ICounter counter) external returns (uint256) {
        return counter.increment();
    }

    /// The inner call fails, the outer one does not.
    function tryCall(address target, bytes calldata data) external returns (bool ok) {
        (ok, ) = target.call(data);
    }
}
