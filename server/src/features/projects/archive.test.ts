import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeTrainingSet, startQuick } from '../../../test/training.ts'
import { unzip } from '../../../test/unzip.ts'

let server: TestServer
let owner: Session
beforeAll(async () => {
  server = await makeServer()
  owner = await server.signUp({ password: null, vipLevel: 4, nickName: 'Owner' })
})
afterAll(() => server.close())

type Archive = Map<string, { bytes: Buffer }>

const download = async (id: string, who: Session, data = true): Promise<Archive> => {
  const { data: link } = await server.call('projects/archive', { id, data }, who)
  const response = await fetch(server.url + link.url)
  expect(response.status).toBe(200)
  return unzip(Buffer.from(await response.arrayBuffer()))
}
const text = (archive: Archive, path: string): string => archive.get(path)?.bytes.toString() ?? ''
const json = (archive: Archive, path: string) => JSON.parse(text(archive, path))
const sha256 = (bytes: Uint8Array = Buffer.alloc(0)) => createHash('sha256').update(bytes).digest('hex')
/** No cell of these tables holds a comma. */
const table = (archive: Archive, path: string): Record<string, string>[] => {
  const [head = '', ...lines] = text(archive, path).replace('\uFEFF', '').trimEnd().split('\r\n')
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
  })
}

/** Ends a waiting training as a worker would, with results and one artifact. */
async function finish(runId: string): Promise<string> {
  const { pool } = server.ctx
  const { rows } = await pool.query<{ sha256: string; size: number }>(
    'select sha256, size_bytes::int as size from blobs order by sha256 limit 1',
  )
  const [blob] = rows
  await pool.query(
    `update runs set state = 'done', ended_at = now(), score = 0.75, metrics = '{"accuracy": 0.75}' where id = $1`,
    [runId],
  )
  await pool.query(`insert into run_artifacts values ($1, 'weights', $2, $3)`, [
    runId,
    blob?.sha256,
    blob?.size,
  ])
  await pool.query(
    `insert into run_curves values ($1, 0, 1, 'train', '{"loss": 0.5}'), ($1, 0, 1, 'validation', '{"loss": -0.25}')`,
    [runId],
  )
  return blob?.sha256 ?? ''
}

describe('the archive of a project', () => {
  it('holds facts, data and trainings, readable by themselves', async () => {
    const set = await makeTrainingSet(server, owner, { name: 'cells' })
    const run = await startQuick(server, owner, { set })
    const weights = await finish(run.id)
    const archive = await download(set.projectId, owner)
    expect(text(archive, 'README.txt')).toContain('project.json')
    const project = json(archive, 'project.json')
    expect(project).toMatchObject({
      name: 'Project of cells',
      task: 'classification',
      displays: ['per_class_table', 'confusion_matrix', 'labelled_pictures'],
      dataSets: [{ id: set.datasetId, name: 'cells', use: 'train', folder: 'data/cells', state: 'ready' }],
      runs: [{ id: run.id, number: 1, kind: 'train', folder: 'runs/001-train' }],
    })
    const items = table(archive, 'data/cells/items.csv')
    expect(items).toHaveLength(24)
    for (const item of items) {
      const image = archive.get(`data/cells/${item.image}`)
      expect(sha256(image?.bytes)).toBe(item.image_sha256)
      expect(project.dataSets[0].classes).toContain(item.class)
    }
    const settings = json(archive, 'runs/001-train/settings.json')
    expect(settings).toMatchObject({
      network: 'small_resnet',
      hyper: run.hyper,
      datasetId: set.datasetId,
      files: [{ name: 'weights.safetensors', sha256: weights }],
    })
    expect(settings.hashes.plan).toMatch(/^[0-9a-f]{64}$/)
    expect(json(archive, 'runs/001-train/metrics.json')).toMatchObject({ score: 0.75, folds: [] })
    expect(table(archive, 'runs/001-train/curves.csv')).toEqual([
      { fold: '0', epoch: '1', split: 'train', loss: '0.5' },
      { fold: '0', epoch: '1', split: 'validation', loss: '-0.25' },
    ])
    expect(text(archive, 'runs/001-train/network.yaml')).toContain('dripe: 1')
    expect(json(archive, 'runs/001-train/plan.json').nodes.length).toBeGreaterThan(5)
    expect(sha256(archive.get('runs/001-train/weights.safetensors')?.bytes)).toBe(weights)
  })

  it('has masks beside their images, called alike', async () => {
    const set = await makeTrainingSet(server, owner, { task: 'segmentation', items: 10, name: 'fields' })
    const archive = await download(set.projectId, owner)
    const items = table(archive, 'data/fields/items.csv')
    expect(items).toHaveLength(10)
    for (const { image, label, label_sha256: digest } of items) {
      expect(image).toMatch(/^images\/\d\.png$/)
      expect(label).toBe(image?.replace('images/', 'labels/'))
      expect(sha256(archive.get(`data/fields/${label}`)?.bytes)).toBe(digest)
    }
  })

  it('leaves out images when asked, says so in the member’s language, and is for whoever may look', async () => {
    const set = await makeTrainingSet(server, owner, { name: 'light' })
    const friend = await server.signUp({ password: null })
    const share = { id: set.projectId, account: friend.account, permission: 'view' } as const
    const { data: given } = await server.call('projects/share', share, owner)
    const response = await fetch(`${server.url}/AI/api/projects/archive`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'ru', ...headersOf(friend) },
      body: JSON.stringify({ id: set.projectId, data: false }),
    })
    // The server's own answer.
    const { data } = (await response.json()) as { data: { url: string; name: string } }
    expect(data.name).toBe('Project of light.zip')
    const archive = await unzip(Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer()))
    expect([...archive.keys()].sort()).toEqual(['README.txt', 'data/light/items.csv', 'project.json'])
    expect(text(archive, 'README.txt')).toContain('весь проект')
    await server.call('projects/unshare', { shareId: given.id }, owner)
    const late = await fetch(server.url + data.url)
    expect(((await late.json()) as { data: { error: string } }).data.error).toBe('project_missing')
  })

  it('keeps images whose headers name their patient for their owner', async () => {
    const set = await makeTrainingSet(server, owner, { task: 'segmentation', items: 10, name: 'named' })
    const friend = await server.signUp({ password: null })
    await server.call(
      'projects/share',
      { id: set.projectId, account: friend.account, permission: 'view' },
      owner,
    )
    // As the look into uploaded volumes notes it.
    const { rows } = await server.ctx.pool.query<{ image: string }>(
      `insert into dicom_places (sha256, is_image, names_patient)
       select image_sha256, true, true from dataset_items where dataset_id = $1 and position <= 3
       returning sha256 as image`,
      [set.datasetId],
    )
    const imagesFor = async (who: Session): Promise<number> =>
      [...(await download(set.projectId, who)).keys()].filter((path) => path.includes('/images/')).length
    expect(rows).toHaveLength(3)
    expect(await imagesFor(owner)).toBe(10)
    expect(await imagesFor(friend)).toBe(7)
    expect(table(await download(set.projectId, friend), 'data/named/items.csv')).toHaveLength(10)
  })
})
