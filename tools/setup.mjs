/**
 * Brings a bare checkout to the point where the product can be built: npm packages, a Python with PyTorch, Tesseract,
 * and for browser tests Chromium. Uses Node's own modules alone, because nothing else is there yet; quick when nothing is missing.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const cache = join(root, '.cache')

const TRIES = 3
const PAUSE_MS = 3000

/** A problem that the person at the keyboard can solve: printed as one sentence, without a stack. */
export class SetupError extends Error {}

/** Installs the npm packages of package-lock.json unless exactly these are there. */
export function ensurePackages() {
  const stampFile = join(root, 'node_modules', '.neuroloom')
  const stamp = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(process.version)
    .digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  // npm would empty the folder that the link leads to, under the hands of another checkout.
  if (isLink(join(root, 'node_modules'))) return
  say('Installing npm packages …')
  timed('npm packages', () =>
    must(
      'npm',
      ['ci', '--no-audit', '--no-fund'],
      'npm could not install the packages: check the network or the npm registry setting.',
    ),
  )
  writeFileSync(stampFile, stamp)
}

const isLink = (path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false

/** Path of a Python that imports torch, numpy and Pillow; installs them where it may. */
export function ensureEngine() {
  if (process.env.ENGINE_PYTHON) {
    if (!probe(process.env.ENGINE_PYTHON)) {
      throw new SetupError(
        `ENGINE_PYTHON (${process.env.ENGINE_PYTHON}) does not import torch, numpy and PIL: install them there or unset it.`,
      )
    }
    return process.env.ENGINE_PYTHON
  }
  const known = remembered()
  if (known) return known
  return remember(findPython()) ?? remember(installEngine())
}

/**
 * Path of Chromium for the browser tests; installs Debian's where it may. Rather the one without a window of its own: it
 * draws and runs pages alike, and the other's bars and pages of settings take as long as a small page in every window.
 */
export function ensureChromium() {
  const windowless = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell']
  const names = [...windowless, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  const find = (among) => among.find((name) => name && existsSync(name))
  const found = find(windowless)
  if (found) return found
  if (canApt()) {
    say('Installing Chromium for the browser tests …')
    timed('Chromium', () => {
      apt(['chromium-headless-shell'])
      if (!find(names)) apt(['chromium'])
    })
  }
  const path = find(names)
  if (path) return path
  throw new SetupError('The browser tests need Chromium: install it and set CHROMIUM to its path.')
}

/**
 * Path of Firefox for the one long test that walks in it; installs Debian's where it may. Null where there is none: that
 * is said, and the test is left out.
 */
export function ensureFirefox() {
  const names = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox']
  const find = () => names.find((name) => name && existsSync(name)) ?? null
  const found = find()
  if (found) return found
  if (canApt()) {
    say('Installing Firefox for the long run …')
    timed('Firefox', () => apt(['firefox-esr']))
  }
  const path = find()
  if (!path) say('The walk in Firefox is left out: install firefox-esr, or set FIREFOX to its path.')
  return path
}

/**
 * Tesseract with its three languages, for texts burned into pictures: installed where it may. Without it everything else
 * works, so that is said once and nothing stops.
 */
export function ensureTesseract() {
  if (hasTesseract()) return
  const packages = ['tesseract-ocr', 'tesseract-ocr-eng', 'tesseract-ocr-chi-sim', 'tesseract-ocr-rus']
  if (canApt()) {
    say('Installing Tesseract for burned-in texts …')
    timed('Tesseract', () => apt(packages))
    if (hasTesseract()) return
  }
  say(`Burned-in texts cannot be looked for: install ${packages.join(' ')} (see docs/operating.md).`)
}

/**
 * SciPy and h5py for the engine's Python, for 4D flow MRI: installed where it may. Without them everything else works, so
 * that is said once and nothing stops.
 */
export function ensureFlow(python) {
  if (hasFlow(python)) return
  if (python === '/usr/bin/python3' && canApt()) {
    say('Installing SciPy and h5py for 4D flow MRI …')
    timed('SciPy and h5py', () => apt(['python3-scipy', 'python3-h5py']))
  } else if (python === join(root, '.venv', 'bin', 'python')) {
    spawnSync(python, ['-m', 'pip', 'install', '-r', join(root, 'engine', 'requirements.txt')], {
      stdio: 'inherit',
    })
  }
  if (!hasFlow(python))
    say(`4D flow MRI cannot be worked out: install scipy and h5py for ${python} (see docs/operating.md).`)
}

const hasFlow = (python) =>
  spawnSync(python, [
    '-c',
    'import importlib.util as u, sys; sys.exit(not (u.find_spec("scipy") and u.find_spec("h5py")))',
  ]).status === 0

function hasTesseract() {
  const { status, stdout } = spawnSync(process.env.TESSERACT ?? 'tesseract', ['--list-langs'], {
    encoding: 'utf8',
  })
  const there = new Set((stdout ?? '').split(/\s+/))
  return status === 0 && ['eng', 'chi_sim', 'rus'].every((language) => there.has(language))
}

const candidates = () => [join(root, '.venv', 'bin', 'python'), 'python3', '/usr/bin/python3']
const findPython = () => candidates().find((python) => probe(python)) ?? null

/** Where torch lies for this Python, or null. */
function probe(python) {
  const code = 'import sys, torch, numpy, PIL; print(sys.executable); print(torch.__file__)'
  const result = spawnSync(python, ['-c', code], { encoding: 'utf8', timeout: 120_000 })
  if (result.status !== 0) return null
  const [executable, torch] = result.stdout.trim().split('\n')
  return { executable, torch }
}

function remember(python) {
  const found = python && probe(python)
  if (!found) return null
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'engine.json'), JSON.stringify(found))
  return found.executable
}

/** The Python found last time, as long as it and its torch are still there: saves importing torch at every start. */
function remembered() {
  const file = join(cache, 'engine.json')
  if (!existsSync(file)) return null
  const { executable, torch } = JSON.parse(readFileSync(file, 'utf8'))
  return existsSync(executable) && existsSync(torch) ? executable : null
}

function installEngine() {
  say('Installing PyTorch for the engine …')
  if (canApt()) {
    timed('PyTorch', () => apt(['python3-torch', 'python3-numpy', 'python3-pil']))
    if (probe('/usr/bin/python3')) return '/usr/bin/python3'
  }
  const venv = join(root, '.venv')
  const made = spawnSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' })
  const python = join(venv, 'bin', 'python')
  if (made.status === 0) {
    timed('PyTorch', () =>
      spawnSync(python, ['-m', 'pip', 'install', '-r', join(root, 'engine', 'requirements.txt')], {
        stdio: 'inherit',
      }),
    )
  }
  if (probe(python)) return python
  throw new SetupError(
    'The engine needs a Python with PyTorch: install torch, numpy and pillow (see engine/requirements.txt) and set ENGINE_PYTHON to that Python.',
  )
}

const canApt = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

function apt(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env }
  withRetry(() => {
    spawnSync('apt-get', ['update', '-qq'], options)
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
    return spawnSync('apt-get', install, options).status === 0
  })
}

function must(command, args, sentence) {
  const isDone = withRetry(() => spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0)
  if (!isDone) throw new SetupError(sentence)
}

/** A registry that does not answer for a moment stops nothing. Answers whether a try succeeded. */
function withRetry(work) {
  for (let left = TRIES; left > 0; left -= 1) {
    if (work()) return true
    if (left > 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
  return false
}

/** Says how long a download took, so that it can be told apart from the product's own start. */
function timed(what, work) {
  const start = performance.now()
  work()
  say(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}

/** Ends the process with one sentence for a SetupError, with the stack for a defect. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    process.stderr.write(error instanceof SetupError ? `${error.message}\n` : `${error?.stack ?? error}\n`)
    process.exit(1)
  }
}
