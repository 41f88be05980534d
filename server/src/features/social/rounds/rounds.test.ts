import type { Path } from '@neuroloom/contract/calls'
import { imageViews } from '@neuroloom/contract/image-view'
import { rounds as limits } from '@neuroloom/contract/limits'
import type { LiveEvent } from '@neuroloom/contract/live'
import { eq } from 'drizzle-orm'
import type { Socket } from 'socket.io-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume } from '../../../../test/images.ts'
import { openLiveSocket } from '../../../../test/live-socket.ts'
import { makeFolder, put } from '../../../../test/sharing.ts'
import { befriend, type Member, makeCalls, makeGroup, makeMember, makePair } from '../../../../test/social.ts'
import { auditEvents } from '../../../infra/audit.ts'
import { rounds } from './tables.ts'

let server: TestServer
let calls: ReturnType<typeof makeCalls>
let doctor: Member
let nurse: Member
let student: Member
let outsider: Member
let chatId: string
let groupId: string
let study: string
const sockets: Socket[] = []
beforeAll(async () => {
  server = await makeServer()
  calls = makeCalls(server)
  doctor = await makeMember(server, 'Doctor', 4)
  nurse = await makeMember(server, 'Nurse')
  student = await makeMember(server, 'Student')
  outsider = await makeMember(server, 'Outsider')
  const group = await makeGroup(server, [doctor, nurse, student])
  chatId = group.chatId
  groupId = group.id
  study = await putStudy()
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect()
})
afterAll(() => server.close())

let seeds = 0
const volume = (): Buffer => {
  seeds += 1
  return niftiVolume({ size: [5, 4, 3], seed: seeds })
}
const putStudy = (name = `Doe_Jane_${seeds}.nii.gz`, bytes = volume(), parentId: string | null = null) =>
  put(server, doctor, { parentId, name, bytes })

type Wanted = { series?: boolean; allMark?: boolean; chatId?: string }
const openRound = (fileId: string, wanted: Wanted = {}, who: Session = doctor) =>
  server.call('round/open', { chatId, fileId, title: 'Left lung', isChecked: true, ...wanted }, who)

/** Of one study, unless another one is given. */
async function begin(wanted: Wanted = {}, fileId = study) {
  const { data } = await openRound(fileId, wanted)
  return { fileId, roundId: data.id }
}
const show = (roundId: string, who: Session) => server.call('round/show', { roundId }, who)
const view = (roundId: string, who: Session) => server.call('round/view', { roundId }, who)
const pixels = (url: string | null) => fetch(`${server.url}${url}`)
const end = (roundId: string) => server.call('round/end', { roundId }, doctor)

describe('a case round', () => {
  it('shows the study to members of the chat, and nothing else of it', async () => {
    const { fileId, roundId } = await begin()
    const seen = (await view(roundId, nurse)).data
    expect(seen).toMatchObject({ kind: 'volume', state: 'ready', name: 'Left lung', tags: [] })
    const response = await pixels(seen.url)
    expect(response.status).toBe(200)
    expect(JSON.stringify([...response.headers]) + JSON.stringify(seen)).not.toContain('Doe')
    const { messages } = await calls.read(nurse, chatId)
    expect(messages.at(-1)).toMatchObject({
      ...{ text: 'Left lung', attachments: [{ kind: 'round', id: roundId }] },
    })
    const [event] = await server.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.subject, `round:${roundId}`))
    expect(event).toMatchObject({
      actor: doctor.userId,
      action: 'social.open_round',
      after: { file: fileId },
    })
    await end(roundId)
  })

  it('gives no right to the file, neither to those who look on nor to outsiders', async () => {
    const { fileId: id, roundId } = await begin()
    const tried: [Path, object][] = [
      ['files/view', { id }],
      ['files/view', { id, series: true }],
      ['files/open', { id, download: true }],
      ['files/open', { id, download: false }],
      ['files/download', { ids: [id] }],
      ['files/properties', { id }],
      ['files/overlays', { id }],
      ['files/overlay', { id, series: false, maskId: id }],
      ['files/convert', { ids: [id], target: 'nifti' }],
      ['files/copy', { ids: [id], targetId: null, sameName: 'rename' }],
      ['files/viewLinked', { pass: 'none', id }],
    ]
    for (const who of [nurse, outsider])
      for (const [path, body] of tried) {
        const { code } = await server.call(path, body as never, who)
        expect([path, code]).not.toEqual([path, 10200])
      }
    await end(roundId)
  })

  it('does not exist for outsiders: no call answers them, and no address helps', async () => {
    const { roundId } = await begin()
    const { url } = (await view(roundId, nurse)).data
    const change = { deed: 'clear' } as const
    const state = { stateCount: 1, state: {} }
    const tried = [
      await show(roundId, outsider),
      await view(roundId, outsider),
      await server.call('round/state', { roundId, ...state }, outsider),
      await server.call('round/mark', { roundId, change }, outsider),
      await server.call('round/askLead', { roundId }, outsider),
      await server.call('round/giveLead', { roundId, memberId: outsider.userId }, outsider),
      await server.call('round/end', { roundId }, outsider),
    ]
    expect(tried.map(({ data }) => data.error)).toEqual(tried.map(() => 'case_round_missing'))
    expect((await server.call('round/list', { chatId }, outsider)).data.error).toBe('chat_missing')
    // The number of the member stands in the address, under its seal.
    const forged = url?.replace(nurse.userId, outsider.userId) ?? ''
    expect((await pixels(forged)).status).not.toBe(200)
    await end(roundId)
  })

  it('ends for whoever leaves the group, is removed or blocked, at once and for addresses given before', async () => {
    const { roundId } = await begin()
    const { url } = (await view(roundId, student)).data
    expect((await pixels(url)).status).toBe(200)
    await server.call('social/exitGroup', { groupId }, student)
    expect((await view(roundId, student)).data.error).toBe('case_round_missing')
    expect((await pixels(url)).status).not.toBe(200)
    const { number } = (await server.call('social/groups', {}, doctor)).data.groups[0] ?? { number: '' }
    await server.call('social/joinGroup', { number }, student)
    expect((await pixels(url)).status).toBe(200)
    await server.call('social/block', { memberId: doctor.userId }, student)
    expect((await show(roundId, student)).data.error).toBe('case_round_missing')
    expect((await pixels(url)).status).not.toBe(200)
    await server.call('social/unblock', { memberId: doctor.userId }, student)
    expect((await pixels(url)).status).toBe(200)
    await end(roundId)
  })

  it('ends with its file or by its owner, and then shows no pixel', async () => {
    const first = await begin()
    const { url } = (await view(first.roundId, nurse)).data
    expect((await server.call('round/end', { roundId: first.roundId }, nurse)).data.error).toBe(
      'case_round_missing',
    )
    await end(first.roundId)
    expect((await view(first.roundId, nurse)).data.error).toBe('case_round_over')
    expect((await pixels(url)).status).not.toBe(200)
    const second = await begin({}, await putStudy())
    const other = (await view(second.roundId, nurse)).data.url
    await server.call('files/remove', { ids: [second.fileId] }, doctor)
    expect((await pixels(other)).status).not.toBe(200)
    expect((await show(second.roundId, nurse)).data.error).toBe('case_round_over')
    const listed = (await server.call('round/list', { chatId }, nurse)).data.rounds
    expect(listed.filter(({ endedAt }) => endedAt === null)).toEqual([])
  })

  it('is refused for a study that names its patient, is not one’s own, or is no image', async () => {
    const named = dicomSlice({ patient: 'Doe^Jane', number: 1 })
    expect((await openRound(await putStudy('named.dcm', named))).data.error).toBe('shown_study_patient')
    expect((await openRound(await putStudy('notes.txt', Buffer.from('text')))).data.error).toBe(
      'shown_study_no_image',
    )
    expect((await openRound(study, {}, nurse)).data.error).toBe('missing')
    expect((await openRound(study, { chatId: 'nothing' })).data.error).toBe('chat_missing')
    const unchecked = { chatId, fileId: study, title: 'x', isChecked: false }
    expect((await server.call('round/open', unchecked as never, doctor)).code).not.toBe(10200)
  })

  it('shows a series where all of its slices name nobody', async () => {
    const folder = await makeFolder(server, doctor, 'series')
    const slice = (number: number, patient = '') =>
      putStudy(`${number}.dcm`, dicomSlice({ patient, number }), folder)
    const first = await slice(1)
    await slice(2)
    const { data } = await openRound(first, { series: true })
    const seen = (await view(data.id, nurse)).data
    expect(seen.series).toEqual({ files: 2, isShown: true, description: '', opened: null })
    // One that came later and names its patient is left out.
    await slice(3, 'Doe^Jane')
    expect((await view(data.id, nurse)).data.series?.files).toBe(2)
    await end(data.id)
    expect((await openRound(first, { series: true })).data.error).toBe('shown_study_patient')
  })

  it('between two friends ends with the friendship', async () => {
    const pair = await makePair(server)
    const fileId = await put(server, pair.doctor, { parentId: null, name: 'a.nii.gz', bytes: volume() })
    const { data } = await openRound(fileId, { chatId: pair.chatId }, pair.doctor)
    const { url } = (await view(data.id, pair.nurse)).data
    expect((await pixels(url)).status).toBe(200)
    await server.call('social/unfriend', { memberId: pair.doctor.userId }, pair.nurse)
    expect((await pixels(url)).status).not.toBe(200)
    expect((await show(data.id, pair.nurse)).data.error).toBe('case_round_missing')
    await befriend(server, pair.doctor, pair.nurse)
    expect((await pixels(url)).status).toBe(200)
  })

  it('of one member is one of few', async () => {
    const opened: string[] = []
    for (let number = 0; number < limits.open; number += 1) opened.push((await begin()).roundId)
    const refused = await openRound(study)
    expect(refused.data).toMatchObject({ error: 'too_many_case_rounds', params: { limit: limits.open } })
    for (const roundId of opened) await end(roundId)
  })
})

describe('leading', () => {
  const window = { ends: [0, 80] as [number, number], span: 4000 }

  it('is for one: the others follow live, late ones see the same, and old states are passed over', async () => {
    const { roundId } = await begin()
    const ticket = (await server.call('user/ticket', {}, nurse)).data.ticket
    const socket = await openLiveSocket(server.url, ticket)
    sockets.push(socket)
    const heard = new Promise<LiveEvent>((resolve) => {
      socket.on('event', (event: LiveEvent) => event.type === 'state' && resolve(event))
    })
    const watched = await socket.emitWithAck('watch', { kind: 'round', id: roundId, after: 0 })
    expect(watched).toEqual({ ok: true })
    const move = (who: Session, stateCount: number, state: object) =>
      server.call('round/state', { roundId, stateCount, state }, who)
    expect((await move(nurse, 1, { window })).data.error).toBe('case_round_not_led')
    expect((await move(doctor, 2, { window })).data).toEqual({ stateCount: 2 })
    expect((await heard).data).toEqual({ stateCount: 2, state: { window } })
    for (const old of [1, 2, 2 + limits.ahead + 1])
      expect((await move(doctor, old, { frame: 5 })).data).toEqual({ stateCount: 2 })
    expect((await show(roundId, student)).data).toMatchObject({ stateCount: 2, state: { window } })
    for (const bad of [{ frame: -1 }, { plane: 'upside' }, { window: { ends: [0, 1e99], span: 1 } }])
      expect((await move(doctor, 3, bad)).code).not.toBe(10200)
    await end(roundId)
  })

  it('is asked for and given, taken back by the owner, and freed by whoever leaves or is away', async () => {
    const { roundId } = await begin()
    const ask = async (who: Session) => (await server.call('round/askLead', { roundId }, who)).data
    const give = (who: Session, { userId }: Session) =>
      server.call('round/giveLead', { roundId, memberId: userId }, who)
    const leader = async () => (await show(roundId, doctor)).data.leader?.id ?? null
    expect(await leader()).toBe(doctor.userId)
    expect((await give(doctor, student)).data.error).toBe('member_missing')
    const asked = await ask(nurse)
    expect(asked.people.find(({ id }) => id === nurse.userId)?.asks).toBe(true)
    expect(asked.leader?.id).toBe(doctor.userId)
    expect((await give(nurse, nurse)).data.error).toBe('case_round_not_led')
    expect((await give(doctor, nurse)).data.leader?.id).toBe(nurse.userId)
    expect((await give(doctor, doctor)).data.leader?.id).toBe(doctor.userId)
    await give(doctor, nurse)
    await server.call('round/leave', { roundId }, nurse)
    expect(await leader()).toBeNull()
    expect((await ask(student)).leader?.id).toBe(student.userId)
    server.forward(limits.awayMs + 1000)
    expect(await leader()).toBeNull()
    expect((await ask(nurse)).leader?.id).toBe(nurse.userId)
    await end(roundId)
  })
})

describe('marks', () => {
  const point = { kind: 'point', plane: 'axial', slice: 1, frame: 0, points: [[2, 3]] } as const
  const add = { deed: 'add', mark: { ...point, points: [[2, 3]] as [number, number][] } } as const

  it('carry their author; others set them where the owner allows it, and change their own alone', async () => {
    const closed = await begin()
    const change = (roundId: string, body: object, who: Session) =>
      server.call('round/mark', { roundId, change: body } as never, who)
    expect((await change(closed.roundId, add, nurse)).data.error).toBe('case_round_not_led')
    await end(closed.roundId)
    const { roundId } = await begin({ allMark: true })
    await change(roundId, add, doctor)
    const { marks } = (await change(roundId, add, nurse)).data as { marks: { number: number }[] }
    expect(marks).toMatchObject([
      { number: 1, authorId: doctor.userId },
      { number: 2, authorId: nurse.userId },
    ])
    await change(roundId, { deed: 'rename', number: 1, name: 'mine' }, nurse)
    await change(roundId, { deed: 'remove', number: 1 }, nurse)
    await change(roundId, { deed: 'rename', number: 2, name: 'a\u202enodule' }, nurse)
    await change(roundId, { deed: 'move', number: 2, points: [[1, 1]] }, nurse)
    expect((await show(roundId, student)).data.marks).toMatchObject([
      { number: 1, name: '' },
      { number: 2, name: 'anodule', points: [[1, 1]] },
    ])
    expect((await change(roundId, { deed: 'move', number: 2, points: [] }, nurse)).code).not.toBe(10200)
    const [from, to]: [number, number][] = [
      [4, 4],
      [9, 9],
    ]
    const arrow = (...points: unknown[]) => ({ deed: 'add', mark: { ...point, kind: 'arrow', points } })
    expect((await change(roundId, arrow(from), nurse)).code).not.toBe(10200)
    expect((await change(roundId, arrow(from, to), nurse)).data.marks.at(-1)).toMatchObject({
      ...{ number: 3, kind: 'arrow', authorId: nurse.userId },
      points: [from, to],
    })
    const long = { deed: 'rename', number: 2, name: 'x'.repeat(limits.markNameLength + 1) }
    expect((await change(roundId, long, nurse)).code).not.toBe(10200)
    await change(roundId, { deed: 'clear' }, nurse)
    expect((await show(roundId, doctor)).data.marks).toHaveLength(1)
    await end(roundId)
  })

  it('are bounded', async () => {
    const { roundId } = await begin()
    const full = Array.from({ length: imageViews.marks }, (_, at) => ({
      ...{ ...add.mark, number: at + 1, name: 'x'.repeat(limits.markNameLength), authorId: doctor.userId },
    }))
    await server.ctx.db.update(rounds).set({ marks: full }).where(eq(rounds.id, roundId))
    const refused = await server.call('round/mark', { roundId, change: add }, doctor)
    expect(refused.data.error).toBe('too_many_marks')
    // Too much for one event: pages ask.
    const renamed = { deed: 'rename', number: 1, name: 'first' } as const
    expect((await server.call('round/mark', { roundId, change: renamed }, doctor)).code).toBe(10200)
    await end(roundId)
  })
})
