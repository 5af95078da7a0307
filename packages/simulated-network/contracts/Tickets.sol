// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A small collection with the functions and events of ERC-1155: several units of each kind.
contract Tickets {
    string public constant name = "Mirror Tickets";
    string public constant symbol = "TICKET";
    mapping(address => mapping(uint256 => uint256)) internal balances;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    error NotAllowed(address sender);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function uri(uint256) external pure returns (string memory) {
        return "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/{id}.json";
    }

    function balanceOf(address account, uint256 id) public view returns (uint256) {
        return balances[account][id];
    }

    function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids) external view returns (uint256[] memory found) {
        found = new uint256[](ids.length);
        for (uint256 place = 0; place < ids.length; place++) found[place] = balances[accounts[place]][ids[place]];
    }

    /// Three kinds at once: ten, twenty and thirty units.
    function issue(address to, uint256 first) external {
        uint256[] memory ids = new uint256[](3);
        uint256[] memory values = new uint256[](3);
        for (uint256 place = 0; place < 3; place++) {
            ids[place] = first + place;
            values[place] = 10 * (place + 1);
            balances[to][ids[place]] += values[place];
        }
        emit TransferBatch(msg.sender, address(0), to, ids, values);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata) public {
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender);
        balances[from][id] -= value;
        balances[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
    }

    function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata) external {
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender);
        for (uint256 place = 0; place < ids.length; place++) {
            balances[from][ids[place]] -= values[place];
            balances[to][ids[place]] += values[place];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }
}
