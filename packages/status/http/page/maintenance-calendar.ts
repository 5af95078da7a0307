// Planned maintenance as a calendar to subscribe to (RFC 5545). Every event keeps its uid, so that a moved window moves
// in the subscriber's calendar.
import { incidentsShown } from '../../shown.ts';
import type { IncidentRecord } from '../../status-state.ts';
import { formatProgress } from './state-words.ts';
import { incidentLink, listNames, type StatusView } from './status-view.ts';

export function formatMaintenanceCalendar(view: StatusView): string {
  const name = escapeValue(`${view.page.name}: maintenance`);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ledger Mirror//Status//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...view.maintenances.slice(0, incidentsShown).flatMap((maintenance) => toEvent(maintenance, view)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function toEvent(maintenance: IncidentRecord, view: StatusView): string[] {
  const { id, name, createdAt, updatedAt, scheduledFor, scheduledUntil, updates, isCancelled } = maintenance;
  const names = listNames(view, maintenance);
  const story = updates.map((update) => `${formatProgress({ ...maintenance, status: update.status })}: ${update.body}`);
  const text = [names.length > 0 ? `Affects ${names.join(', ')}` : '', ...story].filter(Boolean).join('\n\n');
  return [
    'BEGIN:VEVENT',
    `UID:${id}.${view.page.id}@ledger-mirror`,
    `DTSTAMP:${formatUtc(updatedAt)}`,
    `CREATED:${formatUtc(createdAt)}`,
    `LAST-MODIFIED:${formatUtc(updatedAt)}`,
    `SEQUENCE:${Math.max(0, updates.length - 1)}`,
    `DTSTART:${formatUtc(scheduledFor!)}`,
    `DTEND:${formatUtc(scheduledUntil!)}`,
    `SUMMARY:${escapeValue(name)}`,
    `DESCRIPTION:${escapeValue(text)}`,
    `CATEGORIES:${escapeValue(formatProgress(maintenance))}`,
    `URL:${incidentLink(view, maintenance)}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** 20261121T124300Z */
function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function escapeValue(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(controls, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** At most 75 octets a line; a character is never split. */
function foldLine(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const controls = /[\u0000-\u0009\u000B-\u001F\u007F]/g;
