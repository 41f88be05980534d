import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawCell } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { look } from '../datasets/jobs.ts'
import { manifestOf } from '../datasets/service.ts'

let server: TestServer
let session: Session
let folderId: string
let datasetId: string
beforeAll(async () => {
  server = await makeServer()
  session = await server.signUp({ vipLevel: 4 })
  folderId = (await upload(server, session, { files: pictures() })) ?? ''
  const project = await server.call('projects/create', { name: 'cells', task: 'classification' }, session)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, session)
  datasetId = data.id
  await look(makeWorker(server), datasetId)
})
afterAll(() => server.close())

/** Ten persons of each class with two pictures. */
const pictures = (): TestFile[] =>
  (['round', 'elongated'] as const).flatMap((kind, place) =>
    Array.from({ length: 20 }, (_, k) => {
      const person = place * 10 + Math.floor(k / 2) + 1
      const path = `set/${kind}/patient${String(person).padStart(2, '0')}_${k % 2}.png`
      return { path, bytes: encodePng(drawCell(kind, person * 10 + (k % 2))) }
    }),
  )

const shares = { train: 60, validation: 20, test: 20, seed: 3 }
const split = (changes: Partial<typeof shares> = {}, who: Session | null = session) =>
  server.call('toolbox/split', { datasetId, ...shares, ...changes }, who)

test('a data set is divided by patient, its classes alike in all parts, each time the same way', async () => {
  const { data } = await split()
  expect(data.folderId).toBe(folderId)
  expect(data.classes).toEqual(['elongated', 'round'])
  // Groups are never divided, so counts come near what is asked for: 24, 8 and 8, half of each class.
  for (const [k, wanted] of [24, 8, 8].entries()) {
    const [long = 0, round = 0] = data.parts[k]?.classes ?? []
    expect(Math.abs(long - wanted / 2)).toBeLessThanOrEqual(2)
    expect(Math.abs(round - wanted / 2)).toBeLessThanOrEqual(2)
  }
  expect(data.parts.reduce((sum, { names }) => sum + names.length, 0)).toBe(40)
  const people = data.parts.map(({ names }) => new Set(names.map((name) => /patient\d+/.exec(name)?.[0])))
  expect(people.reduce((sum, part) => sum + part.size, 0)).toBe(20)
  expect((await split()).data).toEqual(data)
  expect((await split({ seed: 4 })).data.parts).not.toEqual(data.parts)
})

test('a part may be left out, but not the training', async () => {
  const { data } = await split({ train: 80, validation: 0 })
  expect(data.parts.map(({ names }) => names.length > 0)).toEqual([true, false, true])
  expect((await split({ train: 100, validation: 0, test: 0 })).data.error).toBe('invalid')
  expect((await split({ train: 50 })).data.error).toBe('invalid')
  expect((await split({ train: 0, validation: 80 })).data.error).toBe('invalid')
})

test('others are not told of it', async () => {
  expect((await split({}, await server.signUp())).data.error).toBe('dataset_missing')
  expect((await split({}, null)).data.error).toBe('not_signed_in')
})

test('its lists, written beside the data, are the parts at the next look', async () => {
  const { data } = await split()
  const names = { train: 'train.txt', validation: 'val.txt', test: 'test.txt' }
  const files = data.parts.map((part) => ({
    path: `splits/${names[part.part]}`,
    bytes: Buffer.from(`${part.names.join('\n')}\n`),
  }))
  await upload(server, session, { files, parentId: folderId })
  expect((await server.call('datasets/recheck', { id: datasetId }, session)).code).toBe(10200)
  await look(makeWorker(server), datasetId)
  const { items } = await manifestOf(server.ctx.db, datasetId)
  for (const { part, names: own } of data.parts) {
    const given = items.filter((item) => item.part === part).map(({ name }) => name)
    expect(given.sort()).toEqual([...own].sort())
  }
})
