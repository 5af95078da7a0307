// `forge test --fork-url`: contracts of the ledger in an EVM of Foundry's own, and its tokens by the token service in
// Solidity of hedera-forking, of which a clone is needed. That asks REST at localhost:5551 with `curl`: here with a
// program of that name, which asks the mirror.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readMirror, retry } from './client-examples.ts';
import { compilerNumber } from './contract-project.ts';
import { readContractExamples } from './example-contracts.ts';
import type { ClientCall } from './outside-client.ts';
import { programFolder, runFoundry, writeCompiler, writeProgram } from './run-foundry.ts';
import { readToolFacts } from './tool-facts.ts';

export const forgeForks = {
  packageName: '@foundry-rs/forge',
  version: '1.7.1',
  beside: ['@foundry-rs/cast@1.7.1', `solc@${compilerNumber}`],
};

/** Of runs in which the NFT that they ask about changes hands. */
const attempts = 10;

type Place = { folder: string; mirrorUrl: string; emulation: string };
type Outcome = { status: string; reason: string | null };

export async function listForks({ folder, mirrorUrl, emulation }: Place): Promise<ClientCall[]> {
  writeProject({ folder, mirrorUrl, emulation });
  const write = async () => {
    // A young ledger does not have all of it yet.
    const written = await retry(() => writeTests(mirrorUrl));
    writeFileSync(join(folder, 'test/Fork.t.sol'), written.source);
    return written;
  };
  let written = await write();
  const { source } = written;
  const path = [join(folder, 'bin'), programFolder('cast', folder), process.env.PATH].join(delimiter);
  const runWritten = async () => {
    const block = String(written.block);
    const args = ['test', '--json', '--fork-url', `${mirrorUrl}/rpc`, '--fork-block-number', block];
    return readOutcomes((await runFoundry('forge', folder, args, { PATH: path })).output);
  };
  const runOnUnmoved = async () => {
    for (let attempt = 1; ; attempt++) {
      const outcomes = await runWritten();
      if (attempt === attempts || !(await written.hasMoved())) return outcomes;
      written = await write();
    }
  };
  let ran: ReturnType<typeof runOnUnmoved> | null = null;
  const run = () => {
    ran ??= runOnUnmoved();
    return ran;
  };
  return [...source.matchAll(/function (test_\w+)/g)].map(([, name]) => ({
    name: name!.slice('test_'.length).replaceAll('_', ' '),
    async run() {
      const outcomes = await run();
      assert.equal(outcomes[`${name}()`]?.status, 'Success', JSON.stringify(outcomes[`${name}()`] ?? outcomes));
    },
  }));
}

function readOutcomes(output: string): Record<string, Outcome> {
  const line = output.split('\n').find((one) => one.startsWith('{"test/'));
  if (line === undefined) throw new Error(output.slice(-3000));
  const suites = Object.values(JSON.parse(line) as Record<string, { test_results: Record<string, Outcome> }>);
  return Object.assign({}, ...suites.map(({ test_results: found }) => found));
}

function writeProject({ folder, mirrorUrl, emulation }: Place): void {
  for (const name of ['bin', 'test', 'lib/forge-std', 'lib/hedera-forking']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  cpSync(join(emulation, 'contracts'), join(folder, 'lib/hedera-forking'), { recursive: true });
  writeFileSync(join(folder, 'lib/forge-std/Vm.sol'), cheatcodes);
  const script = join(folder, 'curl.cjs');
  writeFileSync(
    script,
    `const url = process.argv.at(-1).replace('http://localhost:5551', ${JSON.stringify(mirrorUrl)});
fetch(url).then(async (answer) => process.stdout.write((await answer.text()) + '\\n' + answer.status));
`,
  );
  writeProgram(join(folder, 'bin/curl'), `exec '${process.execPath}' '${script}' "$@"`);
  writeFileSync(
    join(folder, 'foundry.toml'),
    `[profile.default]
src = 'test'
libs = ['lib']
solc = '${writeCompiler(folder)}'
evm_version = 'cancun'
ffi = true
remappings = ['forge-std/=lib/forge-std/', 'hedera-forking/=lib/hedera-forking/']
`,
  );
}

type Holder = { account: string; balance: number };
type Nft = { account_id: string | null; serial_number: number; modified_timestamp: string };

/** `hasMoved`: whether the NFT of the tests changed hands since. */
type Written = { source: string; block: bigint; hasMoved(): Promise<boolean> };

/** What REST says at the block of the fork stands in the tests. */
async function writeTests(mirrorUrl: string): Promise<Written> {
  const facts = await readToolFacts(mirrorUrl);
  const block = await facts.newest();
  const { reverter } = await readContractExamples(mirrorUrl);
  const { timestamp, hash } = await readMirror<{ timestamp: { to: string }; hash: string }>(
    mirrorUrl,
    `/blocks/${block}`,
  );
  const addressOf = async (account: string) =>
    literal((await readMirror<{ evm_address: string }>(mirrorUrl, `/accounts/${account}`)).evm_address);
  const tokens = async (type: string) =>
    (await readMirror<{ tokens: { token_id: string }[] }>(mirrorUrl, `/tokens?type=${type}&limit=100&order=asc`))
      .tokens;
  const holders = async (token: string) =>
    (
      await readMirror<{ balances: Holder[] }>(
        mirrorUrl,
        `/tokens/${token}/balances?timestamp=${timestamp.to}&account.balance=gt:10`,
      )
    ).balances;
  for (const { token_id: token } of await tokens('FUNGIBLE_COMMON')) {
    const [one, other] = await holders(token);
    if (!one || !other) continue;
    const about = await readMirror<{ name: string; symbol: string; decimals: string; pause_status: string }>(
      mirrorUrl,
      `/tokens/${token}`,
    );
    if (about.pause_status === 'PAUSED') continue;
    for (const { token_id: collection } of await tokens('NON_FUNGIBLE_UNIQUE')) {
      if (await hasHbarFallback(mirrorUrl, collection)) continue;
      const { nfts } = await readMirror<{ nfts: Nft[] }>(mirrorUrl, `/tokens/${collection}/nfts?limit=100&order=asc`);
      // The emulation asks for the present owner: of one that has not moved for long.
      const [nft] = nfts
        .filter(({ account_id: owner }) => owner !== null)
        .sort((one, other) => Number(one.modified_timestamp) - Number(other.modified_timestamp));
      if (!nft) continue;
      const named = {
        COUNTER: literal(facts.counter.address),
        REVERTER: literal(reverter.evm_address),
        COUNT: String(await facts.counter.value()),
        NUMBER: String(block),
        HASH: hash.slice(0, 66),
        TOKEN: ofNumber(token),
        NAME: `unicode${JSON.stringify(about.name)}`,
        SYMBOL: `unicode${JSON.stringify(about.symbol)}`,
        DECIMALS: about.decimals,
        ONE: await addressOf(one.account),
        ONE_BALANCE: String(one.balance),
        OTHER: await addressOf(other.account),
        OTHER_BALANCE: String(other.balance),
        NFTS: ofNumber(collection),
        SERIAL: String(nft.serial_number),
        OWNER: await addressOf(nft.account_id!),
      };
      const source = Object.entries(named).reduce((text, [name, value]) => text.replaceAll(`$${name}$`, value), tests);
      const hasMoved = async (): Promise<boolean> => {
        const now = await readMirror<Nft>(mirrorUrl, `/tokens/${collection}/nfts/${nft.serial_number}`);
        return now.modified_timestamp !== nft.modified_timestamp;
      };
      return { source, block, hasMoved };
    }
  }
  throw new Error('No token with two holders, or no NFT');
}

/** Whether a royalty of a collection has a fallback in hbar: the emulation cannot read such a collection. */
async function hasHbarFallback(mirrorUrl: string, collection: string): Promise<boolean> {
  type Royalty = { fallback_fee: { denominating_token_id: string | null } | null };
  const about = await readMirror<{ custom_fees: { royalty_fees?: Royalty[] } }>(mirrorUrl, `/tokens/${collection}`);
  return (about.custom_fees.royalty_fees ?? []).some((one) => one.fallback_fee?.denominating_token_id === null);
}

function ofNumber(id: string): string {
  return `address(uint160(${id.split('.').at(-1)}))`;
}

/** Solidity takes an address as a literal with a checksum alone. */
function literal(address: string): string {
  return `address(uint160(uint256(0x${address.slice(2).padStart(64, '0')})))`;
}

const tests = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

import {Vm} from "forge-std/Vm.sol";
import {Hsc} from "hedera-forking/Hsc.sol";

interface Counter {
    function count() external view returns (uint256);
    function increment() external returns (uint256);
}

interface Reverter {
    function withReason(string calldata) external;
}

interface Token {
    function name() external returns (string memory);
    function symbol() external returns (string memory);
    function decimals() external returns (uint8);
    function totalSupply() external returns (uint256);
    function balanceOf(address) external returns (uint256);
    function transfer(address, uint256) external returns (bool);
    function approve(address, uint256) external returns (bool);
    function allowance(address, address) external returns (uint256);
    function transferFrom(address, address, uint256) external returns (bool);
    function ownerOf(uint256) external returns (address);
}

contract PlainTest {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Counter constant counter = Counter($COUNTER$);

    function test_the_chain_and_block_of_the_fork() external view {
        require(block.chainid == 298 && block.number == $NUMBER$);
    }

    function test_state_of_a_contract() external view {
        require(counter.count() + 20 >= $COUNT$ && counter.count() <= $COUNT$);
        require(uint256(vm.load(address(counter), 0)) == counter.count());
    }

    function test_a_call_that_changes_the_fork() external {
        uint256 before = counter.count();
        require(counter.increment() == before + 1 && counter.count() == before + 1);
    }

    function test_the_reason_of_a_revert() external {
        try Reverter($REVERTER$).withReason("not today") {
            revert("It did not revert");
        } catch Error(string memory reason) {
            require(keccak256(bytes(reason)) == keccak256("not today"), reason);
        }
    }

    function test_a_token_without_the_emulation_reverts() external {
        (bool success,) = address($TOKEN$).call{gas: 1_000_000}(abi.encodeWithSignature("name()"));
        require(!success);
    }
}

contract EmulatedTest {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    Token constant token = Token($TOKEN$);
    Token constant nfts = Token($NFTS$);

    function setUp() external {
        Hsc.htsSetup();
        for (uint256 place = 0; place < 2; place++) {
            address one = place == 0 ? address(token) : address(nfts);
            vm.etch(one, abi.encodePacked(
                hex"6080604052348015600f57600080fd5b506000610167905077618dc65e", one,
                hex"600052366000602037600080366018016008845af43d806000803e8160008114605857816000f35b816000fd"
            ));
        }
    }

    function test_name_symbol_and_decimals_of_a_token() external {
        require(keccak256(bytes(token.name())) == keccak256(bytes($NAME$)));
        require(keccak256(bytes(token.symbol())) == keccak256(bytes($SYMBOL$)));
        require(token.decimals() == $DECIMALS$ && token.totalSupply() > 0);
    }

    function test_balances_of_a_token() external {
        require(token.balanceOf($ONE$) == $ONE_BALANCE$ && token.balanceOf($OTHER$) == $OTHER_BALANCE$);
    }

    function test_a_transfer_of_a_token() external {
        vm.prank($ONE$);
        require(token.transfer($OTHER$, 7));
        require(token.balanceOf($ONE$) == $ONE_BALANCE$ - 7 && token.balanceOf($OTHER$) == $OTHER_BALANCE$ + 7);
    }

    function test_owner_of_an_NFT() external {
        address owner = nfts.ownerOf($SERIAL$);
        require(owner == $OWNER$, vm.toString(owner));
    }
}
`;

/** Of Foundry, as the emulation and the tests call them. */
const cheatcodes = `// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

interface Vm {
    function allowCheatcodes(address account) external;
    function etch(address target, bytes calldata code) external;
    function ffi(string[] calldata input) external returns (bytes memory);
    function getCode(string calldata path) external view returns (bytes memory);
    function keyExistsJson(string calldata json, string calldata key) external view returns (bool);
    function load(address target, bytes32 slot) external view returns (bytes32);
    function parseBytes(string calldata text) external pure returns (bytes memory);
    function parseJson(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonInt(string calldata json, string calldata key) external pure returns (int256);
    function parseJsonString(string calldata json, string calldata key) external pure returns (string memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseInt(string calldata text) external pure returns (int256);
    function parseUint(string calldata text) external pure returns (uint256);
    function prank(address sender) external;
    function replace(string calldata text, string calldata from, string calldata to) external pure returns (string memory);
    function store(address target, bytes32 slot, bytes32 value) external;
    function toString(address value) external pure returns (string memory);
    function toString(bytes calldata value) external pure returns (string memory);
    function toString(bytes32 value) external pure returns (string memory);
    function toString(uint256 value) external pure returns (string memory);
    function toString(int256 value) external pure returns (string memory);
    function toString(bool value) external pure returns (string memory);
}
`;
