/** The printed password of the first administrator opens nothing but its own change. */
import { calls, type Path } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drag } from '../../../../test/drag.ts'
import { headersOf, makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { rows } from '../../../app.ts'
import { firstStart } from '../../../first-start.ts'
import { findByAccount } from '../account.ts'
import * as session from './session.ts'

const ADMINISTRATOR = 'administrator@neuroloom.local'
const FRESH = 'my own horse 1'
let server: TestServer
let printed: string
beforeAll(async () => {
  server = await makeServer()
  const [line = ''] = await firstStart(server.ctx, { demo: false })
  printed = /^Administrator: \S+ (\S{20}) /.exec(line)?.[1] ?? ''
})
afterAll(() => server.close())

const signIn = async (at: TestServer, password: string) => {
  const proof = await drag(at)
  const { code, data } = await at.call('user/login', { account: ADMINISTRATOR, password, proof })
  return { code, data, who: { userId: data.id, token: data.token } satisfies Session }
}

test('with it no call is answered but those around the change, and no upload taken', async () => {
  const { data, who } = await signIn(server, printed)
  expect(data.mustChangePassword).toBe(true)
  const open: string[] = ['user/password', 'user/logout', 'user/info', 'user/stay']
  // Object.keys loses the key type that the table of calls has.
  const paths = (Object.keys(calls) as Path[]).filter((path) => rows[path].access !== 'anyone')
  expect(paths.length).toBeGreaterThan(100)
  for (const path of paths.filter((one) => !open.includes(one))) {
    const response = await fetch(`${server.url}/AI/api/${path}`, { method: 'POST', headers: headersOf(who) })
    expect(await response.json(), path).toMatchObject({ code: 20031, data: { error: 'password_first' } })
  }
  const upload = await fetch(`${server.url}/AI/api/chunk/upload`, { method: 'POST', headers: headersOf(who) })
  expect(await upload.json()).toMatchObject({ code: 20031 })
  expect((await server.call('user/info', {}, who)).data.mustChangePassword).toBe(true)
  expect((await server.call('user/stay', {}, who)).code).toBe(10200)
  // Neither live events nor signed addresses, whoever gave them out.
  const { rows: found } = await server.ctx.pool.query<{ id: string }>(
    'select id from sessions where ended_at is null and user_id = $1',
    [who.userId],
  )
  expect(await session.findActive(server.ctx, found[0]?.id ?? '')).toBeNull()
})

test('the change opens everything, and takes another password than the printed one', async () => {
  const { who } = await signIn(server, printed)
  const same = await server.call('user/password', { old: printed, password: printed }, who)
  expect(same.data.fields).toEqual({ password: 'form.password_same' })
  const { data } = await server.call('user/password', { old: printed, password: FRESH }, who)
  const now = { ...who, token: data.token }
  expect((await server.call('site/messages', { state: 'all' }, now)).code).toBe(10200)
  expect((await signIn(server, printed)).code).toBe(20001)
  expect((await signIn(server, FRESH)).data.mustChangePassword).toBe(false)
  expect(await firstStart(server.ctx, { demo: false })).toEqual([])
})

test('a password of the operator’s own choice is not printed, and stays', async () => {
  const chosen = await makeServer({ adminPassword: 'operators horse 1' })
  const lines = await firstStart(chosen.ctx, { demo: false })
  expect(lines).toEqual([`Administrator: ${ADMINISTRATOR}, with the password in ADMIN_PASSWORD`])
  const { who } = await signIn(chosen, 'operators horse 1')
  expect((await chosen.call('site/messages', { state: 'all' }, who)).code).toBe(10200)
  expect((await findByAccount(chosen.ctx.db, ADMINISTRATOR))?.role).toBe(2)
  await chosen.close()
})
