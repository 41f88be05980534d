import { flowStudySchema } from '@neuroloom/contract/flow/study'
import { flowLimits as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreed, type FlowTest, frames, makeFlowTest, niftis, scanned, size } from '../../../test/flow.ts'
import { makeServer } from '../../../test/harness.ts'
import { sha256 } from '../../../test/uploads.ts'
import { zipOf } from '../../../test/zip.ts'

let at: FlowTest
beforeAll(async () => {
  at = await makeFlowTest()
})
afterAll(() => at.close())

const voxels = size[0] * size[1] * size[2] * frames

describe('a study of files', () => {
  it.each(['siemens', 'enhanced_philips', 'par_rec'] as const)(
    '(%s) is looked at, settled and made',
    async (convention) => {
      const me = await at.server.signUp({ vipLevel: 2 })
      const folder = await at.put(me, scanned(convention))
      const before = await at.used(me)
      const found = await at.open(me, folder)
      expect(found).toMatchObject({
        state: 'asked',
        failure: null,
        name: 'Aorta',
        fromId: folder,
        head: null,
        values: null,
      })
      expect(found.look?.series.filter(({ role }) => role === 'velocity')).toHaveLength(3)
      expect(await at.used(me)).toEqual(before)

      const made = await at.make(me, found)
      expect(made).toMatchObject({ state: 'ready', failure: null, size, frames, source: found.look?.source })
      expect(flowStudySchema.parse(made.head)).toMatchObject({ size, frames, isPlaced: true })
      expect(made.sizeBytes).toBeGreaterThan(8 * voxels)
      expect(await at.used(me)).toEqual({ used: before.used + made.sizeBytes, reserved: 0 })

      const { data: list } = await at.server.call('flow/studies', {}, me)
      expect(list).toMatchObject({ studies: [{ id: made.id, state: 'ready' }], missing: [], next: null })
      await at.server.call('flow/remove', { id: made.id }, me)
      expect(await at.used(me)).toEqual(before)
    },
  )

  it('of NIfTI is read by the engine, whatever lies beside it', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const beside = {
      'notes.pdf': Buffer.from('%PDF-1.4'),
      'raw.zip': Buffer.from('PK\x03\x04'),
      'vel.json': Buffer.from('{}'),
    }
    const found = await at.open(me, await at.put(me, { ...niftis(), ...beside }))
    expect(found).toMatchObject({ state: 'asked', source: 'nifti' })
    expect(found.look?.leftOut).toBeGreaterThanOrEqual(2)
    expect(found.look?.problems).toContainEqual({
      reason: 'archive',
      params: { name: 'raw.zip', count: 1 },
      isBlocking: false,
    })
    const made = await at.make(me, found)
    expect(made).toMatchObject({
      state: 'ready',
      size,
      frames,
      head: { source: 'nifti', spacing: [2, 2, 2.5] },
    })
  })

  it('in a ZIP is read as it lies there; archives in it, and those that are damaged, are told', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const entries = Object.entries(scanned('siemens')).map(([name, bytes]) => ({
      name: `scan/${name}`,
      bytes: Buffer.from(bytes),
    }))
    const inner = zipOf([{ name: 'more.dcm', bytes: Buffer.from('no image') }])
    const packed = zipOf([...entries, { name: 'scan/inner.zip', bytes: inner }])
    const damaged = packed.subarray(0, packed.length / 2)
    const folder = await at.put(me, { 'study.zip': packed, 'half.zip': damaged })
    const before = await at.used(me)
    const found = await at.open(me, folder)
    expect(found).toMatchObject({ state: 'asked', source: 'dicom', look: { vendor: 'siemens' } })
    expect(found.look?.problems).toContainEqual({
      reason: 'archive',
      params: { name: 'half.zip', count: 2 },
      isBlocking: false,
    })
    const made = await at.make(me, found)
    expect(made).toMatchObject({ state: 'ready', size, frames })
    // Nothing of what was taken out stays.
    expect(await at.used(me)).toEqual({ used: before.used + made.sizeBytes, reserved: 0 })
  })

  it('in which two kinds of files lie is of the kind that has the velocities', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const { 'magnitude.nii': magnitude = Buffer.alloc(0) } = niftis()
    const found = await at.open(me, await at.put(me, { ...scanned('siemens'), 'magnitude.nii': magnitude }))
    expect(found).toMatchObject({ state: 'asked', source: 'dicom', look: { leftOut: 1 } })
    const names = Object.entries(scanned('siemens')).filter(([name]) => /mag/i.test(name))
    const other = await at.open(me, await at.put(me, { ...niftis(), ...Object.fromEntries(names) }, 'Other'))
    expect(other.source).toBe('nifti')
  })

  it('of files that were chosen one by one, of others whom they are shared by', async () => {
    const [me, other] = [await at.server.signUp({ vipLevel: 2 }), await at.server.signUp({ vipLevel: 4 })]
    const folder = await at.put(other, niftis(), 'Shared')
    const { data } = await at.server.call('files/list', { folderId: folder }, other)
    const ids = data.entries.map(({ id }) => id)
    expect((await at.server.call('flow/open', { ids }, me)).data.error).toBe('missing')
    await at.server.call('files/share', { id: folder, account: me.account, permission: 'view' }, other)
    const found = await at.open(me, ...ids)
    expect(found).toMatchObject({ state: 'asked', fromId: ids[0] })
    expect((await at.make(me, found)).state).toBe('ready')
    const [share] = (await at.server.call('files/shares', { id: folder }, other)).data.shares
    await at.server.call('files/unshare', { shareIds: [share?.id ?? ''] }, other)
    // What was made stays; that it was made of theirs is no longer told.
    expect(await at.look(me, found.id)).toMatchObject({ state: 'ready', fromId: null })
  })

  it('is none where nothing is a velocity, and that is told', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const found = await at.open(
      me,
      await at.put(me, { 'a.pdf': Buffer.from('%PDF-1.4'), 'b.zip': Buffer.from('PK\x03\x04') }),
    )
    expect(found).toMatchObject({ state: 'asked', look: { series: [], leftOut: 2 } })
    expect(found.look?.problems).toContainEqual({ reason: 'no_velocity', params: {}, isBlocking: true })
    const settled = await at.server.call('flow/settle', { id: found.id, answer: { series: [] } }, me)
    expect(settled.data.error).toBe('flow_unsettled')
  })
})

describe('the table', () => {
  it('asks what names do not tell, and nothing is made before it is answered', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const found = await at.open(me, await at.put(me, niftis()))
    expect(found.look?.series.some(({ unsure }) => unsure.length > 0)).toBe(true)
    const settled = await at.server.call('flow/settle', { id: found.id, answer: { series: [] } }, me)
    expect(settled.data.error).toBe('flow_unsettled')
    expect((await at.look(me, found.id)).state).toBe('asked')
    const twice = agreed(found)
    for (const one of twice.series) if (one.direction === '+y') one.direction = '-x'
    expect((await at.server.call('flow/settle', { id: found.id, answer: twice }, me)).data.error).toBe(
      'flow_unsettled',
    )
  })

  it('is settled once more with other words, and the study is another one', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const before = await at.make(me, await at.open(me, await at.put(me, niftis())))
    const answer = agreed(before)
    for (const one of answer.series) if (one.role === 'velocity') one.venc = 2
    const { data: begun } = await at.server.call('flow/settle', { id: before.id, answer }, me)
    // Its file goes with the words by which it was made.
    expect(begun).toMatchObject({ state: 'making', values: null, head: null, sizeBytes: 0 })
    const busy = await at.server.call('flow/settle', { id: before.id, answer }, me)
    expect(busy.data.error).toBe('study_busy')
    const after = await at.done(me, before.id)
    expect(after).toMatchObject({ state: 'ready', answer, head: { venc: [2, 2, 2] } })
    expect(after.values).not.toBe(before.values)
  })

  it('of a study that lacks a slice is not to be settled', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const files = scanned('siemens')
    const [first = ''] = Object.keys(files).filter((name) => !/mag/i.test(name))
    delete files[first]
    const found = await at.open(me, await at.put(me, files))
    expect(found.look?.problems.some(({ isBlocking }) => isBlocking)).toBe(true)
    const body = { id: found.id, answer: { ...agreed(found), period: 1.2 } }
    expect((await at.server.call('flow/settle', body, me)).data.error).toBe('flow_unsettled')
  })

  it('may be answered with what no study can be made of, and that is told', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const found = await at.open(me, await at.put(me, niftis()))
    const answer = agreed(found)
    for (const one of answer.series) if (one.role === 'velocity') one.venc = 0.01
    await at.server.call('flow/settle', { id: found.id, answer }, me)
    const failed = await at.done(me, found.id)
    expect(failed).toMatchObject({ state: 'failed', failure: 'flow_refused', values: null, sizeBytes: 0 })
    expect(failed.problems).toMatchObject([{ reason: 'scale_doubtful', isBlocking: true }])
    expect((await at.used(me)).reserved).toBe(0)
    // Other words help.
    expect(await at.make(me, found)).toMatchObject({ state: 'ready', problems: [] })
  })
})

describe('a known flow', () => {
  it('is measured as asked, and the same words give the same bytes', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const scan = { side: 16, spacing: 3, frames: 2, venc: 120, snr: 12 }
    const { data } = await at.server.call('flow/phantom', { phantom: 'womersley', scan }, me)
    expect(data).toMatchObject({ name: 'womersley', state: 'making', source: 'phantom', fromId: null })
    const made = await at.done(me, data.id)
    expect(made).toMatchObject({
      state: 'ready',
      phantom: { name: 'womersley', scan },
      size: [16, 16, 16],
      frames: 2,
    })
    expect(made.head).toMatchObject({
      source: 'phantom',
      spacing: [3, 3, 3],
      venc: [1.2, 1.2, 1.2],
      isPlaced: false,
    })
    const answer = await fetch(at.server.url + made.values)
    const bytes = Buffer.from(await answer.arrayBuffer())
    const again = await at.server.call('flow/phantom', { phantom: 'womersley', scan, name: 'Again' }, me)
    const second = await at.done(me, again.data.id)
    expect(second.name).toBe('Again')
    const other = Buffer.from(await (await fetch(at.server.url + second.values)).arrayBuffer())
    expect(sha256(other)).toBe(sha256(bytes))
    const unsettled = await at.server.call('flow/settle', { id: made.id, answer: { series: [] } }, me)
    expect(unsettled.data.error).toBe('flow_unsettled')
  })

  it('is refused where a scan is asked for that nobody offers', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    for (const scan of [{ side: 4096 }, { side: 20.5 }, { snr: 0 }, { frames: 1e9 }])
      expect((await at.server.call('flow/phantom', { phantom: 'abc', scan }, me)).code).not.toBe(10200)
  })
})

describe('values', () => {
  it('are the bytes of the study, whole or a part, for its owner’s session alone', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const { data } = await at.server.call('flow/phantom', { phantom: 'rotation', scan: { side: 16 } }, me)
    const made = await at.done(me, data.id)
    const url = at.server.url + made.values
    const whole = await fetch(url)
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(bytes).toHaveLength(made.sizeBytes)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'cache-control': expect.stringContaining('immutable'),
      etag: `"${sha256(bytes, 'hex')}"`,
    })
    const part = await fetch(url, { headers: { range: 'bytes=8-107' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(8, 108))).toBe(true)
    expect((await fetch(url, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
    expect((await fetch(url.replace(/id=[^&]+/, 'id=other'))).status).not.toBe(200)
    await at.server.call('flow/remove', { id: made.id }, me)
    expect((await fetch(url)).status).toBe(404)
  })
})

describe('the queue', () => {
  it('takes so many of one member, and none where packages are missing', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const ask = () => at.server.call('flow/phantom', { phantom: 'linear', scan: { side: 16 } }, me)
    const asked = await Promise.all(Array.from({ length: limits.waiting + 2 }, ask))
    expect(asked.filter(({ code }) => code === 10200)).toHaveLength(limits.waiting)
    const refused = asked.find(({ data }) => data.error === 'flow_waiting')
    expect(refused?.message).toContain(String(limits.waiting))

    // What works on the device asks for bronze.
    const ordinary = await at.server.signUp({ vipLevel: 1 })
    const { data: denied } = await at.server.call('flow/phantom', { phantom: 'linear' }, ordinary)
    expect(denied.error).toBe('application_unavailable')
    const { data: shut } = await at.server.call('flow/open', { ids: ['x'] }, ordinary)
    expect(shut.error).toBe('application_unavailable')

    const bare = await makeServer({ enginePython: '/no/such/python' })
    try {
      const you = await bare.signUp({ vipLevel: 2 })
      const { data } = await bare.call('flow/studies', {}, you)
      expect(data.missing).toEqual(['scipy', 'h5py'])
      const { message, data: told } = await bare.call('flow/phantom', { phantom: 'linear' }, you)
      expect([told.error, message]).toEqual(['flow_packages', expect.stringContaining('scipy, h5py')])
    } finally {
      await bare.close()
    }
  })

  it('is of pages: what was asked for is listed a page at a time', async () => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const insert = `insert into flow_studies (id, owner_id, name, source_ids, step, state, created_at)
      select 'page' || n, $1, 'x', '{}', 'look', 'failed', now() - n * interval '1 second' from generate_series(1, $2) n`
    await at.server.ctx.pool.query(insert, [me.userId, limits.page + 3])
    const first = (await at.server.call('flow/studies', {}, me)).data
    expect(first.studies).toHaveLength(limits.page)
    const rest = (await at.server.call('flow/studies', { after: first.next }, me)).data
    expect(rest).toMatchObject({ next: null, studies: [{}, {}, {}] })
  })
})
