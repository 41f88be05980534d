import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Answer, Parsed } from '@neuroloom/contract/calls'
import { isTriedInBrowser } from '@neuroloom/contract/examples'
import { languages } from '@neuroloom/contract/language'
import { client, files as limits } from '@neuroloom/contract/limits'
import type { Task } from '@neuroloom/contract/task'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../http/access.ts'
import { sendStream } from '../../http/bytes.ts'
import { fail } from '../../http/fail.ts'
import { type ArchivedFile, archiveOf } from '../../infra/archive.ts'
import type { Context } from '../../infra/context.ts'
import { linesOf } from '../../infra/texts.ts'
import { holderClaims, verifyLink } from '../accounts/access.ts'
import { sendWhile } from '../files/service.ts'
import { requireLearned } from './access.ts'
import { carriedPaths } from './carried.ts'
import { resultName } from './links.ts'
import { type LearnedRow, type RunRow, runArtifacts, runInputs } from './tables.ts'

const EXAMPLE_PATH = '/AI/api/runs/example/zip'

/** From `server/src/features/runs` as well as from `server/bundle/features/runs`. */
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const pythonFolder = join(root, 'contract/wire/program')
/** As Vite built it; where nothing is built yet, as in tests, the folder comes without it. */
const browserFolder = join(root, 'web/example/dist')

/** The engine writes its facts at the very end of the file, see `engine/neuroloom_engine/onnx_bytes.py`. */
const FACTS_KEY = Buffer.from('\n\tneuroloom\x12', 'latin1')
const MOST_FACTS_BYTES = 1_000_000

export async function example(
  ctx: Context,
  { id }: Parsed<'runs/example'>,
  caller: Caller,
): Promise<Answer<'runs/example'>> {
  const run = await requireLearned(ctx.db, caller.user, id, 'view')
  const { sizeBytes } = await requireNetwork(ctx, run)
  const claims = { kind: 'run-example', id, ...holderClaims(caller) }
  const added = await Promise.all(
    (await packedFiles(await kindOf(ctx, run))).map(async ({ path }) => (await stat(path)).size),
  )
  return {
    url: `${EXAMPLE_PATH}?${ctx.links.sign(claims, limits.linkMs)}`,
    name: await nameOf(ctx, run),
    sizeBytes: added.reduce((sum, bytes) => sum + bytes, sizeBytes),
  }
}

/** Made while it is sent; nothing of it is stored. */
export function addExampleRoute(app: FastifyInstance, ctx: Context): void {
  const options = { exposeHeadRoute: false, handlerTimeout: client.downloadTimeoutMs }
  app.get(EXAMPLE_PATH, options, async (request, reply) => {
    const { id, userId } = await verifyLink(ctx, request.query, 'run-example')
    const find = () => requireLearned(ctx.db, { id: userId }, id, 'view')
    // Looked at again now, and for as long as it is being sent.
    const run = await find()
    await sendWhile(ctx, reply, { ownerId: run.userId, check: find })
    const network = await requireNetwork(ctx, run)
    const content = archiveOf(
      contentOf(ctx, { kind: await kindOf(ctx, run), network, facts: await readFacts(ctx, network) }),
    )
    return sendStream(reply, { name: await nameOf(ctx, run), contentType: 'application/zip', content })
  })
}

type Network = { sha256: string; sizeBytes: number }

async function requireNetwork(ctx: Context, { id }: RunRow): Promise<Network> {
  const [network] = await ctx.db
    .select()
    .from(runArtifacts)
    .where(and(eq(runArtifacts.runId, id), eq(runArtifacts.kind, 'onnx')))
  if (!network) throw fail('missing')
  return network
}

const nameOf = async (ctx: Context, run: RunRow): Promise<string> =>
  (await resultName(ctx, run, 'onnx')).replace(/\.onnx$/, '-example.zip')

/** What the network says of itself, as readable JSON; a file that says nothing is of no use to the examples. */
async function readFacts(ctx: Context, { sha256, sizeBytes }: Network): Promise<string> {
  const range = { start: Math.max(0, sizeBytes - MOST_FACTS_BYTES), end: sizeBytes - 1 }
  const tail = await buffer(ctx.storage.read(sha256, range))
  const key = tail.lastIndexOf(FACTS_KEY)
  const start = tail.indexOf('{', key)
  if (key < 0 || start < 0) throw fail('missing')
  return `${JSON.stringify(JSON.parse(tail.toString('utf8', start)), null, 1)}\n`
}

type Kind = {
  task: Task
  /** The training's files were prepared by a recipe, and so must others be. */
  isPrepared: boolean
}

async function kindOf(ctx: Context, { id, task }: LearnedRow): Promise<Kind> {
  const [inputs] = await ctx.db
    .select({ recipe: runInputs.recipe })
    .from(runInputs)
    .where(eq(runInputs.runId, id))
  // What a closed one does stays on the server.
  return { task, isPrepared: inputs?.recipe != null && !inputs.recipe.isClosed }
}

type Content = { kind: Kind; network: Network; facts: string }

async function* contentOf(ctx: Context, { kind, network, facts }: Content): AsyncIterable<ArchivedFile> {
  const about = isTriedInBrowser(kind.task) ? 'pictures' : 'volumes'
  for (const language of languages) {
    const prepared = kind.isPrepared ? linesOf('readme', language, 'prepared') : []
    const lines = [...linesOf('readme', language, about), ...prepared]
    const text = `\uFEFF${lines.join('\r\n')}\r\n`
    yield { path: `README.${language}.txt`, isText: true, read: () => Readable.from([text]) }
  }
  yield { path: 'model.json', isText: true, read: () => Readable.from([facts]) }
  yield { path: 'model.onnx', isText: false, read: () => ctx.storage.read(network.sha256) }
  for (const { name, path } of await packedFiles(kind)) {
    yield { path: name, isText: true, read: () => createReadStream(path) }
  }
}

/** The product's own files that come along, with their names in the ZIP; the page for browsers reads pictures alone. */
async function packedFiles({ task, isPrepared }: Kind): Promise<{ name: string; path: string }[]> {
  const python = ['predict.py', 'dicom_pictures.py', 'pictures.py', 'volumes.py', 'requirements.txt'].map(
    (name) => ({
      name: `python/${name}`,
      path: join(pythonFolder, name),
    }),
  )
  const entries =
    isTriedInBrowser(task) && existsSync(browserFolder)
      ? await readdir(browserFolder, { recursive: true, withFileTypes: true })
      : []
  const browser = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: `browser/${relative(browserFolder, path).split(sep).join('/')}`, path }))
  const carried = isPrepared ? carriedPaths.map(({ name, path }) => ({ name: `python/${name}`, path })) : []
  return [...python, ...carried, ...browser]
}
