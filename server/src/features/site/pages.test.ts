import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPages } from './pages.ts'

const PAGE = `<!doctype html><title>Page</title>${' '.repeat(2000)}`
const SCRIPT = `console.log('script')${' '.repeat(2000)}`

let folder: string
let app: FastifyInstance
let url: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-web-'))
  await mkdir(join(folder, 'assets'))
  for (const [name, text] of [
    ['index.html', PAGE],
    ['assets/main-abc123.js', SCRIPT],
  ] as const) {
    await writeFile(join(folder, name), text)
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text))
  }
  app = Fastify()
  await addPages(app, folder)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (path: string, encoding: string): Promise<Response> =>
  fetch(url + path, { headers: { 'accept-encoding': encoding } })

test.each(['/', '/login', '/projectDetail?id=abc', '/index.html'])(
  '%s answers the page, compressed, never kept',
  async (path) => {
    const response = await get(path, 'br, gzip')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(PAGE)
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('content-type')).toMatch(/text\/html/)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)

test('files with a hash in their name are kept for a year', async () => {
  const response = await get('/assets/main-abc123.js', 'br')
  expect(await response.text()).toBe(SCRIPT)
  expect(response.headers.get('content-encoding')).toBe('br')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('a browser that does not know the compression gets the plain file', async () => {
  const response = await get('/assets/main-abc123.js', 'identity')
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe(SCRIPT)
})

test.each(['/assets/main-old999.js', '/missing.png', '/AI/api/nothing', '/AI/live-not', '/../package.json'])(
  '%s is not found, and not the page',
  async (path) => {
    const response = await get(path, 'identity')
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 10404 })
  },
)
