// Words, signs and class names of every state on a page: none is shown by colour alone.
import { html, type Markup } from '../../../kit/markup.ts';
import type { Impact, IncidentRecord, IncidentStatus } from '../../status-state.ts';
import type { DayState } from './uptime-days.ts';

export type StateWords = {
  label: string;
  /** A different shape for each, for readers who do not see the colour. */
  sign: string;
  className: string;
};

/** Of a component, and of one of its days. */
export const dayWords: Record<DayState, StateWords> = {
  operational: { label: 'Operational', sign: '✓', className: 'ok' },
  degraded_performance: { label: 'Degraded performance', sign: '◐', className: 'degraded' },
  partial_outage: { label: 'Partial outage', sign: '▲', className: 'partial' },
  major_outage: { label: 'Major outage', sign: '✕', className: 'major' },
  under_maintenance: { label: 'Under maintenance', sign: '⚒', className: 'maintenance' },
  no_data: { label: 'No data', sign: '–', className: 'nodata' },
};

/** Of an incident's impact; the page's overall indicator has the same signs and class names. */
export const impactWords: Record<Impact, StateWords> = {
  none: { ...dayWords.operational, label: 'No impact' },
  minor: { ...dayWords.degraded_performance, label: 'Minor impact' },
  major: { ...dayWords.partial_outage, label: 'Major impact' },
  critical: { ...dayWords.major_outage, label: 'Critical impact' },
  maintenance: { ...dayWords.under_maintenance, label: 'Maintenance' },
};

/** A state in words, with its sign. */
export function formatSign({ sign, className, label }: StateWords): Markup {
  return html`<span class="state ${className}"><span aria-hidden="true">${sign}</span> ${label}</span>`;
}

/** Of an incident or a maintenance, now or in one of its updates. */
export function formatProgress({ status, isCancelled }: Pick<IncidentRecord, 'status' | 'isCancelled'>): string {
  return isCancelled && status === 'completed' ? 'Cancelled' : progressLabels[status];
}

const progressLabels: Record<IncidentStatus, string> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  postmortem: 'Post-mortem',
  scheduled: 'Scheduled',
  in_progress: 'In progress',
  verifying: 'Verifying',
  completed: 'Completed',
};
