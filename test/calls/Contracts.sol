// SPDX-License-Identifier: MIT
// Contracts of the worked examples, by their description.
pragma solidity ^0.8.24;

contract State {
    string public state;

    function changeState(string memory s) public returns (string memory) {
        state = s;
        return state;
    }
}

contract EthCall {
    string private text = "test";

    function multiplySimpleNumbers() public pure returns (uint256) { return 2 * 2; }
    function writeToStorageSlot(string memory s) public payable returns (string memory) {
        text = s;
        return text;
    }
    function nestedCall(string memory s, address at) public returns (string memory) { return State(at).changeState(s); }
    function deployContract(string memory s) public returns (string memory) {
        State made = new State();
        return string.concat(made.changeState(s), made.state());
    }
    function deployViaCreate2() public returns (address) { return address(new HRC632Contract{salt: bytes32(uint256(7))}()); }
    function getAccountBalance(address a) public view returns (uint256) { return a.balance; }
    function testRevert() public pure { revert("Custom revert message"); }
}

contract EvmCodes {
    function calculateSHA256() public pure returns (bytes memory) { return bytes.concat(sha256("")); }
    function calculateRIPEMD160() public pure returns (bytes memory) { return ""; }
    function pairingCheck() public view returns (bool ok) {
        // e(P, Q) e(-P, Q) = 1
        uint256[12] memory input = [
            1, 2,
            0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2,
            0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed,
            0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b,
            0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa,
            1, 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd45,
            0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2,
            0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed,
            0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b,
            0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa
        ];
        uint256[1] memory result;
        assembly { ok := staticcall(gas(), 8, input, 384, result, 32) }
        ok = ok && result[0] == 1;
    }
    function tryMcopy() public pure { assembly { mcopy(0x80, 0xa0, 0x20) } }
    function tryTransientStorage() public { assembly { tstore(1, 2) pop(tload(1)) } }
    function tryKzg() public { assembly { pop(call(gas(), 10, 0, 0, 13, 0, 0)) } }
    function getBlockPrevrandao() public view returns (uint256) { return block.prevrandao; }
    function getBlockHash(uint256 n) public view returns (bytes32 h) { assembly { h := blockhash(n) } }
    function getBlockTimestamp() public view returns (uint256) { return block.timestamp; }
    function getCodeHash(address a) public view returns (bytes32) { return a.codehash; }
    function destroyContract(address payable a) public { selfdestruct(a); }
}

contract Reverter {
    error SomeCustomError();
    error CustomErrorWithParameters(string message, uint256 number);

    function revertView() public view { require(address(this) == address(0), "RevertReasonView"); }
    function revertPure() public pure { revert("RevertReasonPure"); }
    function revertWithNothing() public pure { revert(); }
    function revertWithCustomErrorPure() public pure { revert SomeCustomError(); }
    function revertWithCustomErrorWithParameters() public pure { revert CustomErrorWithParameters("Some revert message", 1); }
    function revertWithPanic() public pure returns (uint256) { uint256 zero; return 1 / zero; }
}

contract StorageContract {
    uint256 public slot0;
    uint256 public slot1;
    mapping(uint256 => uint256) public storageMap;

    function setSlot0(uint256 v) public { slot0 = v; }
    function setMap(uint256 k, uint256 v) public { storageMap[k] = v; }
}

contract TestAddressThis {
    constructor() payable {}
    function getAddressThis() public view returns (address) { return address(this); }
    function getBalance() public view returns (uint256) { return address(this).balance; }
}

contract InternalCaller {
    function callWithValueTo(address a) public returns (bool, bytes memory) { return a.call{value: 1}(""); }
    function callTo(address a) public returns (bool, bytes memory) { return a.call(""); }
    function sendTo(address payable a) public returns (bool) { return a.send(1); }
    function transferTo(address payable a) public { a.transfer(1); }
}

interface Token {
    function name() external view returns (string memory);
    function symbol() external view returns (string memory);
    function decimals() external view returns (uint8);
    function totalSupply() external view returns (uint256);
    function balanceOf(address) external view returns (uint256);
    function allowance(address, address) external view returns (uint256);
    function ownerOf(uint256) external view returns (address);
    function getApproved(uint256) external view returns (address);
    function isApprovedForAll(address, address) external view returns (bool);
    function tokenURI(uint256) external view returns (string memory);
}

interface ChangingToken {
    function name() external returns (string memory);
    function symbol() external returns (string memory);
    function decimals() external returns (uint8);
    function balanceOf(address) external returns (uint256);
    function isApprovedForAll(address, address) external returns (bool);
}

contract ERCTestContract {
    fallback() external payable {}
    function name(address t) public view returns (string memory) { return Token(t).name(); }
    function symbol(address t) public view returns (string memory) { return Token(t).symbol(); }
    function decimals(address t) public view returns (uint8) { return Token(t).decimals(); }
    function balanceOf(address t, address a) public view returns (uint256) { return Token(t).balanceOf(a); }
    function getApproved(address t, uint256 n) public view returns (address) { return Token(t).getApproved(n); }
    function isApprovedForAll(address t, address o, address s) public view returns (bool) { return Token(t).isApprovedForAll(o, s); }
    function nameNonStatic(address t) public returns (string memory) { return ChangingToken(t).name(); }
    function symbolNonStatic(address t) public returns (string memory) { return ChangingToken(t).symbol(); }
    function decimalsNonStatic(address t) public returns (uint8) { return ChangingToken(t).decimals(); }
    function balanceOfNonStatic(address t, address a) public returns (uint256) { return ChangingToken(t).balanceOf(a); }
    function isApprovedForAllNonStatic(address t, address o, address s) public returns (bool) { return ChangingToken(t).isApprovedForAll(o, s); }
}

struct KeyValue { bool inheritAccountKey; address contractId; bytes ed25519; bytes ecdsa; address delegatableContractId; }
struct Expiry { int64 second; address autoRenewAccount; int64 autoRenewPeriod; }

interface TokenService {
    function isToken(address) external returns (int64, bool);
    function isFrozen(address, address) external returns (int64, bool);
    function getTokenType(address) external returns (int64, int32);
    function getTokenKey(address, uint256) external returns (int64, KeyValue memory);
    function allowance(address, address, address) external returns (int64, uint256);
    function getApproved(address, uint256) external returns (int64, address);
    function getTokenExpiryInfo(address) external returns (int64, Expiry memory);
}

contract PrecompileTestContract {
    TokenService constant service = TokenService(address(0x167));

    function isTokenAddress(address t) public returns (bool) { (int64 code, bool is_) = service.isToken(t); require(code == 22, "Token isTokenAddress failed!"); return is_; }
    function isTokenFrozen(address t, address a) public returns (bool) { (int64 code, bool is_) = service.isFrozen(t, a); require(code == 22, "Token isFrozen failed!"); return is_; }
    function getType(address t) public returns (int256) { (int64 code, int32 kind) = service.getTokenType(t); require(code == 22); return kind; }
    function getTokenKeyPublic(address t, uint256 k) public returns (KeyValue memory) { (int64 code, KeyValue memory key) = service.getTokenKey(t, k); require(code == 22); return key; }
    function htsAllowance(address t, address o, address s) public returns (uint256) { (int64 code, uint256 left) = service.allowance(t, o, s); require(code == 22); return left; }
    function htsGetApproved(address t, uint256 n) public returns (address) { (int64 code, address a) = service.getApproved(t, n); require(code == 22); return a; }
    function getExpiryInfoForToken(address t) public returns (Expiry memory) { (int64 code, Expiry memory e) = service.getTokenExpiryInfo(t); require(code == 22); return e; }
    function callMissingPrecompile() public returns (bool, bytes memory) { return address(0x167).call(abi.encodeWithSignature("fakeSignature()")); }
}

contract RedirectTestContract {
    function redirect(address t, bytes memory data) private returns (bytes memory) {
        (bool ok, bytes memory out) = address(0x167).call(abi.encodeWithSignature("redirectForToken(address,bytes)", t, data));
        require(ok);
        return out;
    }
    function nameRedirect(address t) public returns (bytes memory) { return redirect(t, abi.encodeCall(Token.name, ())); }
    function decimalsRedirect(address t) public returns (bytes memory) { return redirect(t, abi.encodeCall(Token.decimals, ())); }
    function balanceOfRedirect(address t, address a) public returns (bytes memory) { return redirect(t, abi.encodeCall(Token.balanceOf, (a))); }
    function tokenURIRedirect(address t, uint256 n) public returns (bytes memory) { return redirect(t, abi.encodeCall(Token.tokenURI, (n))); }
    function isApprovedForAllRedirect(address t, address o, address s) public returns (bytes memory) { return redirect(t, abi.encodeCall(Token.isApprovedForAll, (o, s))); }
}

contract ExchangeRatePrecompile {
    function ask(bytes memory data) private returns (uint256) {
        (bool ok, bytes memory out) = address(0x168).call{value: msg.value}(data);
        require(ok);
        return abi.decode(out, (uint256));
    }
    function tinycentsToTinybars(uint256 x) public payable returns (uint256) { return ask(abi.encodeWithSignature("tinycentsToTinybars(uint256)", x)); }
    function tinybarsToTinycents(uint256 x) public payable returns (uint256) { return ask(abi.encodeWithSignature("tinybarsToTinycents(uint256)", x)); }
}

contract PrngSystemContract {
    function getPseudorandomSeed() public payable returns (bytes32) {
        (bool ok, bytes memory out) = address(0x169).call{value: msg.value}(abi.encodeWithSignature("getPseudorandomSeed()"));
        require(ok);
        return abi.decode(out, (bytes32));
    }
}

contract HRC632Contract {
    function ask(bytes memory data) private returns (bool ok, bytes memory out) { (ok, out) = address(0x16a).call(data); }
    function getEvmAddressAliasCall(address a) public returns (int64 code, address b) {
        (bool ok, bytes memory out) = ask(abi.encodeWithSignature("getEvmAddressAlias(address)", a));
        if (ok) (code, b) = abi.decode(out, (int64, address));
        require(code == 22, "getEvmAddressAlias failed");
    }
    function getHederaAccountNumAliasCall(address a) public returns (int64 code, address b) {
        (bool ok, bytes memory out) = ask(abi.encodeWithSignature("getHederaAccountNumAlias(address)", a));
        if (ok) (code, b) = abi.decode(out, (int64, address));
        require(code == 22, "getHederaAccountNumAlias failed");
    }
    function isValidAliasCall(address a) public returns (bool) {
        (bool ok, bytes memory out) = ask(abi.encodeWithSignature("isValidAlias(address)", a));
        require(ok, "isValidAlias failed");
        return abi.decode(out, (bool));
    }
    function hbarAllowanceCall(address o, address s) public returns (int64 code, int256 left) {
        (bool ok, bytes memory out) = ask(abi.encodeWithSignature("hbarAllowance(address,address)", o, s));
        if (ok) (code, left) = abi.decode(out, (int64, int256));
        require(code == 22, "Hbar allowance failed");
    }
}

contract TestContractDeployer {
    address public first;
    address public second;
    function deploy() public { first = address(new State()); second = address(new State()); }
}

contract SelfDestructContract {
    function destructContract(address payable a) public { selfdestruct(a); }
}

contract Hostile {
    uint256[] private many;
    function loop() public pure { while (true) {} }
    function grow() public pure { for (uint256 n = 1024; ; n *= 2) assembly { mstore(n, 1) } }
    function coldSlots(uint256 n) public view returns (uint256 sum) { for (uint256 i = 1; i <= n; i++) assembly { sum := add(sum, sload(mul(i, 0x123456789abcdef123456789abcdef))) } }
    function deep(uint256 n) public returns (uint256) { if (n == 0) return 1; try this.deep(n - 1) returns (uint256 d) { return d + 1; } catch { return 0; } }
    function logs() public { while (true) assembly { log0(0, 4096) } }
    function returnMuch(uint256 n) public pure { assembly { return(0, n) } }
}
