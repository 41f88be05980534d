import type { socialPostCalls } from '@neuroloom/contract/social/posts'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as feeds from './feeds.ts'
import * as posts from './posts.ts'
import * as replies from './replies.ts'

export const postRows: Rows<Exclude<keyof typeof socialPostCalls, 'social/report'>> = {
  'social/posts': { access: signedIn, run: social(feeds.list) },
  'social/topics': { access: signedIn, run: social(feeds.topics) },
  'social/post': { access: signedIn, run: social(posts.one) },
  'social/createPost': { access: signedIn, run: social(posts.create) },
  'social/editPost': { access: signedIn, run: social(posts.edit) },
  'social/postHistory': { access: signedIn, run: social(posts.history) },
  'social/deletePost': { access: signedIn, run: social(posts.remove) },
  'social/like': { access: signedIn, run: social(posts.like) },
  'social/reply': { access: signedIn, run: social(replies.reply) },
  'social/deleteReply': { access: signedIn, run: social(replies.remove) },
}
