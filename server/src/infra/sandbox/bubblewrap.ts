/** The programs that hold untrusted code, how they are called, and what of them this machine lacks. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { sandbox as limits } from '@neuroloom/contract/limits'
import { systemCallFilter } from './seccomp.ts'

type SandboxPart = 'bubblewrap' | 'user_namespaces' | 'prlimit' | 'timeout' | 'python' | 'system_call_filter'

/** By their full paths: no PATH decides what is started. */
export const programs = {
  bubblewrap: '/usr/bin/bwrap',
  prlimit: '/usr/bin/prlimit',
  timeout: '/usr/bin/timeout',
  python: '/usr/bin/python3',
} as const
const SETPRIV = '/usr/bin/setpriv'

/** A number that no account has: limits of processes count by user, and never for root. */
const SANDBOX_USER = 64_087

const isRoot = (): boolean => process.getuid?.() === 0

/** A server that runs as root leaves its rights before anything else. */
export const sandboxUser = (): string[] =>
  isRoot()
    ? [SETPRIV, '--reuid', String(SANDBOX_USER), '--regid', String(SANDBOX_USER), '--clear-groups', '--']
    : []

type Inside = {
  /** The file descriptor from which the filter of system calls is read. */
  filterAt: number
  /** What is seen as `/code`, and where in it the program starts; null = nothing. */
  code: { folder: string; startIn: string } | null
}

/** The root and `/dev` are file systems in memory too: made read-only, or they could be filled. */
export const bubblewrap = ({ filterAt, code }: Inside): string[] => [
  programs.bubblewrap,
  ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
  ...['--cap-drop', 'ALL', '--uid', '65534', '--gid', '65534', '--hostname', 'sandbox'],
  ...[
    '--clearenv',
    '--setenv',
    'PATH',
    '/usr/bin',
    '--setenv',
    'HOME',
    '/tmp',
    '--setenv',
    'LANG',
    'C.UTF-8',
  ],
  ...['--ro-bind', '/usr', '/usr'],
  ...['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
  ...['--proc', '/proc', '--dev', '/dev'],
  ...['--size', String(limits.outputBytes), '--tmpfs', '/tmp'],
  ...['--size', String(limits.outputBytes), '--tmpfs', '/out'],
  ...(code === null ? [] : ['--ro-bind', code.folder, '/code', '--chdir', `/code/${code.startIn}`]),
  ...['--remount-ro', '/dev', '--remount-ro', '/', '--seccomp', String(filterAt)],
]

/** Empty = code can be run. Tried, because a kernel may forbid what is installed. */
export function missingParts(): SandboxPart[] {
  const missing: SandboxPart[] = (['bubblewrap', 'prlimit', 'timeout', 'python'] as const).filter(
    (name) => !existsSync(programs[name]),
  )
  const filter = systemCallFilter()
  if (filter === null) missing.push('system_call_filter')
  if (missing.length > 0 || filter === null) return missing
  const [program = '', ...args] = [
    ...sandboxUser(),
    ...bubblewrap({ filterAt: 0, code: null }),
    '/usr/bin/true',
  ]
  const { status } = spawnSync(program, args, {
    env: {},
    cwd: '/',
    input: filter,
    timeout: TRIAL_MS,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return status === 0 ? [] : ['user_namespaces']
}

const TRIAL_MS = 5000
