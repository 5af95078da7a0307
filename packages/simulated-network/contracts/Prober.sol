// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// Gives what it has to somebody, and is gone if it was made in the same transaction.
contract Vanisher {
    constructor() payable {}

    receive() external payable {}

    function vanish(address payable to) external {
        selfdestruct(to);
    }
}

/// Fails at its creation in the way that it is told.
contract Stillborn {
    constructor(uint256 how) payable {
        if (how == 1) revert("stillborn");
        if (how == 2) {
            assembly {
                mstore8(0, 0xef)
                return(0, 1)
            }
        }
        if (how == 3) {
            assembly {
                return(0, 24577)
            }
        }
        if (how == 4) {
            assembly {
                invalid()
            }
        }
    }
}

/// Does what contracts do seldom, and logs what it saw: the gas that was left says whether every step cost the same.
contract Prober {
    mapping(uint256 => uint256) public cells;
    uint256 private depths;

    event Called(address indexed target, bool ok, bytes32 output, uint256 gasLeft);
    event Looked(address indexed at, uint256 size, bytes32 hash, uint256 balance, bytes32 code, uint256 gasLeft);
    event Placed(uint256 number, uint256 time, uint256 chain, uint256 price, uint256 limit, uint256 own);
    event People(address self, address caller, address origin, address coinbase, uint256 baseFee, uint256 blobFee);
    event Made(address indexed child, uint256 gasLeft);

    constructor() payable {}

    receive() external payable {
        cells[0] += msg.value;
    }

    /// 0 CALL, 1 STATICCALL, 2 DELEGATECALL, 3 CALLCODE
    function through(uint256 how, address target, uint256 value, uint256 limit, bytes memory input)
        public
        payable
        returns (bool ok)
    {
        uint256 left = limit == 0 ? gasleft() : limit;
        assembly {
            let data := add(input, 32)
            let size := mload(input)
            switch how
            case 0 { ok := call(left, target, value, data, size, 0, 0) }
            case 1 { ok := staticcall(left, target, data, size, 0, 0) }
            case 2 { ok := delegatecall(left, target, data, size, 0, 0) }
            default { ok := callcode(left, target, value, data, size, 0, 0) }
        }
        emit Called(target, ok, keccak256(returned()), gasleft());
    }

    function returned() private pure returns (bytes memory data) {
        assembly {
            data := mload(0x40)
            mstore(data, returndatasize())
            returndatacopy(add(data, 32), 0, returndatasize())
            mstore(0x40, add(add(data, 64), returndatasize()))
        }
    }

    function look(address at) external {
        bytes32 hash;
        assembly {
            hash := extcodehash(at)
        }
        emit Looked(at, at.code.length, hash, at.balance, keccak256(at.code), gasleft());
    }

    function environment() external payable {
        emit Placed(block.number, block.timestamp, block.chainid, tx.gasprice, block.gaslimit, address(this).balance);
        emit People(address(this), msg.sender, tx.origin, block.coinbase, block.basefee, block.blobbasefee);
    }

    /// Zero gives gas back.
    function write(uint256 from, uint256 count, uint256 value) external {
        for (uint256 slot = from; slot < from + count; slot++) cells[slot] = value;
    }

    /// Writes what the transaction forgets, and moves memory.
    function forget(uint256 value) external returns (uint256 sum) {
        assembly {
            tstore(7, value)
            mstore(0x80, value)
            mcopy(0xa3, 0x80, 64)
            sum := add(tload(7), add(mload(0xa3), tload(8)))
        }
        cells[1] = sum;
    }

    /// Calls itself, and every third time what that did is undone.
    function descend(uint256 depth) external returns (uint256) {
        depths += 1;
        if (depth > 0) {
            try this.descend(depth - 1) {} catch {
                cells[depth] += 1;
            }
        }
        require(depth % 3 != 1, "undone");
        return depths;
    }

    /// 0 CREATE2, 5 CREATE, 6 with hardly any gas, 1 to 4 fail.
    function make(uint256 how, bytes32 salt) external payable returns (address child) {
        bytes memory code = how == 0 || how > 4
            ? type(Vanisher).creationCode
            : abi.encodePacked(type(Stillborn).creationCode, how);
        assembly {
            switch how
            case 5 { child := create(callvalue(), add(code, 32), mload(code)) }
            default { child := create2(callvalue(), add(code, 32), mload(code), salt) }
        }
        emit Made(child, gasleft());
    }

    function vanish(address payable to) external payable {
        Vanisher made = new Vanisher{value: msg.value}();
        made.vanish(to);
        emit Looked(address(made), address(made).code.length, address(made).codehash, to.balance, 0, gasleft());
    }

    function halt(uint256 how) external {
        cells[2] += 1;
        assembly {
            switch how
            case 0 { invalid() }
            case 1 { returndatacopy(0, 0, 1) }
            case 2 { mstore(0xffffffffffff, 1) }
            case 3 { return(0, 0xffffffffff) }
            default { revert(0, how) }
        }
    }

    function log(uint256 topics, bytes memory data) external {
        assembly {
            let at := add(data, 32)
            let size := mload(data)
            switch topics
            case 0 { log0(at, size) }
            case 1 { log1(at, size, 1) }
            case 2 { log2(at, size, 1, 2) }
            case 3 { log3(at, size, 1, 2, 3) }
            default { log4(at, size, 1, 2, 3, 4) }
        }
    }

    function toil(uint256 rounds) external returns (bytes32 hash) {
        for (uint256 round = 0; round < rounds; round++) hash = keccak256(abi.encode(hash, round ** 7 % 1009));
        cells[3] = uint256(hash);
    }
}
