import { profileSchema } from '@neuroloom/contract/accounts/accounts'
import { getTableColumns } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { users } from './tables.ts'

let server: TestServer
let me: Session
beforeAll(async () => {
  server = await makeServer()
  me = await server.signUp()
})
afterAll(() => server.close())

test('a member changes the own profile and reads it back', async () => {
  const { code } = await server.call(
    'user/edit',
    { nickName: 'Lin', job: 'Dr', appellation: 'doctor', age: 41 },
    me,
  )
  expect(code).toBe(10200)
  const { data } = await server.call('user/info', {}, me)
  expect(data).toMatchObject({
    nickName: 'Lin',
    job: 'Dr',
    appellation: 'doctor',
    age: 41,
    showIntroduce: '12345',
  })
})

test('the levels of the region are also given one by one', async () => {
  const levels = async (area: string) => (await server.call('user/edit', { area }, me)).data.areaList
  expect(await levels('310000/310100/other')).toEqual(['310000', '310100', 'other'])
  expect(await levels('')).toEqual([])
})

test('dismissing an introduction changes nothing else', async () => {
  const before = (await server.call('user/info', {}, me)).data
  const { data } = await server.call('user/edit', { userId: me.userId, showIntroduce: '2345' }, me)
  expect(data).toEqual({ ...before, showIntroduce: '2345' })
})

test('the chosen language is kept with the account, which its history does not tell', async () => {
  const before = (await server.call('user/info', {}, me)).data
  expect(before.language).toBeNull()
  const deeds = async () => (await server.call('user/history', {}, me)).data.items.length
  const deedsBefore = await deeds()
  const { data } = await server.call('user/edit', { language: 'ru' }, me)
  expect(data).toEqual({ ...before, language: 'ru' })
  const unknown: object = { language: 'fr' }
  expect((await server.call('user/edit', unknown, me)).data).toMatchObject({ error: 'invalid' })
  expect((await server.call('user/info', {}, me)).data.language).toBe('ru')
  expect(await deeds()).toBe(deedsBefore)
})

test('no column but the profile can be set, whatever is sent', async () => {
  const read = async () =>
    (await server.ctx.pool.query('select * from users where id = $1', [me.userId])).rows[0]
  const before = await read()
  const all = Object.keys(getTableColumns(users)).filter((name) => !(name in profileSchema.shape))
  const names = all.filter((name) => name !== 'showIntroduce' && name !== 'language')
  const columns = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  for (const value of ['1', 'hacked', '2030-01-01T00:00:00.000Z']) {
    const body = Object.fromEntries([...names, ...columns].map((name) => [name, value]))
    const response = await fetch(`${server.url}/AI/api/user/edit`, {
      method: 'POST',
      headers: { ...headersOf(me), 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, constructor: { role: 2 } }),
    })
    expect(response.status).toBe(200)
  }
  expect(names.length).toBeGreaterThan(10)
  expect(await read()).toEqual(before)
})

test('Chinese characters are refused everywhere but in the usage of the second phone', async () => {
  const fields = ['nickName', 'surname', 'organ', 'address', 'keyword'] as const
  for (const field of fields) {
    const reply = await server.call('user/edit', { [field]: '医院 A' }, me)
    expect(reply, field).toMatchObject({ code: 20004, data: { params: { field } } })
  }
  const { data } = await server.call('user/edit', { bakPhoneUsage: '晚上' }, me)
  expect(data.bakPhoneUsage).toBe('晚上')
})

test('a choice outside its list is named as invalid and nothing is saved', async () => {
  const body = { nickName: 'Changed', sex: 'unknown', age: 900 }
  const response = await fetch(`${server.url}/AI/api/user/edit`, {
    method: 'POST',
    headers: { ...headersOf(me), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await response.json()).toMatchObject({
    code: 10422,
    data: { fields: { sex: 'form.invalid', age: 'form.too_big' } },
  })
  expect((await server.call('user/info', {}, me)).data.nickName).not.toBe('Changed')
})
