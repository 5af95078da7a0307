// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A small collection with the functions and events of ERC-721. Its pictures are in the ledger.
contract Badges {
    string public constant name = "Mirror Badges";
    string public constant symbol = "BADGE";
    uint256 public totalSupply;
    mapping(uint256 => address) internal owners;
    mapping(address => uint256) public balanceOf;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    error NoSuchBadge(uint256 tokenId);
    error NotAllowed(address sender, uint256 tokenId);

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function ownerOf(uint256 tokenId) public view returns (address owner) {
        owner = owners[tokenId];
        if (owner == address(0)) revert NoSuchBadge(tokenId);
    }

    function mint(address to) external returns (uint256 tokenId) {
        tokenId = ++totalSupply;
        owners[tokenId] = to;
        balanceOf[to] += 1;
        emit Transfer(address(0), to, tokenId);
    }

    function approve(address to, uint256 tokenId) external {
        if (ownerOf(tokenId) != msg.sender) revert NotAllowed(msg.sender, tokenId);
        getApproved[tokenId] = to;
        emit Approval(msg.sender, to, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        address owner = ownerOf(tokenId);
        bool allowed = msg.sender == owner || msg.sender == getApproved[tokenId] || isApprovedForAll[owner][msg.sender];
        if (owner != from || !allowed) revert NotAllowed(msg.sender, tokenId);
        delete getApproved[tokenId];
        balanceOf[from] -= 1;
        balanceOf[to] += 1;
        owners[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        ownerOf(tokenId);
        string memory number = toText(tokenId);
        string memory hue = toText((tokenId * 47) % 360);
        return string.concat(
            "data:application/json;utf8,{\"name\":\"Badge ",
            number,
            "\",\"description\":\"For looking at a ledger\",\"image\":\"data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'><circle cx='50' cy='50' r='46' fill='hsl(",
            hue,
            ",60%25,45%25)'/><text x='50' y='64' font-size='40' text-anchor='middle' fill='white'>",
            number,
            "</text></svg>\"}"
        );
    }

    function toText(uint256 value) internal pure returns (string memory) {
        bytes memory digits = new bytes(78);
        uint256 start = digits.length;
        do {
            digits[--start] = bytes1(uint8(48 + (value % 10)));
            value /= 10;
        } while (value > 0);
        bytes memory text = new bytes(digits.length - start);
        for (uint256 place = 0; place < text.length; place++) text[place] = digits[start + place];
        return string(text);
    }
}
