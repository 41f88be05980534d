/** Lines of a conversation in words. */
import type { Chat, ChatEventKind, Message } from '@neuroloom/contract/social/chats'
import { useTranslation } from 'react-i18next'
import { formatDate, formatWeekday } from '../../../lib/format.ts'
import { currentTag } from '../../../lib/i18n.ts'
import { daysAgo } from './messages.ts'

/** What happened in a group, as a sentence. */
export function useEventText(): (message: Message) => string {
  const { t } = useTranslation('social')
  return ({ event, from }) => {
    if (event === null) return ''
    const names = {
      name: from.nickName || t('closedAccount'),
      other: event.person?.nickName || t('closedAccount'),
    }
    return t(`event.${event.kind satisfies ChatEventKind}`, names)
  }
}

/** The newest message of a conversation in one line of its list. */
export function useLastLine(ownId: string): (chat: Chat) => string {
  const { t } = useTranslation('social')
  const saidIn = useSaid()
  const eventText = useEventText()
  return ({ last, kind }) => {
    if (last === null) return t('noMessages')
    if (last.event !== null) return eventText(last)
    if (last.isWithdrawn)
      return t(last.from.id === ownId ? 'withdrawnOwn' : 'withdrawn', { name: last.from.nickName })
    const text = saidIn(last)
    if (last.from.id === ownId) return t('lastOwn', { text })
    return kind === 'group' ? t('lastOf', { name: last.from.nickName, text }) : text
  }
}

/** What a message says in one line: its text, else what went with it. */
export function useSaid(): (message: Pick<Message, 'text' | 'attachments'>) => string {
  const { t } = useTranslation('social-attachments')
  return ({ text, attachments: [first] }) => (text === '' && first ? t(`said.${first.kind}`) : text)
}

export const formatTime = (at: string): string =>
  new Intl.DateTimeFormat(currentTag(), { timeStyle: 'short' }).format(new Date(at))

/** Above the messages of one day. */
export function useDayName(): (at: string) => string {
  const { t } = useTranslation('social')
  return (at) => {
    const days = daysAgo(at, Date.now())
    if (days === 0) return t('today')
    if (days === 1) return t('yesterday')
    return `${formatWeekday(at)}, ${formatDate(at, 'day')}`
  }
}

/** Short, for the list: a time of today, else a day. */
export function useShortTime(): (at: string) => string {
  const { t } = useTranslation('social')
  return (at) => {
    const days = daysAgo(at, Date.now())
    if (days === 0) return formatTime(at)
    if (days === 1) return t('yesterday')
    return days < 7 ? formatWeekday(at, 'short') : shortDay(at)
  }
}

const shortDay = (at: string): string =>
  new Intl.DateTimeFormat(currentTag(), { dateStyle: 'short' }).format(new Date(at))
