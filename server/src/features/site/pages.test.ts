import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { protect } from '../../http/protect.ts'
import { addPages } from './pages.ts'

const PAGE = `<!doctype html><title>Page</title>${' '.repeat(2000)}`
const RENDERED = (page: string) =>
  `<!doctype html><title>${page}</title><link rel="canonical" href="https://neuroloom.invalid/${page}">`
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
  await mkdir(join(folder, 'rendered/zh'), { recursive: true })
  for (const name of ['index', 'about', 'zh', 'zh/about']) {
    await writeFile(join(folder, `rendered/${name}.html`), RENDERED(name))
  }
  await writeFile(join(folder, 'rendered/robots.txt'), 'Sitemap: https://neuroloom.invalid/sitemap.xml')
  await writeFile(join(folder, 'rendered/sitemap.xml'), '<loc>https://neuroloom.invalid/about</loc>')
  await writeFile(
    join(folder, 'rendered/pages.json'),
    JSON.stringify(['/login', '/mangeHome', '/projectDetail']),
  )
  app = Fastify()
  await protect(app, { config: readConfig({}) })
  await addPages(app, { folder })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const get = (path: string, encoding: string): Promise<Response> =>
  fetch(url + path, { headers: { 'accept-encoding': encoding } })

test.each(['/login', '/mangeHome', '/projectDetail?id=abc', '/LOGIN/', '/index.html'])(
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

test.each(['/nothing', '/zh/nothing', '/login/further', '/pages', '/constructor'])(
  '%s is no page: the application says so, with the status of a missing page',
  async (path) => {
    const response = await get(path, 'br')
    expect(response.status).toBe(404)
    expect(await response.text()).toBe(PAGE)
    expect(response.headers.get('cache-control')).toBe('no-cache')
  },
)

test.each([
  ['/', 'index'],
  ['/?key=abc', 'index'],
  ['/about', 'about'],
  ['/zh', 'zh'],
  ['/zh/about', 'zh/about'],
])('%s answers the page rendered ahead, with the address people use', async (path, page) => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const response = await get(path, encoding)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(RENDERED(page).replace('https://neuroloom.invalid', url))
    expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-cache')
  }
})

test('a page that the browser has already is not sent again', async () => {
  const tag = (await get('/about', 'br')).headers.get('etag') ?? ''
  const again = await fetch(`${url}/about`, { headers: { 'accept-encoding': 'br', 'if-none-match': tag } })
  expect(tag).not.toBe('')
  expect(again.status).toBe(304)
})

test('a slash at the end leads to the one address of the page', async () => {
  const response = await fetch(`${url}/zh/about/?topic=data`, { redirect: 'manual' })
  expect(response.status).toBe(308)
  expect(response.headers.get('location')).toBe('/zh/about?topic=data')
})

test('the operator says which address people use', async () => {
  const other = Fastify()
  await addPages(other, { folder, publicUrl: 'https://learn.hospital.example/' })
  const { body } = await other.inject({ url: '/robots.txt' })
  expect(body).toBe('Sitemap: https://learn.hospital.example/sitemap.xml')
  await other.close()
})

test.each(['x"><script>', 'evil.example', 'localhost.evil.example', 'evil@localhost', 'localhost:1'])(
  'the host %j, which is the visitor’s word alone, gets into no page',
  async (host) => {
    const page = await textFor(host, '/about')
    expect(page).toBe(RENDERED('about').replace('https://neuroloom.invalid', ''))
  },
)

test('the sitemap has whole addresses, or there is none', async () => {
  expect(await (await get('/sitemap.xml', 'identity')).text()).toBe(`<loc>${url}/about</loc>`)
  expect(JSON.parse(await textFor('ward.example', '/sitemap.xml'))).toMatchObject({ code: 10404 })
  expect(await textFor('ward.example', '/robots.txt')).toBe('')
  expect(await (await get('/robots.txt', 'identity')).text()).toBe(`Sitemap: ${url}/sitemap.xml`)
})

test('this machine’s own names are no foreign ones', async () => {
  const { port } = new URL(url)
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
    expect(await textFor(host, '/about')).toContain(`href="http://${host}/about"`)
  }
})

/** `fetch` writes the host itself. */
const textFor = (host: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const asked = request(url + path, { headers: { host } }, async (response) =>
      resolve(await text(response)),
    )
    asked.on('error', reject).end()
  })

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

test.each([
  '/assets/main-old999.js',
  '/missing.png',
  '/rendered/about.html',
  '/zh/about.html',
  '/AI/api/nothing',
  '/%41I/api/nothing',
  '/AI/live-not',
  '/../package.json',
])('%s is not found, and not the page', async (path) => {
  const response = await get(path, 'identity')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 10404 })
})

test('files that are there count towards no flood, those that are not do', async () => {
  const counts = async (path: string) => (await get(path, 'identity')).headers.has('x-ratelimit-limit')
  expect(await counts('/assets/main-abc123.js')).toBe(false)
  expect(await counts('/about')).toBe(false)
  expect(await counts('/assets/main-old999.js')).toBe(true)
})
