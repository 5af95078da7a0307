// The decorator of a Fastify app that answers `follow=true`: feeds are added after pages, which offer them only where
// they are.
export const liveFeedsMark = 'hasLiveFeeds';
