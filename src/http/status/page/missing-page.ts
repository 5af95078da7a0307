// What is shown where no page is: a way back.
import { html } from '../../../kit/markup.ts';
import { formatPage } from './page-frame.ts';
import type { StatusView } from './status-view.ts';

export function formatMissingPage(view: StatusView): string {
  return formatPage(view, {
    title: `Not found – ${view.page.name}`,
    main: html`<h1>There is no such page</h1>
<p>Incidents and maintenances are listed in the <a href="/status/history">history</a>; how everything is now is on the <a href="/status">status page</a>.</p>`,
  });
}
