import type { socialChatCalls } from '@neuroloom/contract/social/chats'
import { signedIn } from '../../../http/access.ts'
import type { Rows } from '../../../http/row.ts'
import { social } from '../access.ts'
import * as chats from './list.ts'
import { listMessages } from './messages.ts'
import { searchMessages } from './search.ts'
import { send, withdraw } from './send.ts'
import { unread } from './unread.ts'

export const chatRows: Rows<keyof typeof socialChatCalls> = {
  'social/chats': { access: signedIn, run: social(chats.listChats), keepsSession: false },
  'social/unread': { access: signedIn, run: social(unread), keepsSession: false },
  'social/openChat': { access: signedIn, run: social(chats.openChat) },
  'social/messages': { access: signedIn, run: social(listMessages), keepsSession: false },
  'social/send': { access: signedIn, run: social(send) },
  'social/withdraw': { access: signedIn, run: social(withdraw) },
  'social/read': { access: signedIn, run: social(chats.read), keepsSession: false },
  'social/mute': { access: signedIn, run: social(chats.mute) },
  'social/removeChat': { access: signedIn, run: social(chats.removeChat) },
  'social/searchMessages': { access: signedIn, run: social(searchMessages) },
}
