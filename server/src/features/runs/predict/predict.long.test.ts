/** Predictions that are made again, and one whose worker and engine are killed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { idAt } from '../../../../test/cloud.ts'
import { cell, predictionStage, text } from '../../../../test/prediction-stage.ts'
import { endAtOnce, gone, spawnWorker } from '../../../../test/training.ts'
import { upload } from '../../../../test/uploads.ts'
import { drawField } from '../../../demo/pictures.ts'
import { encodePng } from '../../../demo/png.ts'
import { folderOf } from '../queue/folder.ts'
import { allRuns } from '../tables.ts'

const at = predictionStage()
const { begin, csvOf, ended, predict, put, rest } = at

describe('a prediction', () => {
  it('is made again of the same files, by whoever may still look at them', async () => {
    const folderId = await put([cell('again/a.png', 5), cell('again/b.png', 6), text('again/notes.txt')])
    const { data: run } = await predict({ id: at.trainedId, folderId })
    expect((await at.server.call('runs/rerun', { id: run.id }, at.owner)).data.error).toBe('run_not_ended')
    const first = await ended(run.id)
    await at.server.call('files/remove', { ids: [await idAt(at.server, at.owner, 'again/a.png')] }, at.owner)
    await upload(at.server, at.owner, { files: [cell('c.png', 7)], parentId: folderId })

    await rest()
    const { data: again } = await at.server.call('runs/rerun', { id: run.id }, at.owner)
    expect(again).toMatchObject({
      kind: 'predict',
      parentId: at.trainedId,
      datasetName: 'again',
      artifacts: [],
    })
    expect(again.number).toBeGreaterThan(first.number)
    // One like it has ended here: how long it takes is known.
    expect(again.takes).toMatchObject({ isSure: true })
    begin()
    expect(await ended(again.id)).toMatchObject({ state: 'done', counts: { predicted: 1, bad: 1 } })
    const { data: page } = await at.server.call('runs/items', { id: again.id }, at.owner)
    expect(page.items.map(({ name }) => name)).toEqual(['b.png'])
    const { data: aside } = await at.server.call('runs/setAside', { id: again.id }, at.owner)
    expect(aside.setAside).toEqual([
      { name: 'notes.txt', reason: 'other_kind' },
      { name: 'a.png', reason: 'missing' },
    ])

    const stranger = await at.server.signUp({ vipLevel: 4 })
    expect((await at.server.call('runs/rerun', { id: run.id }, stranger)).data.error).toBe('run_missing')
    await at.server.call('files/remove', { ids: [folderId] }, at.owner)
    expect((await at.server.call('runs/rerun', { id: run.id }, at.owner)).data.error).toBe('prediction_gone')
    await at.server.ctx.db.update(allRuns).set({ parentId: null }).where(eq(allRuns.id, run.id))
    expect((await at.server.call('runs/rerun', { id: run.id }, at.owner)).data.error).toBe('weights_gone')
  })

  it('goes on where it was when its worker and engine are killed', async () => {
    await rest()
    const bytes = encodePng(drawField(5, 240).image)
    // Many batches: the first is written down long before the last, on a busy machine too.
    const names = Array.from({ length: 400 }, (_, index) => `large/${index}.png`)
    const folderId = await put(names.map((path) => ({ path, bytes })))
    const { data: run } = await predict({ id: at.trainedId, folderId })
    const folder = folderOf(at.server.ctx, run.id)
    const first = await spawnWorker(at.server)
    await vi.waitFor(
      async () => expect((await readFile(join(folder, 'out/journal.jsonl'))).length).toBeGreaterThan(0),
      { timeout: 120_000, interval: 10 },
    )
    const engine = Number(await readFile(join(folder, 'engine.pid'), 'utf8'))
    first.kill('SIGKILL')
    endAtOnce(-engine)
    await gone(first)
    const done = (await readFile(join(folder, 'out/journal.jsonl'), 'utf8')).split('\n').length
    const second = await spawnWorker(at.server)
    const whole = await ended(run.id)
    second.kill('SIGTERM')
    await gone(second)
    expect(done).toBeLessThan(400)
    expect(whole).toMatchObject({ state: 'done', resumed: 1, counts: { predicted: 400, bad: 0 } })
    expect((await csvOf(run.id)).trim().split('\r\n')).toHaveLength(401)
  })
})
