import { recipes as limits } from '@neuroloom/contract/limits'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { Preparation, Work } from '@neuroloom/contract/recipes/recipes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { drawField } from '../../demo/pictures.ts'
import { encodePng } from '../../demo/png.ts'
import type { WorkerContext } from '../../infra/context.ts'
import { eraseOf } from './erase.ts'
import { claim, recover } from './lease.ts'
import { recipeOf } from './service.ts'
import { work } from './work.ts'

let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

const field = (seed: number, side = 64) => {
  const { image, mask } = drawField(seed, side)
  return { image: encodePng(image), mask: encodePng(mask) }
}
const half: Recipe = { v: 1, steps: [{ do: 'size', how: 'stretch', width: 32, height: 32 }] }
const crop: Recipe = { v: 1, steps: [{ do: 'crop', how: 'centre', width: 60, height: 60 }] }

/** A folder at the top with these files, and its id. */
async function folder(me: Session, name: string, files: Record<string, Buffer>): Promise<string> {
  const list = Object.entries(files).map(([path, bytes]) => ({ path: `${name}/${path}`, bytes }))
  await upload(server, me, { parentId: null, files: list })
  return (await entries(me, null)).get(name) ?? ''
}

/** Ids by name of what lies in a folder. */
async function entries(me: Session, folderId: string | null): Promise<Map<string, string>> {
  const { data } = await server.call('files/list', { folderId }, me)
  return new Map(data.entries.map(({ name, id }) => [name, id]))
}

async function bytesOf(me: Session, id: string): Promise<Buffer> {
  const { data } = await server.call('files/open', { id, download: true }, me)
  return Buffer.from(await (await fetch(server.url + data.url)).arrayBuffer())
}

/** Width and height as a PNG's head tells. */
const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)]

async function start(me: Session, asked: Work, name = 'result'): Promise<Preparation> {
  const { data, code, message } = await server.call('recipes/start', { work: asked, name }, me)
  if (code !== 10200) throw new Error(message)
  expect(data.state).toBe('waiting')
  return data
}

async function run(me: Session, asked: Work, name = 'result'): Promise<Preparation> {
  const { id } = await start(me, asked, name)
  await work(worker, id)
  return find(me, id)
}

async function find(me: Session, id: string): Promise<Preparation> {
  const { data } = await server.call('recipes/works', { ids: [id] }, me)
  const [found] = data.works
  if (!found) throw new Error('The work is not listed')
  return found
}

const byRecipe = (folderId: string, recipe: Recipe, maskIds: string[] = []): Work => ({
  ...{ kind: 'recipe', folderId, below: true, maskIds, dicom: 'pictures', recipe },
})

async function space(me: Session): Promise<{ used: number; reserved: number }> {
  const { rows } = await server.ctx.pool.query(
    'select used_bytes::float as used, reserved_bytes::float as reserved from user_storage where user_id = $1',
    [me.userId],
  )
  return rows[0]
}

describe('a folder with masks and boxes', () => {
  it('is prepared into a new one, with its folders, names in any alphabet and boxes that follow', async () => {
    const me = await server.signUp()
    const one = field(1)
    const id = await folder(me, 'study', {
      'images/снимок "1".png': one.image,
      'images/图 2.png': field(2).image,
      'masks/снимок "1".png': one.mask,
      'labels/图 2.txt': Buffer.from('0 0.5 0.5 0.25 0.25\n'),
      'notes.docx': Buffer.from('stays where it is'),
    })
    const masks = (await entries(me, id)).get('masks') ?? ''
    await server.call('recipes/keep', { name: 'Middle', recipe: crop }, me)
    const done = await run(me, byRecipe(id, crop, [masks]), 'study, ready')
    expect(done).toMatchObject({ state: 'done', through: 4, total: 4, failed: 0, made: 4, failure: null })
    expect(done.resultName).toBe('study, ready')
    const inside = await entries(me, done.resultId ?? '')
    expect([...inside.keys()]).toEqual(['images', 'labels', 'masks'])
    const images = await entries(me, inside.get('images') ?? '')
    expect([...images.keys()].sort()).toEqual(['снимок "1".png', '图 2.png'].sort())
    expect(sizeOf(await bytesOf(me, images.get('图 2.png') ?? ''))).toEqual([60, 60])
    const labels = await entries(me, inside.get('labels') ?? '')
    const text = (await bytesOf(me, labels.get('图 2.txt') ?? '')).toString()
    expect(text).toBe('0 0.500000 0.500000 0.266667 0.266667\n')
    // Data sets of it, or of a folder in it, know how it was made, and what the recipe is called.
    const known = { ...crop, name: 'Middle', version: '590ac4f4' }
    for (const of of [done.resultId ?? '', inside.get('images') ?? ''])
      expect(await recipeOf(server.ctx.db, of)).toEqual(known)
    expect(await recipeOf(server.ctx.db, id)).toBeNull()
    // What there was is as it was.
    expect([...(await entries(me, id)).keys()]).toEqual(['images', 'labels', 'masks', 'notes.docx'])
    const { data } = await server.call('files/records', { actions: ['prepare'] }, me)
    expect(data.records[0]).toMatchObject({ name: 'study, ready', detail: { from: 'study', count: 4 } })
  })

  it('counts exactly what it adds', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { '1.png': field(1).image, '2.png': field(2).image })
    await run(me, byRecipe(id, half))
    const { rows } = await server.ctx.pool.query(
      `select sum(size_bytes)::float as bytes from files where owner_id = $1 and kind = 'file'`,
      [me.userId],
    )
    expect(await space(me)).toEqual({ used: rows[0].bytes, reserved: 0 })
  })

  it('tells before it begins what would fail, and shows a few before and after', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', {
      'images/1.png': field(1).image,
      'images/2.png': field(2, 48).image,
      'images/3.dcm': Buffer.from('x'),
      'images/4.png': field(4).image,
      'masks/1.png': field(1).mask,
    })
    await server.ctx.pool.query(
      `update blobs set checked_at = now(), facts = '{"format":"png","width":48,"height":48,"depth":null,"spacing":null,
        "orientation":null,"channels":3,"bits":8,"mean":0,"std":0,"values":null}'
        where sha256 = (select sha256 from files where name = '2.png' and owner_id = $1)`,
      [me.userId],
    )
    const masks = (await entries(me, id)).get('masks') ?? ''
    const { data, code } = await server.call(
      'recipes/try',
      { folderId: id, maskIds: [masks], recipe: crop },
      me,
    )
    expect(code).toBe(10200)
    expect(data.counts).toEqual({ images: 4, masks: 1, labels: 0, others: 0, dicom: 1 })
    expect(data).toMatchObject({ unknown: 3, withoutMask: 3, usual: { width: 48, height: 48 } })
    expect(data.failing.map(({ reason, count, names }) => [reason.name, count, names])).toEqual([
      ['crop_outside', 1, ['images/2.png']],
      ['dicom_unreadable', 1, ['images/3.dcm']],
    ])
    const shown = Object.fromEntries(data.samples.map((one) => [one.name, one]))
    expect(shown['images/1.png']).toMatchObject({
      before: { width: 64 },
      after: [{ width: 60 }],
      reason: null,
    })
    expect(shown['images/2.png']?.reason?.name).toBe('crop_outside')
    expect(shown['masks/1.png']?.isMask).toBe(true)
    expect(data.folders.map(({ path, images }) => [path, images])).toEqual([
      ['images', 4],
      ['masks', 1],
    ])
  })
})

it('what fails among the images shown is counted beforehand, though their heads do not tell', async () => {
  const me = await server.signUp()
  const raw = { width: 8, height: 16, channels: 3 as const, pageHeight: 8 }
  const moving = await sharp(Buffer.alloc(384).fill(255, 192), { raw }).gif().toBuffer()
  const id = await folder(me, 'a', { '1.png': field(1).image, 'moving.gif': moving })
  const { data } = await server.call('recipes/try', { folderId: id, recipe: half }, me)
  expect(data.failing).toMatchObject([
    { reason: { name: 'several_pictures', params: { count: 2 } }, count: 1, names: ['moving.gif'] },
  ])
})

describe('what goes wrong', () => {
  it('is told for each file, leaves the others done, and can be tried again', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', {
      '1.png': field(1).image,
      '1.bmp': field(1).image,
      'broken.png': Buffer.from('nothing'),
      'scan.dcm': Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), Buffer.alloc(400)]),
    })
    const done = await run(me, byRecipe(id, half))
    expect(done).toMatchObject({ state: 'failed', through: 4, failed: 3, made: 1 })
    // The file named .bmp holds a PNG, so both would be called the same.
    expect(done.failures.map(({ name, reason }) => [name, reason?.name]).sort()).toEqual([
      ['1.png', 'name_taken'],
      ['broken.png', 'not_an_image'],
      ['scan.dcm', 'dicom_unreadable'],
    ])
    expect((await server.call('recipes/retry', { id: done.id }, me)).data.state).toBe('waiting')
    await work(worker, done.id)
    expect(await find(me, done.id)).toMatchObject({ state: 'failed', failed: 3, resultId: done.resultId })
    expect([...(await entries(me, done.resultId)).keys()]).toEqual(['1.png'])
    expect((await server.call('recipes/cancel', { id: done.id }, me)).data.error).toBe('recipe_state')
  })

  it('is a mask of another size than its image', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { 'i/1.png': field(1).image, 'm/1.png': field(1, 32).mask })
    const masks = (await entries(me, id)).get('m') ?? ''
    const done = await run(me, byRecipe(id, half, [masks]))
    expect(done.failures).toMatchObject([
      { name: 'm/1.png', reason: { name: 'mask_size', params: { width: 32 } } },
    ])
  })

  it('is refused before it begins: nothing to prepare, foreign folders, too many waiting', async () => {
    const [me, other] = [await server.signUp(), await server.signUp()]
    const id = await folder(me, 'a', { '1.png': field(1).image })
    const empty = await folder(me, 'b', { 'a.docx': Buffer.from('x') })
    const ask = async (who: Session, folderId: string) =>
      (await server.call('recipes/start', { work: byRecipe(folderId, half), name: 'x' }, who)).data.error
    expect(await ask(me, empty)).toBe('recipe_nothing')
    expect(await ask(other, id)).toBe('missing')
    expect((await server.call('recipes/try', { folderId: id, recipe: half }, other)).data.error).toBe(
      'missing',
    )
    for (let count = 0; count < limits.waiting; count += 1) expect(await ask(me, id)).toBeUndefined()
    expect(await ask(me, id)).toBe('recipe_waiting')
    expect((await server.call('recipes/works', {}, other)).data.works).toEqual([])
    const tilesFirst = {
      v: 1,
      steps: [{ do: 'tiles', width: 9, height: 9, overlap: 0 }, { do: 'grey' }],
    } as const
    const refused = await server.call(
      'recipes/try',
      { folderId: id, recipe: { ...tilesFirst, steps: [...tilesFirst.steps] } },
      me,
    )
    expect(refused.code).not.toBe(10200)
  })

  it('when space runs out, leaves nothing behind and no space reserved', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { '1.png': field(1).image })
    const before = await space(me)
    const fill = (used: number) =>
      server.ctx.pool.query('update user_storage set used_bytes = $2 where user_id = $1', [me.userId, used])
    await fill(1024 ** 3 - 10)
    const failed = await run(me, byRecipe(id, half))
    expect(failed).toMatchObject({ state: 'failed', failure: 'storage_full', resultId: null })
    expect((await space(me)).reserved).toBe(0)
    await fill(before.used)
    await server.call('recipes/retry', { id: failed.id }, me)
    await work(worker, failed.id)
    expect((await find(me, failed.id)).state).toBe('done')
  })

  it('when it is given up, the rest stays undone and its space comes back', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { '1.png': field(1).image })
    const { id: workId } = await start(me, byRecipe(id, half))
    expect((await server.call('recipes/cancel', { id: workId }, me)).data.state).toBe('cancelled')
    await work(worker, workId)
    expect(await find(me, workId)).toMatchObject({ state: 'cancelled', resultId: null })
    expect((await space(me)).reserved).toBe(0)
  })

  it('when the worker dies, another one goes on after the lease, with nothing twice', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { '1.png': field(1).image })
    const { id: workId } = await start(me, byRecipe(id, half))
    // It took the work and was never heard of again.
    await claim(server.ctx, workId)
    await work(worker, workId)
    expect((await find(me, workId)).state).toBe('running')
    server.forward(2 * limits.leaseMs)
    await server.ctx.pool.query(`delete from pgboss.job where name = 'recipes.work'`)
    await recover(server.ctx)
    const { rows } = await server.ctx.pool.query(`select 1 from pgboss.job where singleton_key = $1`, [
      workId,
    ])
    expect(rows).toHaveLength(1)
    await work(worker, workId)
    expect(await find(me, workId)).toMatchObject({ state: 'done', made: 1 })
  })

  it('when the folder is deleted meanwhile, the whole is told as gone', async () => {
    const me = await server.signUp()
    const id = await folder(me, 'a', { '1.png': field(1).image })
    const { id: workId } = await start(me, byRecipe(id, half))
    await server.call('files/remove', { ids: [id] }, me)
    await work(worker, workId)
    expect(await find(me, workId)).toMatchObject({ state: 'failed', failure: 'missing' })
  })

  it('of a folder that may only be looked at, the result goes to the own top', async () => {
    const [me, other] = [await server.signUp({ vipLevel: 2 }), await server.signUp()]
    const id = await folder(me, 'a', { '1.png': field(1).image })
    await server.call('files/share', { id, account: other.account, permission: 'view' }, me)
    const done = await run(other, byRecipe(id, half), 'mine')
    expect(done.state).toBe('done')
    expect([...(await entries(other, null)).keys()]).toEqual(['mine'])
    expect([...(await entries(me, null)).keys()]).toEqual(['a'])
  })
})

describe('other works', () => {
  it('merge pictures and tables, take stacks apart, and put tiles together again', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    const id = await folder(me, 'a', {
      '1.png': field(1).image,
      '2.png': field(2).image,
      'x.csv': Buffer.from('a,b\n1,2\n'),
      'y.csv': Buffer.from('b,a\n4,3\n'),
    })
    const inside = await entries(me, id)
    const ids = (...names: string[]) => names.map((name) => inside.get(name) ?? '')
    const stack = await run(
      me,
      { kind: 'merge', ids: ids('1.png', '2.png'), as: 'stack_tiff', sameName: 'rename' },
      'stack',
    )
    expect(stack).toMatchObject({
      state: 'done',
      resultKind: 'file',
      resultName: 'stack.tif',
      resultFolderId: id,
    })
    const table = await run(
      me,
      { kind: 'merge', ids: ids('x.csv', 'y.csv'), as: 'table', sameName: 'rename' },
      'both.csv',
    )
    expect((await bytesOf(me, table.resultId ?? '')).toString()).toBe('a,b\n1,2\n3,4\n')
    const one = await server.call(
      'recipes/start',
      { work: { kind: 'merge', ids: ids('x.csv'), as: 'table' }, name: 'x' },
      me,
    )
    expect(one.data.error).toBe('recipe_merge')
    const split = await run(me, { kind: 'split', folderId: id, below: true }, 'pages')
    // Single pictures have nothing to take apart, and say so.
    expect(split).toMatchObject({ state: 'failed', made: 2, failed: 2 })
    expect([...(await entries(me, split.resultId)).keys()]).toEqual(['stack_001.png', 'stack_002.png'])
    const tiles: Recipe = { v: 1, steps: [{ do: 'tiles', width: 40, height: 40, overlap: 8 }] }
    const cut = await run(me, byRecipe(split.resultId ?? '', tiles), 'tiles')
    expect(cut).toMatchObject({ state: 'done', made: 8 })
    const whole = await run(me, { kind: 'stitch', folderId: cut.resultId ?? '', below: true }, 'whole')
    const [first] = [...(await entries(me, whole.resultId))]
    expect(first?.[0]).toBe('stack_001.png')
    expect(sizeOf(await bytesOf(me, first?.[1] ?? ''))).toEqual([64, 64])
  })

  it('cut masks as their images are, where a crop goes to the content', async () => {
    const me = await server.signUp()
    const plane = (value: number) => Buffer.alloc(64 * 64, value)
    const png = (left: number) => {
      const pixels = plane(9)
      for (let y = 20; y < 30; y += 1) pixels.fill(200, y * 64 + left, y * 64 + left + 12)
      return sharp(pixels, { raw: { width: 64, height: 64, channels: 1 } })
        .toColourspace('b-w')
        .png()
        .toBuffer()
    }
    const id = await folder(me, 'a', {
      'i/1.png': await png(10),
      'm/1.png': await png(15),
      'm/2.png': await png(3),
    })
    const masks = (await entries(me, id)).get('m') ?? ''
    const step = { do: 'crop', how: 'content', above: 5, margin: 1 } as const
    const asked = { folderId: id, maskIds: [masks], recipe: { v: 1 as const, steps: [step] } }
    const { data: tried } = await server.call('recipes/try', asked, me)
    expect(
      Object.fromEntries(
        tried.samples.map(({ name, after, reason }) => [name, after[0]?.width ?? reason?.name]),
      ),
    ).toEqual({ 'i/1.png': 14, 'm/1.png': 14, 'm/2.png': 'crop_alone' })
    const done = await run(me, byRecipe(id, asked.recipe, [masks]))
    expect(done.failures.map(({ name, reason }) => [name, reason?.name])).toEqual([['m/2.png', 'crop_alone']])
    const made = await entries(me, (await entries(me, done.resultId)).get('m') ?? '')
    expect(sizeOf(await bytesOf(me, made.get('1.png') ?? ''))).toEqual([14, 12])
  })

  it('put folders of equal names together as they were asked to, pairs staying pairs', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    const one = await folder(me, 'one', {
      'i/1.png': field(1).image,
      'i/É.png': field(2).image,
      'm/1.png': field(1).mask,
    })
    const two = await folder(me, 'two', {
      // The same name to computers of many people; masks are called as their images.
      'I/1.PNG': field(3).image,
      'm/1.PNG': field(3).mask,
      'i/e\u0301.png': field(4).image,
      'i/2.png': field(5).image,
    })
    const ids = [one, two]
    const { data: asked } = await server.call('recipes/clashes', { ids }, me)
    expect(asked).toEqual({ count: 3, names: ['I/1.PNG', 'm/1.PNG', 'i/é.png'], total: 7 })
    expect((await server.call('recipes/clashes', { ids: [one] }, me)).data.error).toBe('recipe_merge')
    const other = await server.signUp()
    expect((await server.call('recipes/clashes', { ids }, other)).data.error).toBe('missing')
    const paths = async (sameName: 'rename' | 'skip' | 'newest') => {
      const { resultId } = await run(me, { kind: 'merge', ids, as: 'folder', sameName }, sameName)
      const found: string[] = []
      for (const [name, id] of await entries(me, resultId))
        found.push(...[...(await entries(me, id)).keys()].map((file) => `${name}/${file}`))
      return found.sort()
    }
    const own = ['i/1.png', 'i/2.png', 'i/É.png', 'm/1.png']
    expect(await paths('rename')).toEqual([...own, 'i/1 (2).PNG', 'i/é (2).png', 'm/1 (2).PNG'].sort())
    expect(await paths('skip')).toEqual(own)
    await server.ctx.pool.query(
      `update files set modified_at = now() + interval '1 day' where name = '1.PNG'`,
    )
    expect(await paths('newest')).toEqual(['i/1.PNG', 'i/2.png', 'i/é.png', 'm/1.PNG'].sort())
  })

  it('give new names to pairs alike, and put folders together', async () => {
    const me = await server.signUp({ vipLevel: 4 })
    const id = await folder(me, 'a', {
      'i/p10.png': field(1).image,
      'i/p9.png': field(2).image,
      'm/p9.png': field(2).mask,
      'labels.csv': Buffer.from('x,y\n'),
    })
    const asked = { folderId: id, below: true, pattern: 'case_{number}', first: 1, digits: 3 }
    const { data: before } = await server.call('recipes/renamed', asked, me)
    expect(before).toMatchObject({ count: 4, failed: 0 })
    expect(before.names).toContainEqual({ from: 'i/p10.png', to: 'i/case_003.png', reason: null })
    const { data: same } = await server.call('recipes/renamed', { ...asked, pattern: 'same' }, me)
    expect(same).toMatchObject({ count: 4, failed: 1 })
    expect(same.names[0]).toMatchObject({ to: null, reason: { name: 'name_taken' } })
    const done = await run(me, { kind: 'rename', ...asked }, 'b')
    const [images, masks] = ['i', 'm'].map(async (name) =>
      entries(me, (await entries(me, done.resultId)).get(name) ?? ''),
    )
    expect([...((await images) ?? []).keys()]).toEqual(['case_002.png', 'case_003.png'])
    expect([...((await masks) ?? []).keys()]).toEqual(['case_002.png'])
    const both = await run(
      me,
      { kind: 'merge', ids: [id, done.resultId ?? ''], as: 'folder', sameName: 'rename' },
      'c',
    )
    expect(both).toMatchObject({ state: 'done', made: 8 })
    const clash = await run(
      me,
      { kind: 'rename', folderId: id, below: true, pattern: 'same', first: 1, digits: 3 },
      'd',
    )
    expect(clash.failures.map(({ reason }) => reason?.name)).toEqual(['name_taken'])
  })
})

describe('a kept recipe', () => {
  it('is an own one until it is shared, may be used and left, and goes with its account', async () => {
    const [me, friend] = [await server.signUp({ vipLevel: 2 }), await server.signUp()]
    const recipe = { name: 'Half', description: '', recipe: half }
    const { data: kept } = await server.call('recipes/keep', recipe, me)
    expect((await server.call('recipes/keep', recipe, me)).data.error).toBe('name_taken')
    const changed = await server.call('recipes/keep', { ...recipe, id: kept.id, name: 'Smaller' }, me)
    expect(changed.data).toMatchObject({ id: kept.id, name: 'Smaller' })
    const share = (account: string) => server.call('recipes/share', { id: kept.id, account }, me)
    expect((await share(me.account)).data.error).toBe('share_self')
    expect((await share('nobody@example.test')).data.error).toBe('account_missing')
    expect((await share(friend.account)).data.shares).toHaveLength(1)
    expect((await share(friend.account)).data.error).toBe('share_twice')
    const listed = async (who: Session) => (await server.call('recipes/list', {}, who)).data.recipes
    expect(await listed(friend)).toMatchObject([{ name: 'Smaller', from: 'Test member', shares: [] }])
    // Whoever has it may not change it, but let go of it.
    expect((await server.call('recipes/keep', { ...recipe, id: kept.id }, friend)).data.error).toBe(
      'recipe_missing',
    )
    expect((await server.call('recipes/remove', { id: kept.id }, friend)).code).toBe(10200)
    expect(await listed(friend)).toEqual([])
    await share(friend.account)
    const gone = await server.call('recipes/unshare', { id: kept.id, memberId: friend.userId }, me)
    expect(gone.data.shares).toEqual([])
    expect((await server.call('recipes/remove', { id: kept.id }, friend)).data.error).toBe('recipe_missing')
    await eraseOf(server.ctx, me.userId)
    expect(await listed(me)).toEqual([])
  })
})
