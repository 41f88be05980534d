/**
 * `npm run bench -- upload`: 200 files / 1 GB through a line that is cut every 0.1–3 s, with five kill -9 of the server
 * (goals: every checksum equal, at most 10 % sent twice); throughput without cuts against a bare server that hashes and
 * syncs the same bytes to the same disk (goal ≥ 0.7), also for thousands of small ones, each side as its clients send
 * them; memory of the server over 2 GB (goal ± 50 MB). `-- small` measures the small ones alone.
 */
import { spawn } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childWith, type Product, removeData, startProduct } from '../e2e/stack.ts'
import { createBundler } from '../web/src/features/files/upload/upload-bundle.ts'
import { createSender } from '../web/src/features/files/upload/upload-send.ts'
import { UploadStore } from '../web/src/features/files/upload/upload-store.ts'
import { type Client, poll, signIn } from './client.ts'
import { openLine } from './upload-line.ts'

const megabyte = 1024 * 1024
const FILES = Number(process.env.BENCH_FILES ?? 200)
const BYTES = FILES * 5 * megabyte
const SMALL_FILES = Number(process.env.BENCH_SMALL_FILES ?? 2000)
const SMALL_BYTES = 20 * 1024
const KILLS = 5
const ROUNDS = 3

type Sample = { name: string; path: string; bytes: number; sha256: string; base64: string }

async function upload() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-upload-'))
  const product = await startProduct()
  try {
    const client = await signIn(product)
    await small(product, client, makeSmall(join(folder, 'small')))
    if (process.argv.includes('small')) return
    const samples = makeSamples(join(folder, 'files'))
    await throughput(product, client, samples)
    await broken(product, client, samples)
  } finally {
    await product.stop()
    await removeData(product.dataDir)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sizes between 2 and 8 MB: one request each where the line holds, several where it does not. */
const makeSamples = (folder: string): Sample[] =>
  makeFiles(folder, FILES, (index) =>
    Math.round((BYTES / FILES) * (0.4 + (1.2 * index) / Math.max(1, FILES - 1))),
  )

const makeSmall = (folder: string): Sample[] => makeFiles(folder, SMALL_FILES, () => SMALL_BYTES)

function makeFiles(folder: string, count: number, sizeOf: (index: number) => number): Sample[] {
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(sizeOf(index))
    randomFillSync(bytes)
    const name = `scan-${index}.bin`
    const path = join(folder, name)
    writeFileSync(path, bytes)
    const digest = createHash('sha256').update(bytes).digest()
    return {
      name,
      path,
      bytes: bytes.length,
      sha256: digest.toString('hex'),
      base64: digest.toString('base64'),
    }
  })
}

/** As pages send a folder of small files, against as many requests to the bare server. */
async function small(product: Product, client: Client, samples: Sample[]) {
  const bareFolder = join(product.dataDir, 'bare-small')
  mkdirSync(bareFolder)
  const bare = await startBare(bareFolder)
  const ratios: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareMs = await timed(() => inParallel(samples, (sample) => post(`${bare.url}/`, {}, sample)))
      const ours = await timed(() => sendAsPages(client, samples, `small ${round}`))
      ratios.push(bareMs / ours)
      const each = (ms: number) => `${(samples.length / (ms / 1000)).toFixed(0)} files a second`
      console.log(`small, round ${round + 1}/${ROUNDS}: product ${each(ours)}, bare ${each(bareMs)}`)
    }
  } finally {
    bare.stop()
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN
  console.log(
    `${samples.length} files of ${SMALL_BYTES / 1024} kB, product : bare server, median of ${ROUNDS}: ${median.toFixed(2)} (goal ≥ 0.7) ${verdict(median >= 0.7)}`,
  )
}

/** From the announcement to the last file, by the page's own upload engine. */
async function sendAsPages(client: Client, samples: Sample[], folder: string): Promise<void> {
  const store = pageStore(client, client.url)
  const files = await Promise.all(
    samples.map(async ({ name, path }) => ({
      path: `${folder}/${name}`,
      file: new File([await openAsBlob(path)], name),
    })),
  )
  store.add([{ name: folder, isFolder: true, files }], { parentId: null })
  const state = await poll(
    async () => store.view().jobs[0]?.state,
    (one) => one === 'done' || one === 'refused' || one === 'paused',
    { everyMs: 20 },
  )
  const failed = store.view().jobs[0]?.failureCount
  if (state !== 'done' || failed !== 0) throw new Error(`small files: ${state}, ${failed} failed`)
}

function pageStore(client: Client, url: string): UploadStore {
  return new UploadStore({
    prepare: (body) => client.call('files/prepare', body),
    cancel: (uploads) => client.call('files/cancel', { uploads }),
    send: createSender({
      endpoint: () => `${url}/AI/api/chunk/upload`,
      headers: () => ({ token: client.headers.token ?? '', userId: client.headers.userId ?? '' }),
      saysLength: true,
    }),
    sendMany: createBundler({
      endpoint: () => `${url}/AI/api/chunk/bundle`,
      headers: () => ({ token: client.headers.token ?? '', userId: client.headers.userId ?? '' }),
    }),
    reasonOf: (error) => ({ name: 'internal', params: { text: String(error) } }),
    // The line is back at once here; a person's waits from one to thirty seconds.
    retryMs: [50, 100, 200, 400, 800],
  })
}

/** Both servers take the same requests from the same client, turn by turn. */
async function throughput(product: Product, client: Client, samples: Sample[]) {
  const bareFolder = join(product.dataDir, 'bare')
  mkdirSync(bareFolder)
  const bare = await startBare(bareFolder)
  const total = samples.reduce((sum, { bytes }) => sum + bytes, 0)
  const server = await childWith(product.process.pid ?? 0, /main\.js/)
  const memory: number[] = []
  const ratios: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareMs = await timed(() => inParallel(samples, (sample) => post(`${bare.url}/`, {}, sample)))
      const watch = setInterval(() => memory.push(residentOf(server)), 100)
      const numbers = await announce(client, samples, `round ${round}`)
      const ours = await timed(() =>
        inParallel(samples, (sample, index) => sendWhole(client, numbers[index] ?? '', sample)),
      )
      clearInterval(watch)
      ratios.push(bareMs / ours)
      console.log(
        `round ${round + 1}/${ROUNDS}: product ${rate(total, ours)}, bare server ${rate(total, bareMs)}, ratio ${(bareMs / ours).toFixed(2)}`,
      )
    }
  } finally {
    bare.stop()
  }
  ratios.sort((a, b) => a - b)
  const median = ratios[Math.floor(ROUNDS / 2)] ?? Number.NaN
  console.log(
    `throughput, product : bare server, median of ${ROUNDS}: ${median.toFixed(2)} (goal ≥ 0.7) ${verdict(median >= 0.7)}`,
  )
  // Without the first quarter: a process grows to its size with its first work.
  const settled = memory.slice(Math.floor(memory.length / 4)).sort((a, b) => a - b)
  const middle = settled[Math.floor(settled.length / 2)] ?? Number.NaN
  const spread = Math.max((settled.at(-1) ?? 0) - middle, middle - (settled[0] ?? 0))
  console.log(
    `server memory over ${size(ROUNDS * total)}: median ${size(middle)}, at most ± ${size(spread)} from it (goal ± 50 MB) ${verdict(spread <= 50 * megabyte)}`,
  )
}

/** The page's own upload engine, on a line that breaks, to a server that dies. */
async function broken(product: Product, client: Client, samples: Sample[]) {
  const line = await openLine(Number(new URL(product.url).port))
  const total = samples.reduce((sum, { bytes }) => sum + bytes, 0)
  const store = pageStore(client, `http://127.0.0.1:${line.port}`)
  const files = await Promise.all(
    samples.map(async ({ name, path }) => ({
      path: `broken/${name}`,
      file: new File([await openAsBlob(path)], name),
    })),
  )
  const job = () => store.view().jobs[0]
  let kills = 0
  const ms = await timed(async () => {
    store.add([{ name: 'broken', isFolder: true, files }], { parentId: null })
    await poll(
      async () => {
        const share = (job()?.sentBytes ?? 0) / total
        if (kills < KILLS && share > (kills + 0.5) / KILLS) {
          kills += 1
          process.kill(await childWith(product.process.pid ?? 0, /main\.js/), 'SIGKILL')
        }
        return job()?.state
      },
      (state) => state === 'done' || state === 'refused' || state === 'paused',
      { everyMs: 20 },
    )
  })
  const view = job()
  const twice = (line.bytesUp() - total) / total
  await line.close()
  console.log(
    `${FILES} files, ${size(total)}, ${line.cuts()} cuts, ${kills} kill -9 in ${(ms / 1000).toFixed(1)} s: ${view?.state}, ${view?.failureCount} failed ${JSON.stringify(view?.failures[0]?.reason ?? '')}`,
  )
  // The last kill may have come with the last byte.
  await poll(() => client.call('user/size', {}).then(Boolean, () => false), Boolean, {
    everyMs: 100,
    limitMs: 60_000,
  })
  const equal = await countEqual(client, samples)
  console.log(`checksums equal: ${equal} of ${FILES} ${verdict(equal === FILES)}`)
  console.log(`sent twice: ${(twice * 100).toFixed(1)} % (goal ≤ 10 %) ${verdict(twice <= 0.1)}`)
}

/** By what the server gives back, byte for byte. */
async function countEqual(client: Client, samples: Sample[]): Promise<number> {
  const top = await client.call('files/list', { folderId: null, search: 'broken' })
  const folderId = top.entries.find(({ name }) => name === 'broken')?.id ?? ''
  const wanted = new Map(samples.map(({ name, sha256 }) => [name, sha256]))
  let equal = 0
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: Awaited<ReturnType<typeof client.call<'files/list'>>> = await client.call('files/list', {
      folderId,
      after,
    })
    for (const { id, name } of page.entries) {
      const { url } = await client.call('files/open', { id, download: true })
      const bytes = Buffer.from(await (await fetch(client.url + url)).arrayBuffer())
      if (createHash('sha256').update(bytes).digest('hex') === wanted.get(name)) equal += 1
    }
    after = page.next
  }
  return equal
}

async function announce(client: Client, samples: Sample[], folder: string): Promise<string[]> {
  const { uploads } = await client.call('files/prepare', {
    parentId: null,
    sameName: 'rename',
    files: samples.map(({ name, bytes }) => ({ path: `${folder}/${name}`, sizeBytes: bytes })),
  })
  return uploads.map((upload) => upload ?? '')
}

const sendWhole = (client: Client, upload: string, sample: Sample) =>
  post(
    `${client.url}/AI/api/chunk/upload`,
    {
      token: client.headers.token ?? '',
      userId: client.headers.userId ?? '',
      'tus-resumable': '1.0.0',
      'upload-length': String(sample.bytes),
      'upload-metadata': `upload ${Buffer.from(upload).toString('base64')}`,
      'upload-checksum': `sha256 ${sample.base64}`,
      'content-type': 'application/offset+octet-stream',
    },
    sample,
  )

function post(url: string, headers: Record<string, string>, { path }: Sample): Promise<void> {
  const bytes = readFileSync(path)
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': bytes.length } },
      (response) => {
        response.resume()
        response.on('end', () =>
          (response.statusCode ?? 500) < 300
            ? resolve()
            : reject(new Error(`${url}: ${response.statusCode}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}

/** Four at a time, as pages do. */
async function inParallel(samples: Sample[], send: (sample: Sample, index: number) => Promise<void>) {
  const queue = samples.entries()
  const sender = async () => {
    for (const [index, sample] of queue) await send(sample, index)
  }
  await Promise.all([sender(), sender(), sender(), sender()])
}

function startBare(folder: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'upload-bare.mjs'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => {
    child.stdout.on('data', (data) => {
      const port = /port (\d+)/.exec(String(data))?.[1]
      if (port) resolve({ url: `http://127.0.0.1:${port}`, stop: () => void child.kill() })
    })
  })
}

/** Bytes of memory that a process really holds. */
const residentOf = (pid: number): number =>
  1024 * Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const rate = (bytes: number, ms: number) => `${(bytes / megabyte / (ms / 1000)).toFixed(0)} MB/s`
const size = (bytes: number) => `${(bytes / megabyte).toFixed(0)} MB`
function verdict(isReached: boolean) {
  if (!isReached) process.exitCode = 1
  return isReached ? 'reached' : 'MISSED'
}

await upload()
