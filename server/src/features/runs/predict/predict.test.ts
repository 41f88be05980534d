import type { Body } from '@neuroloom/contract/calls'
import { predictions as limits } from '@neuroloom/contract/limits'
import { describe, expect, it, vi } from 'vitest'
import { idAt } from '../../../../test/cloud.ts'
import { cell, predictionStage, text } from '../../../../test/prediction-stage.ts'
import { makeTrainingSet, startQuick } from '../../../../test/training.ts'
import { drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { sharedFolder } from './predict-sources.ts'

const at = predictionStage()
const { begin, csvOf, ended, predict, put, rest } = at

describe('a prediction', () => {
  it('names every picture of a folder, least sure first, and what it could not read', async () => {
    const folderId = await put([
      ...Array.from({ length: 6 }, (_, seed) => cell(`new/${seed}.png`, seed)),
      cell('new/deeper/six.png', 6),
      text('new/broken.png'),
      text('new/notes.txt'),
      text('new/.DS_Store'),
    ])
    const { data: run } = await predict({ id: at.trainedId, folderId })
    expect(run).toMatchObject({
      kind: 'predict',
      parentId: at.trainedId,
      datasetId: null,
      datasetName: 'new',
    })
    const done = await ended(run.id)
    expect(done).toMatchObject({ state: 'done', error: null, score: null, metrics: {}, perClass: [] })
    expect(done).toMatchObject({ confusion: null, counts: { files: 8, predicted: 7, bad: 1 } })
    expect(done.artifacts.map(({ kind }) => kind)).toEqual(['predictions_csv'])

    const { data: page } = await at.server.call('runs/items', { id: run.id }, at.owner)
    const scores = page.items.map(({ score }) => score ?? 0)
    expect(page.total).toBe(7)
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(page.items.every(({ truth }) => truth === null)).toBe(true)
    const wrong = await at.server.call('runs/items', { id: run.id, order: 'wrong' }, at.owner)
    expect(wrong.data.total).toBe(0)

    const { data: aside } = await at.server.call('runs/setAside', { id: run.id }, at.owner)
    expect(done.counts?.learned).toBe(0)
    expect(aside).toEqual({
      setAside: [
        { name: 'notes.txt', reason: 'other_kind' },
        { name: 'broken.png', reason: 'not_an_image' },
      ],
      next: null,
      total: 2,
    })
    const lines = (await csvOf(run.id)).trim().split('\r\n')
    expect(lines[0]).toBe('name,class,p clustered,p elongated,p round')
    expect(lines).toHaveLength(8)
    expect(lines.at(-1)).toMatch(/^deeper\/six\.png,/)
  })

  it('is no test: no evidence, no report, no model, and nothing can be tested with it', async () => {
    const { data } = await at.server.call('runs/list', { projectId: at.classes.projectId }, at.owner)
    const run = data.runs.find(({ kind }) => kind === 'predict')
    const id = run?.id ?? ''
    expect((await at.server.call('runs/evidence', { id }, at.owner)).data).toEqual({ evidence: null })
    const report = await at.server.call('reports/show', { id, language: 'en' }, at.owner)
    expect(report.data.error).toBe('report_not_ready')
    const test = await at.server.call('runs/test', { id, datasets: [at.classes.datasetId] }, at.owner)
    expect(test.data.error).toBe('train_first')
    const project = await at.server.call('projects/detail', { id: at.classes.projectId }, at.owner)
    expect(project.data.counts).toMatchObject({ models: 1, reports: 0 })
    expect(project.data.lastRun?.id).toBe(at.trainedId)
  })

  it('reads single files, and what somebody shared to look at', async () => {
    const friend = await at.server.signUp({ password: null, vipLevel: 4 })
    const folderId = await put([cell('given/a.png', 1), cell('given/b.png', 2)], friend)
    const a = await idAt(at.server, friend, 'a.png', folderId)
    const b = await idAt(at.server, friend, 'b.png', folderId)
    expect((await predict({ id: at.trainedId, fileIds: [a, b] })).data.error).toBe('missing')
    const share = { id: folderId, account: at.owner.account, permission: 'view' } as const
    const { data: given } = await at.server.call('files/share', share, friend)
    const { data: run } = await predict({ id: at.trainedId, fileIds: [b, a] })
    expect(run.datasetName).toBe('a.png + 1')
    expect(await ended(run.id)).toMatchObject({ state: 'done', counts: { predicted: 2 } })

    // Withdrawn between choosing and reading.
    await rest()
    const { data: late } = await predict({ id: at.trainedId, folderId })
    await at.server.call('files/unshare', { shareIds: [given.id] }, friend)
    begin()
    expect((await ended(late.id)).error).toEqual({ code: 'source_gone', params: { name: 'given' } })
  })

  it('calls pictures by their names, without the folder that all of them lie in', () => {
    expect(sharedFolder(['images/a.png', 'images/b/c.png'])).toBe('images/')
    expect(sharedFolder(['x/images/a.png', 'x/images/b.png'])).toBe('x/images/')
    expect(sharedFolder(['images/a.png', 'images2/b.png'])).toBe('')
    expect(sharedFolder(['a.png'])).toBe('')
    expect(sharedFolder(['only/a.png'])).toBe('only/')
  })

  it('goes on without a file that is deleted before it is read', async () => {
    const folderId = await put([cell('fewer/a.png', 3), cell('fewer/b.png', 4)])
    await rest()
    const { data: run } = await predict({ id: at.trainedId, folderId })
    await at.server.call('files/remove', { ids: [await idAt(at.server, at.owner, 'fewer/a.png')] }, at.owner)
    begin()
    expect(await ended(run.id)).toMatchObject({ state: 'done', counts: { predicted: 1, bad: 1 } })
    const { data: aside } = await at.server.call('runs/setAside', { id: run.id }, at.owner)
    expect(aside.setAside).toEqual([{ name: 'a.png', reason: 'missing' }])
  })

  it('says what is wrong with what was chosen', async () => {
    const errorOf = async (body: Body<'runs/predict'>) => (await predict(body)).data.error
    const folderId = await put([text('odd/scan.nii.gz'), text('odd/readme.md')])
    const fileId = await idAt(at.server, at.owner, 'readme.md', folderId)
    expect(await errorOf({ id: at.trainedId })).toBe('prediction_source_needed')
    expect(await errorOf({ id: at.trainedId, folderId, fileIds: [fileId] })).toBe('prediction_source_needed')
    expect(await errorOf({ id: at.trainedId, fileIds: [folderId] })).toBe('prediction_source_needed')
    expect(await errorOf({ id: at.trainedId, folderId })).toBe('prediction_no_pictures')
    expect(await errorOf({ id: at.trainedId, folderId: 'unknown' })).toBe('missing')
    const many = await put([cell('many/a.png'), cell('many/b.png'), text('many/c.txt')])
    vi.spyOn(limits, 'files', 'get').mockReturnValue(2 as typeof limits.files)
    expect((await predict({ id: at.trainedId, folderId: many })).data).toMatchObject({
      error: 'prediction_too_many',
      params: { count: 3, limit: 2 },
    })
    vi.restoreAllMocks()
    const broken = await put([text('broken/a.png', ''), text('broken/b.png')])
    const { data: run } = await predict({ id: at.trainedId, folderId: broken })
    const failed = await ended(run.id)
    expect(failed).toMatchObject({
      state: 'failed',
      error: { code: 'nothing_readable', params: { count: 2 } },
    })
    expect((await at.server.call('runs/setAside', { id: run.id }, at.owner)).data.total).toBe(2)
  })

  it('counts the images that the network learned from', async () => {
    const folderId = await idAt(at.server, at.owner, 'cells')
    const { data: training } = await at.server.call('runs/detail', { id: at.trainedId }, at.owner)
    const { data: run } = await predict({ id: at.trainedId, folderId })
    const done = await ended(run.id)
    expect(done.counts?.predicted).toBe(30)
    const { train = 0, validation = 0, test = 0 } = training.run.counts ?? {}
    expect([train + validation + test, test > 0]).toEqual([30, true])
    expect(done.counts?.learned).toBe(train + validation)
  })

  it('draws masks and outlines for segmentation', async () => {
    const set = await makeTrainingSet(at.server, at.owner, {
      task: 'segmentation',
      items: 16,
      size: 48,
      name: 'fields',
    })
    const { id } = await ended((await startQuick(at.server, at.owner, { set, hyper: { epochs: 1 } })).id)
    const files = Array.from({ length: 3 }, (_, seed) => ({
      path: `fresh/${seed}.png`,
      bytes: encodePng(drawField(4000 + seed, 40 + 8 * seed).image),
    }))
    const { data: run } = await predict({ id, folderId: await put(files) })
    const done = await ended(run.id)
    expect(done).toMatchObject({ state: 'done', counts: { predicted: 3 } })
    expect(done.artifacts.map(({ kind }) => kind).sort()).toEqual(['masks_zip', 'predictions_csv'])
    const { data: page } = await at.server.call('runs/items', { id: run.id }, at.owner)
    expect(page.items.map(({ name }) => name)).toEqual(['0.png', '1.png', '2.png'])
    const [item] = page.items
    expect(Object.keys(item?.values ?? {})).toEqual(done.classes.slice(1))
    expect((await fetch(`${at.server.url}${item?.overlay}`)).headers.get('content-type')).toBe('image/png')
    const wanted = { id: run.id, itemId: item?.id ?? '' }
    const { data: looked } = await at.server.call('runs/look', wanted, at.owner)
    expect(looked).toMatchObject({ over: ['prediction'], view: { state: 'ready' } })
    const { data: over } = await at.server.call('runs/lookOver', { ...wanted, over: 'prediction' }, at.owner)
    expect(over.overlay).toMatchObject({ state: 'ready', reason: null })
    const { data: none } = await at.server.call('runs/lookOver', { ...wanted, over: 'truth' }, at.owner)
    expect(none.error).toBe('missing')
  })
})
