import { statements as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { unzip } from '../../../test/unzip.ts'

let server: TestServer
let owner: Session
let project: string
beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ vipLevel: 4 })
  const made = await server.call('projects/create', { name: 'Lungs', task: 'classification' }, owner)
  project = made.data.id
})
afterAll(() => server.close())

const say = (name: 'aims' | 'funding', text: string, who = owner, id = project) =>
  server.call('projects/setStatement', { id, name, text }, who)
const said = async (who = owner, id = project) => (await server.call('projects/statements', { id }, who)).data

describe('what people say of a study', () => {
  it('is kept question by question, in any script, changed and taken back', async () => {
    expect(await said()).toEqual({ statements: {} })
    await say('funding', 'Без поддержки')
    const { data } = await say('aims', '  肺炎を見分ける 🫁\nin two lines ')
    expect(data).toEqual({
      statements: { aims: '肺炎を見分ける 🫁\nin two lines', funding: 'Без поддержки' },
    })
    await say('aims', 'Tell pneumonia apart.')
    await say('funding', '   ')
    expect(await said()).toEqual({ statements: { aims: 'Tell pneumonia apart.' } })
  })

  it('keeps both answers of two people who write at the same time', async () => {
    await Promise.all([say('aims', 'one'), say('funding', 'two'), say('aims', 'one')])
    expect(await said()).toEqual({ statements: { aims: 'one', funding: 'two' } })
  })

  it('is no longer than a form shows, and answers questions that exist', async () => {
    expect((await say('aims', 'x'.repeat(limits.length))).code).toBe(10200)
    expect((await say('aims', 'x'.repeat(limits.length + 1))).data).toMatchObject({ error: 'invalid' })
    const other = { id: project, name: 'colour', text: 'red' } as unknown as Parameters<typeof ask>[0]
    expect((await ask(other)).data).toMatchObject({ error: 'invalid' })
  })

  it('is read by whoever may look at the project, and written by whoever may edit it', async () => {
    const viewer = await server.signUp()
    const stranger = await server.signUp()
    await server.call('projects/share', { id: project, account: viewer.account, permission: 'view' }, owner)
    await say('aims', 'seen by both')
    expect((await said(viewer)).statements).toMatchObject({ aims: 'seen by both' })
    expect((await say('aims', 'mine', viewer)).data).toMatchObject({ error: 'not_allowed' })
    expect(await said(stranger)).toMatchObject({ error: 'project_missing' })
    expect((await say('aims', 'mine', stranger)).data).toMatchObject({ error: 'project_missing' })
  })

  it('goes along with a copy and with the project as one archive', async () => {
    await say('aims', 'goes along')
    const { data } = await server.call('projects/copy', { id: project, name: 'Copy' }, owner)
    expect((await said(owner, data.project.id)).statements).toMatchObject({ aims: 'goes along' })
    const link = await server.call('projects/archive', { id: project, data: false }, owner)
    const response = await fetch(server.url + link.data.url)
    const entries = await unzip(Buffer.from(await response.arrayBuffer()))
    const file = JSON.parse(String(entries.get('project.json')?.bytes))
    expect(file.statements).toMatchObject({ aims: 'goes along' })
  })
})

const ask = (body: { id: string; name: 'aims'; text: string }) =>
  server.call('projects/setStatement', body, owner)
