// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Proxies of the kinds that keep in storage where their calls go, each as small as it can be: what they have in common
// with those of the standards is the slot, and who is asked.

contract Logic {
    uint256 public n;

    function set(uint256 v) external {
        n = v;
    }
}

abstract contract Forwarder {
    function target() internal view virtual returns (address);

    fallback() external payable {
        address to = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch done
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }
}

abstract contract NamedSlot is Forwarder {
    function slot() internal pure virtual returns (bytes32);

    constructor(address to) {
        bytes32 at = slot();
        assembly { sstore(at, to) }
    }

    function target() internal view virtual override returns (address to) {
        bytes32 at = slot();
        assembly { to := sload(at) }
    }
}

contract Erc1967 is NamedSlot {
    constructor(address to) NamedSlot(to) {}

    function slot() internal pure override returns (bytes32) {
        return bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    }
}

contract Erc1822 is NamedSlot {
    constructor(address to) NamedSlot(to) {}

    function slot() internal pure override returns (bytes32) {
        return keccak256("PROXIABLE");
    }
}

contract ZeppelinOs is NamedSlot {
    constructor(address to) NamedSlot(to) {}

    function slot() internal pure override returns (bytes32) {
        return keccak256("org.zeppelinos.proxy.implementation");
    }
}

contract Beacon {
    address public implementation;

    constructor(address to) {
        implementation = to;
    }

    function upgradeTo(address to) external {
        implementation = to;
    }
}

contract BeaconProxy is NamedSlot {
    constructor(address beacon) NamedSlot(beacon) {}

    function slot() internal pure override returns (bytes32) {
        return bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1);
    }

    function target() internal view override returns (address) {
        return Beacon(super.target()).implementation();
    }
}

contract Safe {
    address internal singleton;

    constructor(address to) {
        singleton = to;
    }

    fallback() external payable {
        assembly {
            let to := and(sload(0), 0xffffffffffffffffffffffffffffffffffffffff)
            if eq(calldataload(0), 0xa619486e00000000000000000000000000000000000000000000000000000000) {
                mstore(0, to)
                return(0, 0x20)
            }
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if eq(done, 0) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

contract SequenceWallet {
    constructor(address to) {
        assembly { sstore(address(), to) }
    }

    fallback() external payable {
        assembly {
            calldatacopy(0, 0, calldatasize())
            let done := delegatecall(gas(), sload(address()), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(done) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}

struct Table {
    mapping(bytes4 => address) facetOf;
    address[] facets;
}

function tableAt(bytes32 place) pure returns (Table storage table) {
    assembly { table.slot := place }
}

bytes32 constant USUAL = keccak256("diamond.standard.diamond.storage");
bytes32 constant OWN = keccak256("a.place.of.its.own");

contract Loupe {
    function facetAddresses() external view returns (address[] memory) {
        return tableAt(USUAL).facets;
    }
}

/** Answers the older question only, from a table at a place of its own. */
contract OtherLoupe {
    struct Facet {
        address facetAddress;
        bytes4[] functionSelectors;
    }

    function facets() external view returns (Facet[] memory list) {
        address[] storage all = tableAt(OWN).facets;
        list = new Facet[](all.length);
        for (uint256 i = 0; i < all.length; i++) list[i] = Facet(all[i], new bytes4[](i + 1));
    }
}

contract Diamond is Forwarder {
    constructor(address[] memory facets, bytes4[] memory selectors) {
        Table storage table = tableAt(place());
        table.facets = facets;
        for (uint256 i = 0; i < selectors.length; i++) table.facetOf[selectors[i]] = facets[i];
    }

    function place() internal pure virtual returns (bytes32) {
        return USUAL;
    }

    function target() internal view override returns (address to) {
        to = tableAt(place()).facetOf[msg.sig];
        require(to != address(0), "no such function");
    }
}

contract OtherDiamond is Diamond {
    constructor(address[] memory facets, bytes4[] memory selectors) Diamond(facets, selectors) {}

    function place() internal pure override returns (bytes32) {
        return OWN;
    }
}

/** Writes the slot as an implementation may, but forwards nothing. */
contract Registry {
    constructor(address to) {
        bytes32 at = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
        assembly { sstore(at, to) }
    }

    function slotOfProxies() external pure returns (bytes32) {
        return bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);
    }
}

/** Forwards to a library, and names no other contract in its storage. */
contract Delegating {
    uint256 public n;

    function run(address to, bytes calldata data) external returns (bool done) {
        (done, ) = to.delegatecall(data);
    }
}
