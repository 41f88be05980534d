/** Where posts are shown: each feed and each post has an address of its own. */
const addressOf = (search: Record<string, string>): string =>
  `/socialHome?${new URLSearchParams({ tab: 'posts', ...search })}`

export const allPosts = addressOf({})
export const postAddress = (postId: string): string => addressOf({ post: postId })
export const topicAddress = (topic: string): string => addressOf({ topic })
