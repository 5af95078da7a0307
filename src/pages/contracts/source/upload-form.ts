// How a contract gets checked sources: a form, and commands for those who have the build at hand.

import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { html, type Markup } from '../../../../packages/kit/markup.ts';
import { section } from '../../parts/section.ts';
import type { ShownContract } from '../about/find-contract.ts';

/** `path` of the page. */
export function uploadForm(path: string): Markup {
  return html`<form class="stacked" method="post" enctype="multipart/form-data" action="${path}">
<label>Files <input type="file" name="files" multiple required aria-describedby="files-hint"></label>
<p class="faint" id="files-hint">One of: <code>metadata.json</code> and the sources; the build-info of Hardhat or Foundry; the compiler&rsquo;s input (standard JSON); a flattened file, or sources, with what is typed below. At most 10 MB.</p>
<label>Contract <input name="contractName" placeholder="contracts/Vault.sol:Vault" maxlength="1000" autocomplete="off" spellcheck="false"></label>
<label>Version of the compiler <input name="compilerVersion" placeholder="0.8.24+commit.e11b9ed9" maxlength="100" autocomplete="off" spellcheck="false"></label>
<p class="faint">Both only where the files do not say it: the contract, if there are several; the version, with standard JSON and with sources alone.</p>
<details><summary>Settings, for sources alone</summary>
<label>Optimiser <input type="checkbox" name="optimizer" value="on"></label>
<label>Runs <input name="runs" inputmode="numeric" placeholder="200" maxlength="10" autocomplete="off"></label>
<label>EVM version <input name="evmVersion" placeholder="the default of the compiler" maxlength="40" autocomplete="off" spellcheck="false"></label>
<label>By way of Yul (viaIR) <input type="checkbox" name="viaIR" value="on"></label>
<label>Libraries <input name="libraries" placeholder="Math:0x…;Lists:0x…" maxlength="2000" autocomplete="off" spellcheck="false"></label>
</details>
<p><button>Check the sources</button></p>
</form>
<form class="stacked" method="post" enctype="multipart/form-data" action="${path}"><input type="hidden" name="way" value="similar">
<p>Or without files, if a contract of the same sources is verified here already:</p>
<p><button class="minor">Compare with similar contracts</button></p>
</form>`;
}

function howToVerify({ address }: Pick<ShownContract, 'address'>, chainId: string): Markup {
  const shown = toChecksumAddress(address);
  const commands: readonly (readonly [tool: string, command: string])[] = [
    [
      'Foundry',
      `forge verify-contract --verifier sourcify --verifier-url $MIRROR --chain ${chainId} ${shown} src/Vault.sol:Vault`,
    ],
    ['Hardhat, with $MIRROR as the apiUrl of Sourcify in its configuration', `npx hardhat verify sourcify ${shown}`],
    [
      'Any build, with the program of this mirror',
      `ledger-mirror contract verify ${shown} ./my-project --contract Vault --mirror $MIRROR`,
    ],
  ];
  return html`<p><code>$MIRROR</code> is the address of this site, <code>https://&hellip;</code>, without a path.</p>
${commands.map(([tool, command]) => html`<h3>${tool}</h3>\n<pre tabindex="0" data-copy>${command}</pre>\n`)}`;
}

export function withoutSourcesSections(
  shown: ShownContract,
  path: string,
  verifier: { chainId: string; takesSources: boolean } | null,
): Markup {
  const why = section(
    { id: 'why', title: 'Not verified' },
    html`<p>The ledger has the code of this contract, but not what people wrote. Whoever has the sources can show them here: they are compiled again, and compared with the code to the byte.</p>
<p>Then everybody can read what it does, and its calls, events and errors have names. Nobody has to be trusted for that, and nothing on the ledger changes.</p>`,
  );
  if (!verifier?.takesSources) return why;
  return html`${why}
<div class="grid">
${section({ id: 'upload', title: 'Hand in the sources' }, uploadForm(path))}
${section({ id: 'commands', title: 'From a build' }, howToVerify(shown, verifier.chainId))}
</div>`;
}
