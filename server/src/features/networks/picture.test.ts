import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersOf, makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { makeText } from '../../../test/networks.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

async function drawn(member: Session, { text = makeText(), of = server } = {}) {
  const { data } = await of.call('networks/create', { name: 'Drawn', text }, member)
  return { ...data, picture: await of.call('networks/picture', { id: data.id }, member) }
}

describe('the structure picture', () => {
  it.each([
    [0, 0, false],
    [1, 0, false],
    [2, 0, false],
    [3, 0, true],
    [4, 0, true],
    [1, 1, true],
  ])('at level %i (super %i) may be downloaded: %s', async (vipLevel, vipSuper, may) => {
    const { picture, mayDownloadPicture } = await drawn(await server.signUp({ vipLevel, vipSuper }))
    expect(mayDownloadPicture).toBe(may)
    expect(picture.data.error).toBe(may ? undefined : 'picture_level')
  })

  it('is there for everybody on a hospital’s own server', async () => {
    const hospital = await makeServer({ deployment: 'private' })
    const { picture } = await drawn(await hospital.signUp({ vipLevel: 1 }), { of: hospital })
    expect(picture.data.svg).toMatch(/^<svg /)
    await hospital.close()
  })

  it('speaks the caller’s language and runs nothing, whatever the network is called', async () => {
    const member = await server.signUp({ vipLevel: 3 })
    const text = makeText().replace('name: small', 'name: "<script>alert(1)</script>"')
    const { id, picture } = await drawn(member, { text })
    const { svg, width, height } = picture.data
    expect(svg).toContain('Convolution')
    expect(svg).not.toMatch(/<script|<foreignObject|href=|\son\w+=/i)
    expect(Math.min(width, height)).toBeGreaterThan(100)
    const russian = await fetch(`${server.url}/AI/api/networks/picture`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'ru', ...headersOf(member) },
      body: JSON.stringify({ id }),
    })
    expect(await russian.text()).toContain('Свёртка')
  })

  it('of a large network is drawn as well', async () => {
    const layers = Array.from({ length: 400 }, (_, index) => `  layer_${index}: {op: relu}`)
    const text = makeText().replace('  act: relu', layers.join('\n'))
    const { picture } = await drawn(await server.signUp({ vipLevel: 3 }), { text })
    expect(picture.data.svg).toContain('layer_399')
    expect(picture.data.height).toBeGreaterThan(5000)
  })

  it('is not drawn of a network with mistakes', async () => {
    const { picture } = await drawn(await server.signUp({ vipLevel: 4 }), {
      text: makeText({ from: 'nowhere' }),
    })
    expect(picture.data).toMatchObject({ error: 'network_wrong', params: { count: 1 } })
  })
})
