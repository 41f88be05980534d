import type { Answer, Body } from '@neuroloom/contract/calls'
import type { Chat, Message } from '@neuroloom/contract/social/chats'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { SocialHome } from '../../src/pages/social/social-home.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { reconnect, tell, watched } from '../runs/runs-live.ts'
import { Refusal, serve } from '../serve.ts'
import { doctor, makeChat, makeGroup, makeMessage, me, nurse } from './social-make.ts'

vi.mock('socket.io-client', () => import('../runs/runs-live.ts'))

type Send = (body: Body<'social/send'>, stored: Message) => Promise<Message> | Message

/** Conversations on a server of the test: what is sent is stored, pages have five messages. */
function serveChats({ messages, chat = makeChat(), send = (_, stored) => stored }: Served) {
  const state = { messages: [...messages], chat }
  const of = ({ before, after, around }: Body<'social/messages'>): Answer<'social/messages'> => {
    const all = state.messages
    const page = 5
    if (before != null) return answer(all.filter(({ id }) => id < before).slice(-page))
    if (after != null) return answer(all.filter(({ id }) => id > after).slice(0, 50))
    if (around != null) return answer(all.filter(({ id }) => Math.abs(id - around) <= 2))
    return answer(all.slice(-page))
  }
  const answer = (shown: Message[]): Answer<'social/messages'> => ({
    messages: shown,
    hasEarlier: shown.length > 0 && shown[0]?.id !== state.messages[0]?.id,
    hasLater: shown.length > 0 && shown.at(-1)?.id !== state.messages.at(-1)?.id,
    chat: state.chat,
  })
  const received = serve({
    'setting/public': () => makeSetting(),
    'user/info': () => makeUser(),
    'user/ticket': () => ({ ticket: 'once' }),
    'social/unread': () => ({ chats: 0, applications: 0, notices: 0, all: 0 }),
    'social/groups': () => ({ groups: [makeGroup()], ownLimit: 3 }),
    'social/groupMembers': () => ({
      members: [me, doctor, nurse].map((person) => ({
        ...person,
        isOwner: person === me,
        joinedAt: '2028-05-01T08:00:00.000Z',
      })),
    }),
    'social/chats': () => ({
      chats: [{ ...state.chat, last: state.messages.at(-1) ?? null }],
      unreadCount: state.chat.unreadCount,
    }),
    'social/messages': of,
    'social/read': ({ messageId }) => {
      state.chat = { ...state.chat, readId: messageId, unreadCount: 0 }
      return { unreadCount: 0 }
    },
    'social/send': async (body) => {
      const replyTo = state.messages.find(({ id }) => id === body.replyTo)
      const id = (state.messages.at(-1)?.id ?? 0) + 1
      const stored = makeMessage(id, {
        ...{ chatId: body.chatId, text: body.text, requestId: body.requestId, from: me },
        at: new Date().toISOString(),
        replyTo: replyTo ? { id: replyTo.id, from: replyTo.from, text: replyTo.text, attached: null } : null,
        mentions: body.mentions ?? [],
      })
      const answered = await send(body, stored)
      state.messages = [...state.messages, answered]
      return answered
    },
    'social/withdraw': ({ messageId }) => {
      const withdrawn = makeMessage(messageId, { from: me, text: '', isWithdrawn: true })
      state.messages = state.messages.map((one) => (one.id === messageId ? withdrawn : one))
      return withdrawn
    },
    'social/searchMessages': ({ text }) => ({
      found: state.messages
        .filter((message) => message.text.includes(text))
        .map((message) => ({ message, chatName: 'Doctor' })),
      next: null,
    }),
  })
  const live = (message: Message) => {
    state.messages = [...state.messages, message]
    const topic = { kind: 'chat', id: message.chatId } as const
    tell({ id: 0, topic, type: 'message', data: { messageId: message.id, message } })
  }
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { state, bodies, live }
}
type Served = { messages: Message[]; chat?: Chat; send?: Send }

const many = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => makeMessage(from + index))
const log = () => screen.findByRole('log')
const lines = async () =>
  within(await log())
    .getAllByText(/^message \d+$/)
    .map(({ textContent }) => textContent)
const field = () => screen.findByRole('textbox', { name: 'Message to Doctor' })
const open = () => renderPart(<SocialHome />, '/socialHome?tab=chat&chat=chat-1')

beforeEach(() => signIn())

describe('the list of conversations', () => {
  it('shows the last line, what is unread and that one was mentioned, and opens the conversation', async () => {
    const chat = makeChat({ unreadCount: 120, mentionCount: 1, isMuted: true, readId: 1 })
    serveChats({ messages: many(1, 2), chat })
    renderPart(<SocialHome />, '/socialHome')
    const row = await screen.findByRole('link', { name: /Doctor/ })
    expect(row).toHaveTextContent('message 2')
    expect(row).toHaveTextContent('99+')
    expect(row).toHaveTextContent('You were mentioned')
    expect(within(row).getByRole('img', { name: 'muted' })).toBeVisible()
    await userEvent.click(row)
    expect(await lines()).toEqual(['message 1', 'message 2'])
  })

  it('finds a message in all conversations and shows it in its place', async () => {
    serveChats({ messages: many(1, 30) })
    renderPart(<SocialHome />, '/socialHome')
    await userEvent.type(await screen.findByRole('searchbox'), 'message 12')
    await userEvent.click(await screen.findByRole('button', { name: /message 12/ }))
    await waitFor(async () => expect(await lines()).toEqual(many(10, 14).map(({ text }) => text)))
    expect(screen.getByRole('button', { name: 'Latest messages' })).toBeVisible()
  })
})

describe('a conversation', () => {
  it('sends by Enter and shows the stored message once, with the mark that it arrived', async () => {
    const { bodies } = serveChats({ messages: many(1, 2) })
    open()
    await userEvent.type(await field(), 'hello{Shift>}{Enter}{/Shift}there{Enter}')
    expect(await screen.findByRole('img', { name: 'Sent successfully' })).toBeVisible()
    expect(within(await log()).getAllByText(/hello/)).toHaveLength(1)
    expect(bodies('social/send')).toEqual([
      expect.objectContaining({ chatId: 'chat-1', text: 'hello\nthere', replyTo: null, mentions: [] }),
    ])
    expect(await field()).toHaveValue('')
  })

  it('keeps what could not be sent, and tries again with the same request id', async () => {
    let isBroken = true
    const { bodies } = serveChats({
      messages: many(1, 1),
      send: (_, stored) => {
        if (isBroken) throw new Refusal('social_slow', { seconds: 20 })
        return stored
      },
    })
    open()
    await userEvent.type(await field(), 'important{Enter}')
    expect(await screen.findByText(/Try again in 20 s/)).toBeVisible()
    isBroken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('img', { name: 'Sent successfully' })).toBeVisible()
    const [first, second] = bodies('social/send')
    expect(second).toEqual(first)
    expect(within(await log()).getAllByText('important')).toHaveLength(1)
  })

  it('shows a live message once, and drops its duplicate', async () => {
    const { live } = serveChats({ messages: many(1, 2) })
    open()
    expect(await lines()).toHaveLength(2)
    live(makeMessage(3))
    live(makeMessage(3))
    await waitFor(async () => expect(await lines()).toEqual(['message 1', 'message 2', 'message 3']))
  })

  it('asks for a message that was missed before a live one', async () => {
    const { live, state } = serveChats({ messages: many(1, 2) })
    open()
    expect(await lines()).toHaveLength(2)
    state.messages = [...state.messages, makeMessage(3)]
    live(makeMessage(4))
    await waitFor(async () => expect(await lines()).toEqual(many(1, 4).map(({ text }) => text)))
  })

  it('catches up with what passed while the line was broken, and so does the list', async () => {
    const { state, bodies } = serveChats({ messages: many(1, 2) })
    const before = watched.length
    open()
    expect(await lines()).toHaveLength(2)
    // The member's own topic, and the conversation.
    await waitFor(() => expect(watched.length).toBeGreaterThanOrEqual(before + 2))
    const asked = bodies('social/chats').length
    state.messages = many(1, 4)
    reconnect()
    await waitFor(async () => expect(await lines()).toEqual(many(1, 4).map(({ text }) => text)))
    await waitFor(() => expect(bodies('social/chats').length).toBeGreaterThan(asked))
  })

  it('pages back until the beginning', async () => {
    serveChats({ messages: many(1, 12) })
    open()
    await userEvent.click(await screen.findByRole('button', { name: /Earlier messages$/ }))
    await waitFor(async () => expect(await lines()).toHaveLength(10))
    await userEvent.click(await screen.findByRole('button', { name: /Earlier messages$/ }))
    await waitFor(async () => expect(await lines()).toEqual(many(1, 12).map(({ text }) => text)))
    expect(screen.queryByRole('button', { name: /Earlier messages$/ })).toBeNull()
  })

  it('tells what was read once it is seen, and shows how far the other one has read', async () => {
    const messages = [makeMessage(1, { from: me }), makeMessage(2)]
    const { bodies } = serveChats({ messages, chat: makeChat({ unreadCount: 1, readId: 1 }) })
    open()
    expect(await screen.findByText('New messages')).toBeVisible()
    await waitFor(() => expect(bodies('social/read')).toEqual([{ chatId: 'chat-1', messageId: 2 }]))
    const topic = { kind: 'chat', id: 'chat-1' } as const
    tell({ id: 0, topic, type: 'read', data: { memberId: doctor.id, messageId: 1 } })
    expect(await screen.findByText('Read')).toBeVisible()
  })

  it('tells nothing as read while the tab is not looked at', async () => {
    vi.spyOn(document, 'hasFocus').mockReturnValue(false)
    const { bodies } = serveChats({ messages: many(1, 2), chat: makeChat({ unreadCount: 2 }) })
    open()
    expect(await lines()).toHaveLength(2)
    expect(bodies('social/read')).toEqual([])
    vi.mocked(document.hasFocus).mockReturnValue(true)
    window.dispatchEvent(new Event('focus'))
    await waitFor(() => expect(bodies('social/read')).toHaveLength(1))
    vi.restoreAllMocks()
  })

  const now = new Date().toISOString()
  it.each([
    ['an own old message', makeMessage(1, { from: me }), ['Reply']],
    ['an own new message', makeMessage(1, { from: me, at: now }), ['Reply', 'Withdraw']],
    ['a message of another member', makeMessage(1, { at: now }), ['Reply', 'Report']],
  ])('offers for %s what can be done with it', async (_, message, offers) => {
    serveChats({ messages: [message] })
    open()
    await userEvent.click(await screen.findByRole('button', { name: /^Actions for the message from/ }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({ textContent }) => textContent)).toEqual(offers)
  })

  it('shows no text of a message that was withdrawn', async () => {
    serveChats({ messages: [makeMessage(1), makeMessage(2, { from: me, at: now })] })
    open()
    const menus = await screen.findAllByRole('button', { name: /^Actions for the message from/ })
    await userEvent.click(menus.at(-1) ?? document.body)
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Withdraw' }))
    expect(await screen.findAllByText('You withdrew a message')).not.toEqual([])
    expect(within(await log()).queryByText('message 2')).toBeNull()
  })

  it('shows what members wrote as text, and links of web addresses alone', async () => {
    const text = '<img src=x onerror=alert(1)> https://example.org javascript:alert(1)'
    serveChats({ messages: [makeMessage(1, { text })] })
    open()
    const link = await screen.findByRole('link', { name: 'https://example.org' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    expect((await log()).textContent).toContain('<img src=x onerror=alert(1)>')
    expect((await log()).querySelector('img')).toBeNull()
  })

  it('keeps a draft across a reload', async () => {
    serveChats({ messages: many(1, 1) })
    const { unmount } = open()
    await userEvent.type(await field(), 'half a sentence')
    unmount()
    open()
    expect(await field()).toHaveValue('half a sentence')
  })

  it('says why nothing can be written', async () => {
    serveChats({ messages: many(1, 1), chat: makeChat({ closed: 'not_friends' }) })
    open()
    expect(await screen.findByText(/once you are friends/)).toBeVisible()
    expect(screen.queryByRole('textbox', { name: 'Message to Doctor' })).toBeNull()
  })
})

describe('a group', () => {
  const chat = makeChat({ id: 'chat-2', kind: 'group', name: 'Ward 3', person: null, groupId: 'group-1' })

  it('tells what happened, and names a member with @', async () => {
    const joined = makeMessage(1, {
      chatId: 'chat-2',
      text: '',
      event: { kind: 'joined', person: null },
      from: nurse,
    })
    const { bodies } = serveChats({ messages: [joined], chat })
    renderPart(<SocialHome />, '/socialHome?tab=chat&chat=chat-2')
    expect(within(await log()).getByText('Nurse joined')).toBeVisible()
    const text = await screen.findByRole('textbox', { name: 'Message to Ward 3' })
    await waitFor(async () => {
      await userEvent.clear(text)
      await userEvent.type(text, 'look @nu')
      expect(screen.getByRole('option', { name: 'Nurse' })).toBeVisible()
    })
    await userEvent.keyboard('{Enter}please{Enter}')
    await waitFor(() =>
      expect(bodies('social/send')).toEqual([
        expect.objectContaining({ text: 'look @Nurse please', mentions: [nurse.id] }),
      ]),
    )
  })
})
