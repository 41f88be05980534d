/** News of ended runs: told once, wherever the member is, and not on the page of that very run. */
import { runErrors } from '@neuroloom/contract/engine'
import type { EndedRun } from '@neuroloom/contract/runs'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RunNews } from '../../src/features/runs/run-news.tsx'
import { setLanguage } from '../../src/lib/i18n.ts'
import { makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { tell, watched } from './runs-live.ts'

vi.mock('socket.io-client', () => import('./runs-live.ts'))

/** Cards move in by a transition that only a browser ends: here they are there, and stay transparent. */
const moving = { hidden: true }

const user = makeUser()
beforeEach(() => {
  signIn(user)
  watched.length = 0
  serve({ 'user/ticket': () => ({ ticket: 'once' }) })
})

describe('a run that has ended', () => {
  it('is told of with a way to it', async () => {
    const router = await open()
    end({ id: 'a' })
    expect(await screen.findByText('Training 3 of “Chest” has ended')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Look at it', ...moving }))
    await waitFor(() => expect(router.state.location).toMatchObject({ pathname: '/run', search: '?id=a' }))
  })

  it('is told of once, however often the news come', async () => {
    await open()
    end({ id: 'b', kind: 'test', number: 8 })
    end({ id: 'b', kind: 'test', number: 8 })
    expect(await screen.findAllByText('Test 8 of “Chest” has ended')).toHaveLength(1)
  })

  it('says why it failed', async () => {
    await open()
    end({ id: 'c', state: 'failed', error: { code: 'disk_full', params: {} } })
    expect(await screen.findByText('Training 3 of “Chest” has failed')).toBeInTheDocument()
    expect(screen.getByText('The server has no disk space left.')).toBeInTheDocument()
  })

  it('is not told of on its own page', async () => {
    await open('/run?id=d')
    end({ id: 'd', number: 1 })
    end({ id: 'e', number: 2 })
    expect(await screen.findByText('Training 2 of “Chest” has ended')).toBeInTheDocument()
    expect(screen.queryByText('Training 1 of “Chest” has ended')).toBeNull()
  })

  it.each([
    ['zh', '“Chest”的训练 3失败了', /查\s?看/],
    ['ru', 'Обучение 3, проект «Chest»: ошибка', 'Открыть'],
  ] as const)('is told of in the language of the reader: %s', async (language, title, action) => {
    await setLanguage(language)
    await open()
    end({ id: `f ${language}`, state: 'failed', error: { code: runErrors[0], params: {} } })
    expect(await screen.findByText(title)).toBeInTheDocument()
    expect(screen.getByText(action)).toBeInTheDocument()
  })
})

async function open(address = '/projectHome') {
  const { router } = renderPart(
    <App>
      <RunNews userId={user.id} />
    </App>,
    address,
  )
  await waitFor(() => expect(watched.at(-1)).toMatchObject({ kind: 'user', id: user.id }))
  return router
}

function end(changes: Partial<EndedRun>): void {
  const run: EndedRun = {
    ...{ id: 'run-1', kind: 'train', number: 3, state: 'done', error: null, project: 'Chest' },
    ...changes,
  }
  act(() => tell({ id: 0, topic: { kind: 'user', id: user.id }, type: 'run', data: run }))
}
