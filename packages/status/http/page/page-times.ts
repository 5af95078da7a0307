// Times for readers, in the page's time zone, always with the machine-readable form. Instants are ms since 1970.
import { html, type Markup } from '../../../kit/markup.ts';

export type PageTimes = {
  /** The zone that times are shown in. */
  zone: string;
  /** `<time>` with date and time, e.g. "21 Nov 2026, 12:43 UTC". */
  moment(time: number): Markup;
  /** `<time>` without year and zone, e.g. "21 Nov, 12:43", for narrow places. */
  briefMoment(time: number): Markup;
  /** e.g. "2026-11" of a moment. */
  monthKey(time: number): string;
  /** e.g. "November 2026" of a month key. */
  monthName(key: string): string;
};

export function createPageTimes(timeZone: string): PageTimes {
  const zone = toKnownZone(timeZone);
  const brief = { timeZone: zone, day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  const briefMoments = new Intl.DateTimeFormat('en-GB', brief);
  const moments = new Intl.DateTimeFormat('en-GB', { ...brief, year: 'numeric', timeZoneName: 'short' });
  const months = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit' });
  const monthNames = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric', month: 'long' });
  return {
    zone,
    moment: (time) => formatTime(time, moments),
    briefMoment: (time) => formatTime(time, briefMoments),
    monthKey: (time) => months.format(time),
    monthName: (key) => monthNames.format(new Date(`${key}-01T00:00:00Z`)),
  };
}

function formatTime(time: number, format: Intl.DateTimeFormat): Markup {
  return html`<time datetime="${new Date(time).toISOString()}">${format.format(time)}</time>`;
}

/** e.g. "3 h 12 min": the two largest units that are not 0. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}

/** Some of Statuspage's zone names are Rails' own; an unknown zone is shown as UTC. */
function toKnownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch (error) {
    if (error instanceof RangeError) return 'UTC';
    throw error;
  }
}
