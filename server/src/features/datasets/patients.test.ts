import type { Dataset } from '@neuroloom/contract/datasets'
import type { PatientRule } from '@neuroloom/contract/reading/patient-rule'
import { asFound } from '@neuroloom/contract/reading/reading'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawCell } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import { look } from './jobs.ts'
import { manifestOf } from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** Six persons of each class with two pictures, and one picture of nobody. */
const files = (name: (person: number, picture: number) => string): TestFile[] => [
  ...(['round', 'elongated'] as const).flatMap((kind, place) =>
    [1, 2, 3, 4, 5, 6].flatMap((index) =>
      [1, 2].map((picture) => {
        const person = place * 6 + index
        const bytes = encodePng(drawCell(kind, person * 10 + picture))
        return { path: `set/${kind}/${name(person, picture)}`, bytes }
      }),
    ),
  ),
  { path: 'set/round/other.png', bytes: encodePng(drawCell('round', 999)) },
]

type Place = { session: Session; projectId: string; dataset: Dataset }

async function made(all: TestFile[]): Promise<Place> {
  const session = await server.signUp({ vipLevel: 4 })
  const folderId = (await upload(server, session, { files: all })) ?? ''
  const project = await server.call('projects/create', { name: 'cells', task: 'classification' }, session)
  const projectId = project.data.id
  const { data } = await server.call('datasets/recognise', { projectId, folderId }, session)
  return { session, projectId, dataset: await looked(session, data.id) }
}

async function looked(session: Session, id: string): Promise<Dataset> {
  await look(makeWorker(server), id)
  return (await server.call('datasets/detail', { id }, session)).data
}

async function decided({ session, dataset }: Place, patients: PatientRule | null): Promise<Dataset> {
  const reading = { ...asFound, patients }
  await server.call('datasets/readAs', { id: dataset.id, reading }, session)
  return looked(session, dataset.id)
}

async function groupsOf({ dataset }: Place): Promise<Map<string, string>> {
  const { items } = await manifestOf(server.ctx.db, dataset.id)
  return new Map(items.map(({ name, group }) => [name, group]))
}

describe('the patients of a data set', () => {
  it('are found in names, shown, decided otherwise, and found again', async () => {
    const place = await made(files((person, picture) => `person${person}_visit${picture}.png`))
    expect(place.dataset.facts).toMatchObject({
      patients: 12,
      origin: { items: 24, patients: 12, single: 1, pattern: 'person…', isChosen: false },
    })
    const found = await groupsOf(place)
    expect(found.get('round/person1_visit1.png')).toBe(found.get('round/person1_visit2.png'))
    expect(found.get('round/person1_visit1.png')).not.toBe(found.get('round/person2_visit1.png'))

    const none = await decided(place, { by: 'none' })
    expect(none.facts).toMatchObject({ patients: null, origin: { single: 25, isChosen: true } })
    expect(new Set((await groupsOf(place)).values()).size).toBe(25)

    // The visits, as a mistake would have it.
    const rule = { by: 'name', example: 'round/person1_visit1.png', from: 14, to: 20 } as const
    const preview = await server.call('datasets/patients', { id: place.dataset.id, rule }, place.session)
    expect(preview.data).toMatchObject({ items: 24, patients: 2, single: 1, pattern: 'visit…' })
    const again = await decided(place, rule)
    const told = preview.data.samples.map(({ name, patient }) => ({ name, patient }))
    expect(again.facts?.origin).toMatchObject({ ...preview.data, samples: told, rule, isChosen: true })
    // Some of each visit, and the one that stands alone, each with its picture.
    expect(told.map(({ patient }) => patient)).toEqual([
      ...Array.from({ length: 3 }, () => told[0]?.patient),
      ...Array.from({ length: 3 }, () => told[3]?.patient),
      null,
    ])
    for (const { image } of preview.data.samples)
      expect((await fetch(`${server.url}${image}`)).status).toBe(200)
    expect(new Set((await groupsOf(place)).values()).size).toBe(3)

    expect((await decided(place, null)).facts?.origin).toMatchObject({ patients: 12, isChosen: false })
  })

  it('come from a column of a table beside class folders, if that is wished', async () => {
    const all = files((person, picture) => `${person}-${picture}.png`)
    const rows = all.map(({ path }, index) => `${path.slice('set/'.length)},ward${index % 5}`)
    const table = Buffer.from(['image,ward', ...rows].join('\n'))
    const place = await made([...all, { path: 'set/wards.csv', bytes: table }])
    const option = place.dataset.facts?.origin?.options.find((one) => one.rule.by === 'table')
    expect(option).toMatchObject({ rule: { column: 'ward' }, patients: 5, single: 0 })
    const rule = option?.rule ?? { by: 'none' }
    const preview = await server.call('datasets/patients', { id: place.dataset.id, rule }, place.session)
    expect(preview.data).toMatchObject({ patients: 5, pattern: 'ward' })
    expect((await decided(place, rule)).facts).toMatchObject({ patients: 5, origin: { rule } })
    expect(new Set((await groupsOf(place)).values()).size).toBe(5)
  })

  it('are named where tables contradict each other, and nothing is lost', async () => {
    const all = files((person, picture) => `${person}-${picture}.png`)
    const place = await made([
      ...all,
      { path: 'set/a.csv', bytes: Buffer.from('image,patient\n1-1,A\n1-2,A\n2-1,B\n3-1,C') },
      { path: 'set/b.csv', bytes: Buffer.from('image,patient\n1-1,B\n') },
    ])
    expect(place.dataset.facts).toMatchObject({ items: 25, patients: 2 })
    const { data } = await server.call('datasets/problems', { id: place.dataset.id }, place.session)
    expect(data.problems).toEqual([
      { path: 'round/1-1.png', reason: 'patient_clash', params: { one: 'A', other: 'B' } },
    ])
    const groups = await groupsOf(place)
    expect(groups.get('round/2-1.png')).toBe(groups.get('round/1-2.png'))
  })

  it('of a test that the data bring along are named, left aside on demand and taken back', async () => {
    const parted = files((person, picture) => `person${person}_${picture}.png`).map((file) => ({
      ...file,
      path: file.path.replace('set/', /_2|person[39]_/.test(file.path) ? 'set/test/' : 'set/train/'),
    }))
    const { session, dataset } = await made(parted)
    expect(dataset.facts).toMatchObject({
      given: { train: 11, validation: 0, test: 14 },
      origin: { crossing: 10, aside: 0 },
    })
    const left = await server.call('datasets/leaveAside', { id: dataset.id, aside: true }, session)
    expect(left.data.facts).toMatchObject({ given: { test: 4 }, origin: { crossing: 10, aside: 10 } })
    await server.call('datasets/recheck', { id: dataset.id }, session)
    expect((await looked(session, dataset.id)).facts).toMatchObject({
      given: { test: 4 },
      origin: { crossing: 10, aside: 10 },
    })
    const back = await server.call('datasets/leaveAside', { id: dataset.id, aside: false }, session)
    expect(back.data.facts).toMatchObject({ given: { test: 14 }, origin: { crossing: 10, aside: 0 } })
  })

  it('stay as they are once a model was trained with them', async () => {
    const { session, projectId, dataset } = await made(
      files((person, picture) => `p${person}x${picture}.png`),
    )
    const parts = dataset.parts.map(({ id }) => id)
    const run = await server.call(
      'runs/start',
      { projectId, parts, network: 'small_resnet', force: true },
      session,
    )
    expect(run.data.state).toBe('queued')
    const reading = { ...asFound, patients: { by: 'none' } as const }
    const { data } = await server.call('datasets/readAs', { id: dataset.id, reading }, session)
    expect(data.error).toBe('dataset_trained')
  })

  it('are told to a stranger as little as the data set, and rules must be whole', async () => {
    const { session, dataset } = await made(files((person, picture) => `${person}-${picture}.png`))
    const ask = { id: dataset.id, rule: { by: 'none' } as const }
    const stranger = await server.call('datasets/patients', ask, await server.signUp())
    expect(stranger.data.error).toBe('dataset_missing')
    const rule = { by: 'name', example: 'a.png', from: 3, to: 2 } as const
    const broken = await server.call('datasets/patients', { id: dataset.id, rule }, session)
    expect(broken.data.error).toBe('invalid')
    expect((await server.call('datasets/patients', ask)).data.error).toBe('not_signed_in')
  })
})

describe('what alone tells the class', () => {
  it('is kept with the facts: here the size of the pictures', async () => {
    const all = files((person, picture) => `${person}-${picture}.png`)
    const { dataset } = await made(
      all.map(({ path, bytes }, index) => {
        const kind = path.includes('/round/') ? 'round' : 'elongated'
        const larger = encodePng(drawCell(kind, index, 48))
        return { path, bytes: kind === 'round' ? larger : bytes }
      }),
    )
    expect(dataset.facts?.giveaway).toContainEqual({ by: 'size', accuracy: 1, chance: 13 / 25 })
  })
})
