/** Runs a program in a process group of its own, and ends it with all that it started when it takes longer than `limitMs`. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { root } from './setup.mjs'

/** Answers `{ status, output, isOverdue }`; `output` holds what `stdout` and `stderr` that are 'pipe' received. */
export function run(command, args, options = {}) {
  const { cwd = root, env = process.env, stdout = 'inherit', stderr = 'inherit', limitMs } = options
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', stdout, stderr], detached: true })
    let output = ''
    let isOverdue = false
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
    const limit =
      limitMs &&
      setTimeout(() => {
        isOverdue = true
        endTree(child.pid)
      }, limitMs)
    // Ctrl-C reaches our group alone: the program gets it from us, and ends in order.
    let received = null
    const forward = (signal) => {
      received = signal
      send(-child.pid, signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, forward)
    const settle = (status) => {
      clearTimeout(limit)
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, forward)
      if (received) process.exit(1)
      resolve({ status: status ?? 1, output, isOverdue })
    }
    child.on('error', (error) => {
      output += String(error)
      settle(1)
    })
    child.on('close', settle)
  })
}

/** The group, and what has since made a group of its own (a database, a product that a test started). */
function endTree(pid) {
  const others = descendants(pid)
  send(-pid, 'SIGKILL')
  for (const other of others) send(other, 'SIGKILL')
}

function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** Process ids below this one; none where the system has no /proc. */
function descendants(pid) {
  const children = new Map()
  for (const { id, parent } of processes()) children.set(parent, [...(children.get(parent) ?? []), id])
  const below = (id) => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

function processes() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ id: Number(name), parent: parentOf(name) }))
  } catch {
    return []
  }
}

function parentOf(id) {
  try {
    // "12 (name) S 7 …": the name may itself contain blanks and brackets.
    return Number(readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1).split(' ')[1])
  } catch {
    return null
  }
}
