// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// What the factory makes.
contract Child {
    uint256 public immutable number;
    address public immutable parent;

    constructor(uint256 n) payable {
        number = n;
        parent = msg.sender;
    }
}

/// Creates contracts from within a contract, by CREATE and by CREATE2.
contract Factory {
    address[] public children;

    event Created(address indexed child, uint256 number);

    function create(uint256 number) external returns (address child) {
        child = address(new Child(number));
        children.push(child);
        emit Created(child, number);
    }

    function pair(uint256 number) external {
        this.create(number);
        this.create(number + 1);
    }

    function create2(uint256 number, bytes32 salt) external returns (address child) {
        child = address(new Child{salt: salt}(number));
        children.push(child);
        emit Created(child, number);
    }
}
