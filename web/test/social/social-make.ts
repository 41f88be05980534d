import type { Chat, Message } from '@neuroloom/contract/social/chats'
import type { ChatGroup } from '@neuroloom/contract/social/groups'
import type { Person } from '@neuroloom/contract/social/people'

export const me: Person = { id: 'user-1', nickName: 'Radiology', photo: '' }
export const doctor: Person = { id: 'user-2', nickName: 'Doctor', photo: '' }
export const nurse: Person = { id: 'user-3', nickName: 'Nurse', photo: '' }

export function makeMessage(id: number, changes: Partial<Message> = {}): Message {
  return {
    id,
    chatId: 'chat-1',
    from: doctor,
    at: new Date(Date.UTC(2024, 4, 1, 8, id)).toISOString(),
    text: `message ${id}`,
    attachments: [],
    event: null,
    isWithdrawn: false,
    requestId: `request-of-${id}`,
    replyTo: null,
    mentions: [],
    ...changes,
  }
}

export function makeChat(changes: Partial<Chat> = {}): Chat {
  return {
    id: 'chat-1',
    kind: 'pair',
    name: 'Doctor',
    person: doctor,
    groupId: null,
    last: null,
    unreadCount: 0,
    mentionCount: 0,
    readId: 0,
    otherReadId: 0,
    isMuted: false,
    closed: null,
    ...changes,
  }
}

export function makeGroup(changes: Partial<ChatGroup> = {}): ChatGroup {
  return {
    id: 'group-1',
    chatId: 'chat-2',
    number: '123456789',
    name: 'Ward 3',
    introduction: '',
    notice: '',
    owner: me,
    isOwner: true,
    hasPassword: false,
    memberCount: 2,
    createdAt: '2028-05-01T08:00:00.000Z',
    ...changes,
  }
}
