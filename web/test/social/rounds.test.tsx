import type { Answer } from '@neuroloom/contract/calls'
import type { Round } from '@neuroloom/contract/social/rounds'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RoundPage } from '../../src/pages/social/round.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { tell } from '../runs/runs-live.ts'
import { Refusal, serve } from '../serve.ts'
import { doctor, me } from './social-make.ts'

vi.mock('socket.io-client', () => import('../runs/runs-live.ts'))

const present = (person: typeof me, asks = false) => ({ ...person, asks })

const makeRound = (changes: Partial<Round> = {}): Round => ({
  ...{
    id: 'round-1',
    chatId: 'chat-1',
    chatName: 'Ward 3',
    title: 'Left lung',
    host: doctor,
    leader: doctor,
  },
  ...{ openedAt: '2028-05-01T08:00:00.000Z', endedAt: null, allMark: false },
  people: [present(doctor), present(me)],
  ...{ stateCount: 0, state: {}, markCount: 0, marks: [] },
  ...changes,
})

const image: Answer<'round/view'> = {
  ...{ id: 'file-1', name: 'Left lung', type: 'png', sizeBytes: 10, kind: 'picture', state: 'ready' },
  ...{ reason: null, url: '/AI/api/files/shown?id=file-1', facts: null, notes: [], series: null },
  ...{ tags: [], patient: null, tagsHidden: false },
}

function serveRound(first: Round) {
  const state = { round: first, isOver: false }
  const received = serve({
    'setting/public': () => makeSetting(),
    'user/info': () => makeUser(),
    'user/ticket': () => ({ ticket: 'once' }),
    'round/view': () => image,
    'round/show': () => {
      if (state.isOver) throw new Refusal('case_round_over')
      return state.round
    },
    'round/askLead': () => {
      state.round = { ...state.round, people: [present(doctor), present(me, true)] }
      return state.round
    },
    'round/giveLead': ({ memberId }) => {
      state.round = { ...state.round, leader: memberId === doctor.id ? doctor : me }
      return state.round
    },
    'round/leave': () => ({}),
    'round/end': () => ({}),
    'round/open': () => state.round,
    'files/list': () => ({ path: [], entries: [], next: null, total: 0, withheld: 0 }) as never,
  })
  const news = (type: string, data: Record<string, unknown> = {}) =>
    tell({ id: 0, topic: { kind: 'round', id: 'round-1' }, type, data })
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { state, news, bodies }
}

const open = () => renderPart(<RoundPage />, '/round?id=round-1')

beforeEach(() => signIn())

describe('a case round', () => {
  it('shows the image under its title, who leads and who is there', async () => {
    serveRound(makeRound())
    open()
    expect(await screen.findByRole('heading', { name: 'Left lung' })).toBeVisible()
    expect(await screen.findByRole('img', { name: 'Left lung' })).toBeInTheDocument()
    expect(screen.getByRole('status')).toHaveTextContent('Doctor leads')
    expect(screen.getByText('2 people here')).toBeVisible()
    // Neither masks of the owner's folder nor an address of the file are offered.
    expect(screen.queryByRole('button', { name: /mask/i })).toBeNull()
    expect(screen.queryByRole('button', { name: /Copy/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /Measure/ })).toBeNull()
  })

  it('lets a member ask for the lead, and gives the tools to the one who has it', async () => {
    const { state, news, bodies } = serveRound(makeRound())
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Ask for the lead' }))
    expect(await screen.findByRole('button', { name: 'Asked for the lead' })).toBeDisabled()
    expect(bodies('round/askLead')).toEqual([{ roundId: 'round-1' }])
    state.round = { ...state.round, leader: me, people: [present(doctor), present(me)] }
    news('people')
    expect(await screen.findByText('You lead: everybody sees what you see.')).toBeVisible()
    expect(screen.getByRole('button', { name: /Measure/ })).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Give the lead to Doctor' }))
    expect(await screen.findByText('Doctor leads')).toBeVisible()
  })

  it('lists the marks that others set, with their authors', async () => {
    const { state, news } = serveRound(makeRound())
    open()
    const picture = await screen.findByRole('img', { name: 'Left lung' })
    picture.dispatchEvent(new Event('load'))
    const mark: Round['marks'][number] = {
      ...{
        plane: 'axial',
        slice: 0,
        frame: 0,
        kind: 'distance',
        number: 1,
        name: 'nodule',
        authorId: doctor.id,
      },
      points: [
        [2, 3],
        [5, 6],
      ],
    }
    await screen.findByText('2 people here')
    const arrow = { ...mark, kind: 'arrow' as const, number: 2, name: '' }
    state.round = makeRound({ markCount: 2, marks: [mark, arrow] })
    news('marks', { markCount: 2, marks: [mark, arrow] })
    expect(await screen.findByDisplayValue('nodule')).toHaveAttribute('readonly')
    expect(screen.getByRole('button', { name: 'Remove nodule' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Show Arrow 2' })).toHaveTextContent('DoctorShows a place')
  })

  it('says that it has ended', async () => {
    const { state, news } = serveRound(makeRound())
    open()
    await screen.findByText('Doctor leads')
    state.isOver = true
    news('people')
    expect(await screen.findByText('This case round has ended')).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Left lung' })).toBeNull())
  })
})
