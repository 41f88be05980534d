import type { Opinion } from '@neuroloom/contract/social/opinions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordCsv } from '../../src/features/social/opinions/record.ts'
import { OpinionPage } from '../../src/pages/social/opinion.tsx'
import { makeSetting, makeUser, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'
import { doctor, me, nurse } from './social-make.ts'

const at = '2028-05-01T08:00:00.000Z'

const makeOpinion = (changes: Partial<Opinion> = {}): Opinion => ({
  ...{ id: 'opinion-1', chatId: 'chat-1', chatName: 'Ward 3', asker: doctor, question: 'Fracture?' },
  ...{ answers: ['yes', 'no'], hasOutline: false, askedAt: at, until: at, closedAt: null },
  studies: [
    { position: 0, title: 'Study 1' },
    { position: 1, title: 'Study 2' },
  ],
  readers: [
    { ...me, answered: 0, doneAt: null },
    { ...nurse, answered: 2, doneAt: at },
  ],
  ...{ isAsker: false, canAnswer: true, own: [], results: null },
  ...changes,
})

const said = (readerId: string, position: number, answer: number) => ({
  ...{ readerId, position, answer, note: readerId === nurse.id ? '=note' : '', outline: null, at },
})
const results: NonNullable<Opinion['results']> = {
  answers: [said(me.id, 0, 0), said(me.id, 1, 1), said(nurse.id, 0, 0), said(nurse.id, 1, 0)],
  agreement: {
    ...{ readers: [me.id, nurse.id], studies: 2, same: 1, kappa: null, method: 'cohen' },
    ...{ why: 'few_studies', dice: [] },
  },
}

function serveOpinion(first: Opinion) {
  const state = { opinion: first }
  const received = serve({
    'setting/public': () => makeSetting(),
    'user/info': () => makeUser(),
    'opinion/show': () => state.opinion,
    'opinion/view': () => ({
      ...{ id: 'file-1', name: 'Study 1', type: 'png', sizeBytes: 10, kind: 'picture', state: 'ready' },
      ...{ reason: null, url: '/AI/api/files/shown?id=file-1', facts: null, notes: [], series: null },
      ...{ tags: [], patient: null, tagsHidden: false },
    }),
    'opinion/answer': ({ position, answer }) => {
      const own = [...state.opinion.own, said(me.id, position, answer)]
      const isDone = own.length === 2
      state.opinion = makeOpinion({ own, canAnswer: !isDone, results: isDone ? results : null })
      return state.opinion
    },
  })
  const bodies = (path: string) => received.filter((one) => one.path === path).map(({ body }) => body)
  return { bodies }
}

beforeEach(() => signIn())

describe('a second opinion', () => {
  it('is read study by study, and shows what others said after the last one', async () => {
    const { bodies } = serveOpinion(makeOpinion())
    renderPart(<OpinionPage />, '/opinion?id=opinion-1')
    expect(await screen.findByRole('heading', { name: 'Fracture?' })).toBeVisible()
    expect(screen.queryByRole('region', { name: 'Answers of all readers' })).toBeNull()
    await userEvent.click(await screen.findByRole('radio', { name: 'yes' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save and continue' }))
    await userEvent.click(await screen.findByRole('radio', { name: 'no', checked: false }))
    await userEvent.click(await screen.findByRole('button', { name: 'Finish' }))
    const table = await screen.findByRole('region', { name: 'Answers of all readers' })
    expect(within(table).getByRole('columnheader', { name: 'Nurse' })).toBeVisible()
    expect(screen.getByText('2 readers gave the same answer on 1 of 2 studies.')).toBeVisible()
    expect(screen.getByText(/Kappa is not given/)).toBeVisible()
    expect(bodies('opinion/answer')).toMatchObject([
      { position: 0, answer: 0 },
      { position: 1, answer: 1 },
    ])
  })

  it('can be closed by whoever asked alone', async () => {
    serveOpinion(makeOpinion({ canAnswer: false }))
    const { unmount } = renderPart(<OpinionPage />, '/opinion?id=opinion-1')
    await screen.findByRole('heading', { name: 'Fracture?' })
    expect(screen.queryByRole('button', { name: 'Close the request' })).toBeNull()
    unmount()
    serveOpinion(makeOpinion({ canAnswer: false, isAsker: true }))
    renderPart(<OpinionPage />, '/opinion?id=opinion-1')
    await waitFor(() => expect(screen.getByRole('button', { name: 'Close the request' })).toBeVisible())
  })

  it('has a record as a table, whose notes are no formulas', () => {
    const names = new Map([doctor, nurse, me].map(({ id, nickName }) => [id, nickName]))
    const opinion = makeOpinion({ results, closedAt: at })
    const lines = recordCsv(opinion, (id) => names.get(id) ?? '').split('\r\n')
    expect(lines[3]).toBe(`Fracture?,Doctor,${at},${at},1,Study 1,Nurse,${at},yes,'=note,,,`)
    expect(lines).toContain('kappa_cohen,few_studies')
  })
})
