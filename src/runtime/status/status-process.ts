// What a mirror and the status service that it started tell each other over their channel.

/** From the mirror that started the service to it, and back where others need it still. */
export const stopMessage = 'stop';
export const goesOnMessage = 'goes on';
