import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Body } from '@neuroloom/contract/calls'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'
import { makeTrainingSet } from '../../../test/training.ts'

const require = createRequire(import.meta.url)
const built = (id: string) =>
  readFileSync(require.resolve(`@neuroloom/contract/wire/networks/${id}.yaml`), 'utf8')

let server: TestServer
let session: Session

beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  session = await server.signUp()
})
afterAll(() => server.close())

const look = (change: Partial<Body<'networks/look'>> = {}, who = session) =>
  server.call(
    'networks/look',
    { text: makeText(), nodes: ['stem', 'logits'], image: { from: 'sample' }, runId: null, ...change },
    who,
  )

describe('looking into a network', () => {
  it('shows the maps of layers and blocks, and the numbers of lists', async () => {
    const nodes = ['stem', 'stage1/0/conv1', 'stage4', 'logits', 'no/such/layer']
    const { data } = await look({ text: built('resnet18'), nodes })
    expect(data.image).toMatch(/^data:image\/png;base64,iVBOR/)
    expect(
      data.seen.map(({ node, channels, allChannels, width, height }) => ({
        node,
        channels,
        allChannels,
        width,
        height,
      })),
    ).toEqual([
      { node: 'stem', channels: 8, allChannels: 64, width: 48, height: 48 },
      { node: 'stage1/0/conv1', channels: 8, allChannels: 64, width: 48, height: 48 },
      { node: 'stage4', channels: 8, allChannels: 512, width: 7, height: 7 },
    ])
    for (const { data: maps, channels, width, height, min, max } of data.seen) {
      expect(Buffer.from(maps, 'base64')).toHaveLength(channels * width * height)
      expect(max).toBeGreaterThan(min)
    }
    expect(data.values).toMatchObject([{ node: 'logits' }])
    expect(data.values[0]?.values).toHaveLength(limits.lookValues)
  })

  it('gives the same answer each time', async () => {
    expect((await look()).data).toEqual((await look()).data)
  })

  it('takes an image of the member’s own data, in the network’s colours', async () => {
    const { datasetId } = await makeTrainingSet(server, session, { items: 12 })
    const { data: page } = await server.call('datasets/items', { id: datasetId }, session)
    const itemId = page.items[0]?.id ?? ''
    const image = { from: 'dataset', datasetId, itemId } as const
    const { data } = await look({ image, text: makeText().replace('=channels', '3') })
    expect(data.seen[0]).toMatchObject({ node: 'stem', width: 32, height: 32 })
    expect(data.image).not.toBe((await look()).data.image)

    expect((await look({ image: { ...image, itemId: 'unknown' } })).data.error).toBe('missing')
    expect((await look({ image: { ...image, datasetId: 'unknown' } })).data.error).toBe('dataset_missing')
    const stranger = await server.signUp()
    expect((await look({ image }, stranger)).data.error).toBe('dataset_missing')
    const { datasetId: other } = await makeTrainingSet(server, stranger, { items: 12 })
    expect((await look({ image: { ...image, datasetId: other } }, stranger)).data.error).toBe('missing')
  })

  it('shows volumes and networks with several inputs', async () => {
    const { data } = await look({ text: built('flow4d'), nodes: ['pcmr', 'flow'] })
    expect(data.seen).toMatchObject([
      { node: 'pcmr', allChannels: 1, width: 16, height: 16 },
      { node: 'flow', allChannels: 3, width: 32, height: 32 },
    ])
  })

  it('refuses networks with mistakes and those beyond the memory that is set aside', async () => {
    const wrong = await look({ text: makeText({ from: 'nowhere' }) })
    expect(wrong.data).toMatchObject({ error: 'network_wrong', params: { count: 1 } })
    const huge = await look({ text: makeText({ width: 30_000 }).replace('[32, 32]', '[4000, 4000]') })
    expect(huge.data).toMatchObject({
      error: 'look_failed',
      params: { reason: 'it is too large to be tried out here' },
    })
  })

  it('serves a member in turn with others, sends away what is too much at once, and stays usable', async () => {
    const flood = Promise.all(Array.from({ length: 8 }, () => look()))
    const other = await look({}, await server.signUp())
    expect(other.code).toBe(10200)
    const replies = await flood
    const refused = replies.filter(({ data }) => data.error === 'too_much_at_once')
    // On a slow machine the last ones wait too long besides.
    expect([undefined, 'too_much_at_once', 'busy']).toEqual(
      expect.arrayContaining(replies.map(({ data }) => data.error)),
    )
    expect(refused.length).toBeGreaterThan(0)
    expect(replies.length - refused.length).toBeGreaterThan(limits.lookWaiting)
    expect((await look()).code).toBe(10200)
  })
})

describe('the program that looks', () => {
  it('that ends in the middle costs one look', async () => {
    server.ctx.looks.close()
    let answer: string | undefined
    void look().then(({ data }) => {
      answer = data.error ?? 'seen'
    })
    const end = () => {
      server.ctx.looks.close()
      return answer
    }
    // It takes longer to begin than there is between two of these.
    await expect.poll(end, { timeout: 60_000 }).toBe('look_failed')
    expect((await look()).code).toBe(10200)
    expect(await readdir(join(server.ctx.config.dataDir, 'looks'))).toEqual([])
  })

  it('that cannot be started is told in plain words', async () => {
    const bare = await makeServer({ enginePython: '/no/such/python' })
    const member = await bare.signUp()
    const { data } = await bare.call(
      'networks/look',
      { text: makeText(), nodes: ['stem'], image: { from: 'sample' }, runId: null },
      member,
    )
    expect(data).toMatchObject({
      error: 'look_failed',
      params: { reason: 'the program that computes it reported a fault' },
    })
    await bare.close()
  })
})
