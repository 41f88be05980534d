import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drag } from '../test/drag.ts'
import { makeServer, type TestServer } from '../test/harness.ts'
import { speakSamples } from './demo/language.ts'
import { createUser, findByAccount } from './features/accounts/account.ts'
import { verify } from './features/accounts/sign-in/password.ts'
import { users } from './features/accounts/tables.ts'
import { datasets } from './features/datasets/tables.ts'
import { files } from './features/files/tables.ts'
import { networks, networkVersions } from './features/networks/tables.ts'
import { projects } from './features/projects/tables.ts'
import { firstStart } from './first-start.ts'

const MEMBER = 'member@neuroloom.local'

let server: TestServer
/** The demo member's password. */
let printed = ''
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

test('a first start that was cut off among the samples is made whole by the next one', async () => {
  const { ctx } = server
  const cutOff = await createUser(ctx.db, { account: MEMBER, password: null, nickName: 'Demo member' })
  expect(await verify(cutOff.passwordHash, '')).toBe(false)

  const lines = await firstStart(ctx, { demo: true })

  printed =
    lines
      .find((line) => line.startsWith('Demo member: '))
      ?.split(' ')
      .at(-1) ?? ''
  const member = await findByAccount(ctx.db, MEMBER)
  expect(member?.id).not.toBe(cutOff.id)
  expect(await verify(member?.passwordHash ?? null, printed)).toBe(true)
  const samples = await ctx.db
    .select()
    .from(projects)
    .where(eq(projects.ownerId, member?.id ?? ''))
  expect(samples).toHaveLength(2)
  const drawn = await ctx.db
    .select()
    .from(networks)
    .where(eq(networks.ownerId, member?.id ?? ''))
  expect(drawn).toMatchObject([{ task: 'classification', mistakes: 0, version: 1 }])
})

test('a member who is there keeps account, password and projects', async () => {
  const { ctx } = server
  const before = await ctx.db.select().from(users)
  expect(await firstStart(ctx, { demo: true })).toEqual([])
  expect(await ctx.db.select().from(users)).toEqual(before)
})

test('the samples speak the language of the sign-in; what the member renamed keeps its name', async () => {
  const { ctx } = server
  const member = await findByAccount(ctx.db, MEMBER)
  const ownerId = member?.id ?? ''
  const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name).sort()
  const said = async () => ({
    projects: namesOf(await ctx.db.select().from(projects).where(eq(projects.ownerId, ownerId))),
    folders: namesOf(
      await ctx.db
        .select()
        .from(files)
        .where(and(eq(files.ownerId, ownerId), isNull(files.parentId))),
    ),
    datasets: namesOf(await ctx.db.select().from(datasets).where(eq(datasets.ownerId, ownerId))),
    networks: namesOf(await ctx.db.select().from(networks)),
    notes: (await ctx.db.select().from(networkVersions)).map(({ note }) => note),
  })
  const english = await said()
  await ctx.db.update(projects).set({ name: 'Mine' }).where(eq(projects.name, 'Outline cells (sample)'))

  const signedIn = await fetch(`${server.url}/AI/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'ru' },
    body: JSON.stringify({ account: MEMBER, password: printed, proof: await drag(server, 'login', MEMBER) }),
  })
  expect(await signedIn.json()).toMatchObject({ code: 10200 })
  const russian = await said()
  expect(russian.projects).toEqual(['Mine', 'Различить формы клеток (пример)'])
  expect(russian.folders).toEqual(['Клетки (пример)', 'Формы клеток (пример)'])
  expect(russian.datasets).toEqual(russian.folders)
  expect(russian.networks).toEqual(['Сеть для форм клеток (пример)'])
  expect(russian.notes).toEqual(['Как было в примере'])

  await speakSamples(ctx, 'somebody-else', 'zh')
  expect(await said()).toEqual(russian)

  await ctx.db.update(projects).set({ name: 'Outline cells (sample)' }).where(eq(projects.name, 'Mine'))
  await speakSamples(ctx, ownerId, 'zh')
  await speakSamples(ctx, ownerId, 'en')
  expect(await said()).toEqual(english)
})
