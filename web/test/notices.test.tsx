import type { Notice } from '@neuroloom/contract/accounts/accounts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Introduction } from '../src/features/introductions/introduction.tsx'
import { NoticeBell } from '../src/features/notices/notice-bell.tsx'
import { setLanguage } from '../src/lib/i18n.ts'
import { makeUser, signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { serve } from './serve.ts'

const notice = (changes: Partial<Notice> = {}): Notice => ({
  id: '2',
  kind: 'signed_in_elsewhere',
  params: { address: '192.0.2.7' },
  at: new Date().toISOString(),
  isRead: false,
  ...changes,
})

describe('the message box', () => {
  it('counts what is unread, tells it, and marks it read when it was seen', async () => {
    let isRead = false
    const received = serve({
      'notice/list': () => ({
        items: [notice({ isRead }), notice({ id: '1', kind: 'password_changed', params: {}, isRead: true })],
        unreadCount: isRead ? 0 : 1,
      }),
      'notice/read': () => {
        isRead = true
        return {}
      },
    })
    const person = userEvent.setup()
    renderPart(<NoticeBell userId="user-1" />)
    const bell = await screen.findByRole('button', { name: 'Messages, 1 unread' })
    await person.click(bell)
    const list = await screen.findByRole('list')
    expect(within(list).getByText(/192\.0\.2\.7/)).toBeInTheDocument()
    expect(within(list).getAllByRole('listitem')).toHaveLength(2)
    await person.click(bell)
    expect(await screen.findByRole('button', { name: 'Messages, 0 unread' })).toBeVisible()
    expect(received.filter(({ path }) => path === 'notice/read').map(({ body }) => body)).toEqual([
      { id: '2' },
    ])
  })

  it.each([
    ['en', 'Your account was opened from 192.0.2.7, which ended the session before it.'],
    ['zh', '您的账户从 192.0.2.7 登录，原会话已结束。'],
    ['ru', 'Ваша учётная запись открыта с адреса 192.0.2.7, поэтому прежний сеанс завершён.'],
  ] as const)('says in %s which session a sign-in ended', async (language, said) => {
    await setLanguage(language)
    serve({ 'notice/list': () => ({ items: [notice({ isRead: true })], unreadCount: 0 }) })
    renderPart(<NoticeBell userId="user-1" />)
    await userEvent.click(await screen.findByRole('button'))
    expect(await screen.findByText(new RegExp(`^${said}`))).toBeVisible()
  })

  it('names a run that ended, and leads to it', async () => {
    const params = { run: 'r7', what: 'train', number: '3', project: 'Cells' }
    serve({
      'notice/list': () => ({ items: [notice({ kind: 'run_failed', params })], unreadCount: 1 }),
      'notice/read': () => ({}),
    })
    const person = userEvent.setup()
    const { router } = renderPart(<NoticeBell userId="user-1" />)
    await person.click(await screen.findByRole('button', { name: 'Messages, 1 unread' }))
    expect(await screen.findByText(/^Training 3 of “Cells” has failed/)).toBeVisible()
    await person.click(screen.getByRole('link', { name: 'A run failed' }))
    expect(router.state.location).toMatchObject({ pathname: '/run', search: '?id=r7' })
  })

  it('says how good it is what has ended', async () => {
    const params = { run: 'r8', what: 'test', number: '4', project: 'Cells', metric: 'dice', score: '0.8852' }
    serve({
      'notice/list': () => ({ items: [notice({ kind: 'run_done', params })], unreadCount: 1 }),
      'notice/read': () => ({}),
    })
    const person = userEvent.setup()
    renderPart(<NoticeBell userId="user-1" />)
    await person.click(await screen.findByRole('button', { name: 'Messages, 1 unread' }))
    expect(await screen.findByText('Test 4 of “Cells” has ended: Dice 0.885.')).toBeVisible()
  })

  it('leads administrators to what waits for them', async () => {
    serve({
      'notice/list': () => ({ items: [notice({ kind: 'office_withdrawal', params: {} })], unreadCount: 1 }),
      'notice/read': () => ({}),
    })
    const person = userEvent.setup()
    const { router } = renderPart(<NoticeBell userId="user-1" />)
    await person.click(await screen.findByRole('button', { name: 'Messages, 1 unread' }))
    await person.click(await screen.findByRole('link', { name: 'Withdrawal to review' }))
    expect(router.state.location).toMatchObject({ pathname: '/admin', search: '?part=withdrawals' })
  })

  it('tells what was bought by the name of its level, and leads to it', async () => {
    const params = { level: '3', orderNo: '20270101000000000001' }
    serve({
      'notice/list': () => ({
        items: [
          notice({ id: '3', kind: 'plan_paid', params: { ...params, until: '2028-01-01' }, isRead: true }),
          notice({ id: '2', kind: 'plan_paid', params: { ...params, until: '' }, isRead: true }),
        ],
        unreadCount: 0,
      }),
    })
    const person = userEvent.setup()
    const { router } = renderPart(<NoticeBell userId="user-1" />)
    const bell = await screen.findByRole('button', { name: 'Messages, 0 unread' })
    await person.click(bell)
    expect(await screen.findByText(/You are a Silver member until 2028-01-01\./)).toBeInTheDocument()
    expect(screen.getByText(/You are a Silver member, without end date\./)).toBeInTheDocument()
    const [link] = screen.getAllByRole('link', { name: 'Payment received' })
    if (!link) throw new Error('No link')
    await person.click(link)
    expect(router.state.location.pathname + router.state.location.search).toBe('/userCenter?tab=membership')
    expect(bell).toHaveAttribute('aria-expanded', 'false')
  })

  it('says what it is for while it is empty', async () => {
    serve({ 'notice/list': () => ({ items: [], unreadCount: 0 }) })
    const person = userEvent.setup()
    renderPart(<NoticeBell userId="user-1" />)
    await person.click(await screen.findByRole('button', { name: 'Messages, 0 unread' }))
    expect(await screen.findByText(/No messages yet/)).toBeInTheDocument()
  })
})

describe('the introduction of a module', () => {
  it('greets until it is put away: its digit goes, the others stay', async () => {
    signIn()
    let showIntroduce = '125'
    const received = serve({
      'user/info': () => makeUser({ showIntroduce }),
      'user/edit': (body) => {
        showIntroduce = body.showIntroduce ?? ''
        return makeUser({ showIntroduce })
      },
    })
    const person = userEvent.setup()
    renderPart(<Introduction module="cloud" />)
    await person.click(await screen.findByRole('button', { name: 'Got it' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Got it' })).toBeNull())
    expect(received.find(({ path }) => path === 'user/edit')?.body).toEqual({
      userId: 'user-1',
      showIntroduce: '15',
    })
    expect(sessionStorage.getItem('introduced2')).toBe('1')
  })

  it('does not greet who has put it away', async () => {
    signIn()
    const received = serve({ 'user/info': () => makeUser({ showIntroduce: '2' }) })
    renderPart(<Introduction module="project" />)
    await waitFor(() => expect(received).toHaveLength(1))
    expect(screen.queryByRole('heading')).toBeNull()
  })
})
