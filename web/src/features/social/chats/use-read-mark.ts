/** Tells the server what has been read: once the newest message is visible, in a tab that has the focus. */
import type { Chat } from '@neuroloom/contract/social/chats'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { refreshChats } from './use-conversation.ts'

type Options = {
  /** Below the newest message. */
  end: RefObject<HTMLElement | null>
  chat: Chat
  /** 0 where the newest message is not loaded. */
  lastId: number
  setChat: (make: (chat: Chat) => Chat) => void
}

export function useReadMark({ end, chat, lastId, setChat }: Options): void {
  const { id: chatId, readId, unreadCount } = chat
  const queries = useQueryClient()
  const isLookedAt = useIsLookedAt()
  const [isEndVisible, setIsEndVisible] = useState(false)
  /** Told already, so that a slow answer asks for no second call. */
  const told = useRef(0)

  useEffect(() => {
    const element = end.current
    if (!element) return
    const observer = new IntersectionObserver(([entry]) => setIsEndVisible(entry?.isIntersecting ?? false))
    observer.observe(element)
    return () => observer.disconnect()
  }, [end])

  useEffect(() => {
    const isNew = lastId > Math.max(readId, told.current) || (unreadCount > 0 && told.current < lastId)
    if (!isLookedAt || !isEndVisible || lastId === 0 || !isNew) return
    told.current = lastId
    call('social/read', { chatId, messageId: lastId }, { quiet: true }).then(
      () => {
        setChat((known) => ({ ...known, readId: lastId, unreadCount: 0, mentionCount: 0 }))
        refreshChats(queries)
      },
      () => {
        // The next message, or a return to the tab, tells it again.
        told.current = 0
      },
    )
  }, [chatId, readId, unreadCount, lastId, isLookedAt, isEndVisible, queries, setChat])
}

function useIsLookedAt(): boolean {
  const [isLookedAt, setIsLookedAt] = useState(hasFocus)
  useEffect(() => {
    const look = () => setIsLookedAt(hasFocus())
    window.addEventListener('focus', look)
    window.addEventListener('blur', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('focus', look)
      window.removeEventListener('blur', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isLookedAt
}

const hasFocus = (): boolean => document.visibilityState === 'visible' && document.hasFocus()
