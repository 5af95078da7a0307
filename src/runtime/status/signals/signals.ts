// What a part of the mirror says of itself, by the names that the status rules know.

export type Signals = Record<string, number>;

/** Texts by the signal that they explain. */
export type Facts = Record<string, string>;
