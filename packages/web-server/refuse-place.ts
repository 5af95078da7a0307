// What a client gets that did not get a place of a door.
import type { PlacesFull } from '../kit/shares/client-places.ts';
import { type RequestError, refuse } from './request-error.ts';

/** `what`: the places, as `streams of events`. */
export function refusePlace({ by }: PlacesFull, what: string): RequestError {
  return refuse(by === 'client' ? 'shareHeld' : 'allHeld', { what });
}
