/** Which user runs the embedded PostgreSQL, and how its programs are run as that user. Knows no cluster's contents. */
import { execFile } from 'node:child_process'
import { chmod, chown, readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Command = {
  command: string
  args: string[]
  options: { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv }
}
export type Owner = {
  /** Null: whoever runs us. PostgreSQL refuses to run as root, so then it is somebody else. */
  ids: Ids | null
  command(program: string, args: string[]): Command
}
type Ids = { uid: number; gid: number }

export async function chooseOwner(folder: string, program: string): Promise<Owner> {
  const base = { cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } }
  if (process.getuid?.() !== 0) {
    return { ids: null, command: (command, args) => ({ command, args, options: base }) }
  }
  const ids = (await makerOf(folder)) ?? (await userForIt())
  await letPass(dirname(folder), ids)
  const isOpen = await Promise.all([folder, program].map((path) => mayPass(dirname(path), ids)))
  if (!isOpen.includes(false)) {
    return { ids, command: (command, args) => ({ command, args, options: { ...base, ...ids } }) }
  }
  const setpriv = await handingThePass(ids)
  return {
    ids,
    command: (command, args) => ({ command: 'setpriv', args: [...setpriv, command, ...args], options: base }),
  }
}

/** Who made the data, when it was not made by root for somebody else. */
async function makerOf(folder: string): Promise<Ids | null> {
  const entry = await stat(folder).catch(() => null)
  return entry && entry.uid !== 0 ? { uid: entry.uid, gid: entry.gid } : null
}

async function userForIt(): Promise<Ids> {
  const ids = (await idsOf('postgres')) ?? (await makeUser('postgres')) ?? (await idsOf('nobody'))
  if (!ids) throw new Error('PostgreSQL cannot run as root and there is no user "postgres" to run it as')
  return ids
}

async function idsOf(name: string): Promise<Ids | null> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  const fields = lines.find((line) => line.startsWith(`${name}:`))?.split(':')
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : null
}

async function makeUser(name: string): Promise<Ids | null> {
  await run('useradd', ['--system', '--user-group', '--no-create-home', name]).catch(() => undefined)
  return idsOf(name)
}

/** A data folder that is still empty is root's to shape: closed to all but root and, to pass through, that user's group. */
async function letPass(dataFolder: string, { gid }: Ids): Promise<void> {
  const { uid } = await stat(dataFolder)
  if (uid !== 0 || (await readdir(dataFolder)).length > 0) return
  await chown(dataFolder, 0, gid)
  await chmod(dataFolder, 0o710)
}

/** Whether every folder up to the root lets this user through. */
async function mayPass(folder: string, ids: Ids): Promise<boolean> {
  const { mode, gid } = await stat(folder)
  const isOpen = (mode & 0o001) !== 0 || (gid === ids.gid && (mode & 0o010) !== 0)
  return isOpen && (folder === dirname(folder) || mayPass(dirname(folder), ids))
}

/**
 * The product or its data stand in a folder closed to other users (often /root): the right to pass through comes along,
 * and to read; in containers, which mostly lack that one, the wider right past all permissions.
 */
async function handingThePass({ uid, gid }: Ids): Promise<string[]> {
  const right = (await has(DAC_READ_SEARCH)) ? '+dac_read_search' : '+dac_override'
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
  // PostgreSQL's programs ask access(2) about themselves, which otherwise counts no rights of whoever is not root.
  return [...user, '--securebits=+no_setuid_fixup', `--inh-caps=${right}`, `--ambient-caps=${right}`]
}

/** Numbers of capabilities are the kernel's: capability.h. */
const DAC_READ_SEARCH = 2n

async function has(capability: bigint): Promise<boolean> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const permitted = /^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return ((BigInt(`0x${permitted}`) >> capability) & 1n) === 1n
}
