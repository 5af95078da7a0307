// Small contracts, each for one thing that makes code on chain differ from code as compiled.

/** Long versions of the installed compilers, oldest first. */
export const longVersions = {
  '0.4.26': '0.4.26+commit.4563c3fc',
  '0.5.17': '0.5.17+commit.d19bba13',
  '0.6.12': '0.6.12+commit.27d51765',
  '0.7.6': '0.7.6+commit.7338295f',
  '0.8.4': '0.8.4+commit.c7e474f2',
  '0.8.19': '0.8.19+commit.7dd6d404',
  '0.8.28': '0.8.28+commit.7893614a',
  '0.8.37': '0.8.37+commit.f401782d',
} as const;

const immutables = `contract Fixed {
    uint256 public immutable first;
    address public immutable second;
    constructor(uint256 value) { first = value; second = msg.sender; }
    function twice() external view returns (uint256) { return first + first; }
}
`;

/** Files by path; the first one holds the contract. */
export const contractSources = {
  Old: {
    'Old.sol': `pragma solidity ^0.4.0;
contract Old {
    uint256 public kept;
    constructor(uint256 value) public { kept = value; }
}
`,
  },
  OldLinked: {
    'OldLinked.sol': `pragma solidity ^0.4.0;
library Adder { function add(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }
contract OldLinked { function more(uint256 a) public pure returns (uint256) { return Adder.add(a, 1); } }
`,
  },
  Adder: {
    'Adder.sol': `pragma solidity >=0.5.0;
library Adder { function add(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }
`,
  },
  Factory: {
    'Factory.sol': `pragma solidity >=0.5.0;
contract Child {
    uint256 public kept;
    constructor(uint256 value) public { kept = value; }
}
contract Factory { function make(uint256 value) public returns (Child) { return new Child(value); } }
`,
  },
  Fixed: {
    'Fixed.sol': `pragma solidity >=0.6.5;
${immutables.replace('constructor(uint256 value)', 'constructor(uint256 value) public')}`,
  },
  Fixed8: { 'Fixed.sol': `pragma solidity >=0.8.0;\n${immutables}` },
  Named: {
    'Named.sol': `pragma solidity >=0.7.0;
contract Named {
    string public name;
    uint256 public immutable size;
    constructor(string memory text, uint256 value) { name = text; size = value; }
}
`,
  },
  Store: {
    'Store.sol': `pragma solidity >=0.8.0;
contract Store {
    uint256 public kept;
    uint256 private secret;
    function set() external payable { kept = 41; secret = 5; }
}
contract Other { function nothing() external pure returns (string memory) { return "nothing at all, and that at length"; } }
`,
  },
  Remapped: {
    'src/Remapped.sol': `pragma solidity >=0.8.0;
import "@lib/Far.sol";
contract Remapped { function far(uint256 a) external pure returns (uint256) { return Far.away(a); } }
`,
    'lib/Far.sol': `pragma solidity >=0.8.0;
library Far { function away(uint256 a) public pure returns (uint256) { return a * 3; } }
`,
  },
  Yul: {
    'Yul.yul': `object "Yul" {
  code { datacopy(0, dataoffset("runtime"), datasize("runtime")) return(0, datasize("runtime")) }
  object "runtime" { code { mstore(0, 42) return(0, 32) } }
}
`,
  },
} as const satisfies Record<string, Record<string, string>>;
