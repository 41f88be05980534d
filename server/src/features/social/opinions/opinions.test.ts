import type { Body } from '@neuroloom/contract/calls'
import { opinions as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume } from '../../../../test/images.ts'
import { put } from '../../../../test/sharing.ts'
import { type Member, makeCalls, makeGroup, makeMember } from '../../../../test/social.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
let doctor: Member
let nurse: Member
let student: Member
let bystander: Member
let outsider: Member
let chatId: string
let groupId: string
const fileIds: string[] = []
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
  doctor = await makeMember(server, 'Doctor', 4)
  nurse = await makeMember(server, 'Nurse')
  student = await makeMember(server, 'Student')
  bystander = await makeMember(server, 'Bystander')
  outsider = await makeMember(server, 'Outsider')
  const group = await makeGroup(server, [doctor, nurse, student, bystander])
  chatId = group.chatId
  groupId = group.id
  for (const seed of [1, 2]) fileIds.push(await putStudy(`Doe ${seed}.nii.gz`, seed))
})
afterAll(() => server.close())

const putStudy = (name: string, seed: number): Promise<string> =>
  put(server, doctor, { parentId: null, name, bytes: niftiVolume({ size: [4, 4, 2], seed }) })
const inDays = (days: number): string =>
  new Date(server.ctx.now().getTime() + days * 24 * 3_600_000).toISOString()

const ask = (changes: Partial<Body<'opinion/ask'>> = {}, who: Session = doctor) =>
  server.call(
    'opinion/ask',
    {
      ...{ chatId, question: 'Fracture?', answers: ['yes', 'no'], hasOutline: true, isChecked: true },
      studies: fileIds.map((fileId, at) => ({ fileId, title: `Study ${at + 1}` })),
      readerIds: [nurse.userId, student.userId],
      until: inDays(7),
      ...changes,
    },
    who,
  )
const show = (opinionId: string, who: Session) => server.call('opinion/show', { opinionId }, who)
const view = (opinionId: string, who: Session, position = 0) =>
  server.call('opinion/view', { opinionId, position }, who)
const answer = (
  opinionId: string,
  who: Session,
  changes: Partial<Omit<Body<'opinion/answer'>, 'opinionId'>> = {},
) => {
  const usual = { position: 0, answer: 0, note: '', outline: null }
  return server.call('opinion/answer', { opinionId, ...usual, ...changes }, who)
}
const pixels = async (url: string | null) => (await fetch(`${server.url}${url}`)).status

describe('a second opinion', () => {
  it('is read blind: nobody sees what others said before they have said everything', async () => {
    const { data: asked } = await ask()
    const { id } = asked
    const { messages } = await calls.read(bystander, chatId)
    expect(messages.at(-1)).toMatchObject({
      ...{ text: 'Fracture?', attachments: [{ kind: 'opinion', id }] },
      mentions: [nurse.userId, student.userId],
    })
    expect(asked).toMatchObject({ isAsker: true, canAnswer: false, results: null, closedAt: null })
    const outline = {
      plane: 'axial',
      slice: 1,
      frame: 0,
      points: [
        [0, 0],
        [2, 0],
        [2, 2],
      ],
    } as never
    await answer(id, nurse, { position: 0, answer: 1, outline })
    // Until the last one is answered, it may be changed.
    await answer(id, nurse, { position: 0, answer: 0, note: 'line through the cortex', outline })
    for (const who of [doctor, student, nurse]) expect((await show(id, who)).data.results).toBeNull()
    expect((await show(id, student)).data.own).toEqual([])
    const done = (await answer(id, nurse, { position: 1, answer: 1 })).data
    expect(done.results?.answers).toMatchObject([
      { position: 0, readerId: nurse.userId, answer: 0, note: 'line through the cortex', outline },
      { position: 1, readerId: nurse.userId, answer: 1 },
    ])
    expect((await answer(id, nurse)).data.error).toBe('opinion_answered')
    for (const who of [doctor, student])
      expect(JSON.stringify((await show(id, who)).data)).not.toContain('cortex')
    await answer(id, student, { position: 0, answer: 0, outline })
    const closed = (await answer(id, student, { position: 1, answer: 0 })).data
    expect(closed.closedAt).not.toBeNull()
    const seen = (await show(id, doctor)).data
    expect(seen.results?.agreement).toMatchObject({
      ...{ studies: 2, same: 1, kappa: null, why: 'few_studies' },
      dice: [{ mean: expect.closeTo(1, 5), studies: 1 }],
    })
    expect(seen.readers).toMatchObject([{ answered: 2 }, { answered: 2 }])
  })

  it('shows its studies to the readers while it is open, and to nobody else', async () => {
    const { id } = (await ask()).data
    const seen = (await view(id, nurse)).data
    expect(seen).toMatchObject({ kind: 'volume', name: 'Study 1', tags: [] })
    expect(await pixels(seen.url)).toBe(200)
    for (const who of [bystander, outsider]) {
      expect((await show(id, who)).data.error).toBe('opinion_missing')
      expect((await view(id, who)).data.error).toBe('opinion_missing')
      expect((await answer(id, who)).data.error).toBe('opinion_missing')
      expect((await server.call('opinion/close', { opinionId: id }, who)).data.error).toBe('opinion_missing')
    }
    for (const fileId of fileIds) {
      expect((await server.call('files/view', { id: fileId }, nurse)).data.error).toBe('missing')
      expect((await server.call('files/open', { id: fileId }, nurse)).data.error).toBe('missing')
    }
    // Whoever asked reads nothing, and a reader closes nothing.
    expect((await answer(id, doctor)).data.error).toBe('opinion_missing')
    expect((await server.call('opinion/close', { opinionId: id }, nurse)).data.error).toBe('opinion_missing')
    await server.call('opinion/close', { opinionId: id }, doctor)
    expect(await pixels(seen.url)).not.toBe(200)
    expect((await view(id, nurse)).data.error).toBe('opinion_closed')
    expect((await answer(id, nurse)).data.error).toBe('opinion_closed')
    // Its record stays with those in it.
    expect((await show(id, nurse)).data.results).toMatchObject({ answers: [] })
  })

  it('ends with its time, and for readers who leave the chat', async () => {
    const { id } = (await ask({ until: inDays(1) })).data
    const { url } = (await view(id, student)).data
    await server.call('social/exitGroup', { groupId }, student)
    expect(await pixels(url)).not.toBe(200)
    expect((await show(id, student)).data.error).toBe('opinion_missing')
    const { number } = (await server.call('social/groups', {}, doctor)).data.groups[0] ?? { number: '' }
    await server.call('social/joinGroup', { number }, student)
    expect((await show(id, student)).data.canAnswer).toBe(true)
    const opened = (await show(id, nurse)).data
    expect(opened.closedAt).toBeNull()
  })

  it('is refused for studies that name a patient, strangers as readers, and what makes no sense', async () => {
    const bytes = dicomSlice({ patient: 'Doe^Jane', number: 1 })
    const named = await put(server, doctor, { parentId: null, name: 'named.dcm', bytes })
    const [first = ''] = fileIds
    const study = { fileId: first, title: 'x' }
    const refused = async (changes: Partial<Body<'opinion/ask'>>) => (await ask(changes)).data.error
    expect(await refused({ studies: [{ fileId: named, title: 'x' }] })).toBe('shown_study_patient')
    expect(await refused({ readerIds: [outsider.userId] })).toBe('member_missing')
    expect((await ask({}, nurse)).data.error).toBe('missing')
    expect((await ask({}, outsider)).data.error).toBe('chat_missing')
    const senseless: Partial<Body<'opinion/ask'>>[] = [
      { answers: ['yes'] },
      { answers: ['yes', ' yes '] },
      { studies: [study, study] },
      { until: inDays(-1) },
      { until: inDays(365) },
      { question: 'x'.repeat(limits.questionLength + 1) },
    ]
    for (const changes of senseless) expect((await ask(changes)).code).not.toBe(10200)
    const { id } = (await ask()).data
    expect((await answer(id, nurse, { position: 2 })).code).not.toBe(10200)
    expect((await answer(id, nurse, { answer: 2 })).code).not.toBe(10200)
  })
})
