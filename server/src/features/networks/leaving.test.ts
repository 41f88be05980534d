import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { unzip } from '../../../test/unzip.ts'
import { eraseOf } from './erase.ts'
import { networks, networkVersions } from './tables.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function makeMember() {
  const member = await server.signUp()
  const { data } = await server.call('networks/create', { name: 'Сеть/1', text: makeText() }, member)
  await server.call('networks/keep', { id: data.id, note: 'kept' }, member)
  await server.call('networks/copy', { id: data.id, name: 'сеть-1' }, member)
  return { member, id: data.id }
}

it('a member takes all networks along, with their versions', async () => {
  await makeMember()
  const { member } = await makeMember()
  const { url } = (await server.call('user/export', {}, member)).data
  const archive = await unzip(Buffer.from(await (await fetch(server.url + url)).arrayBuffer()))
  const names = [...archive.keys()].filter((path) => path.startsWith('networks/'))
  expect(names).toEqual(['networks/Сеть-1.json', 'networks/сеть-1 (2).json'])
  const found: unknown = JSON.parse(archive.get(names[0] ?? '')?.bytes.toString() ?? '')
  expect(found).toMatchObject({
    ...{ name: 'Сеть/1', text: makeText(), revision: 1, layout: { open: [] } },
    versions: [{ number: 1, note: 'kept', text: makeText() }],
  })
  expect(found).not.toHaveProperty('ownerId')
})

it('of a closed account no network and no version is left, of others all', async () => {
  const { member, id } = await makeMember()
  const other = await makeMember()
  await eraseOf(server.ctx, member.userId)
  const { db } = server.ctx
  expect(await db.$count(networks, eq(networks.ownerId, member.userId))).toBe(0)
  expect(await db.$count(networkVersions, eq(networkVersions.networkId, id))).toBe(0)
  expect(await db.$count(networks, eq(networks.ownerId, other.member.userId))).toBe(2)
  expect(await db.$count(networkVersions, eq(networkVersions.networkId, other.id))).toBe(1)
})
