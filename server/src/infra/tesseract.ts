/** Has Tesseract read pictures of single lines: a process of its own, bounded in time, memory and threads. Knows no members. */
import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { burnedIn as limits } from '@neuroloom/contract/limits'

/** Of Debian, by what each brings; Chinese of both kinds of writing is read by the simplified one's data in part. */
const packages: Record<string, string> = {
  eng: 'tesseract-ocr-eng',
  chi_sim: 'tesseract-ocr-chi-sim',
  rus: 'tesseract-ocr-rus',
}
const LANGUAGES = Object.keys(packages).join('+')

const program = (): string => process.env.TESSERACT ?? 'tesseract'

let known: string[] | null = null
let lookedAt = 0
/** What was installed meanwhile is found without a new start. */
const LOOK_MS = 60_000

/** Debian packages without which nothing is read; empty when all is there. */
export async function missingPackages(): Promise<string[]> {
  if (known !== null && (known.length === 0 || Date.now() - lookedAt < LOOK_MS)) return known
  known = await look()
  lookedAt = Date.now()
  return known
}

async function look(): Promise<string[]> {
  try {
    const { stdout } = await promisify(execFile)(program(), ['--list-langs'], { timeout: 10_000 })
    const there = new Set(stdout.split(/\s+/))
    return Object.entries(packages).flatMap(([language, name]) => (there.has(language) ? [] : [name]))
  } catch {
    return ['tesseract-ocr', ...Object.values(packages)]
  }
}

/** `confidence` from 0 to 100. */
type Words = { text: string; confidence: number }

type Options = {
  /** It sees what lies there; names of members' files are not among it. */
  folder: string
  signal?: AbortSignal
}

/** One line a picture, in their order; nothing where it read nothing, overran its time or broke off. */
export async function readTexts(paths: readonly string[], { folder, signal }: Options): Promise<Words[]> {
  if (paths.length === 0) return []
  const listPath = join(folder, 'crops.txt')
  await writeFile(listPath, `${paths.join('\n')}\n`)
  const table = await run(listPath, { folder, ...(signal ? { signal } : {}) })
  return paths.map((_, index) => wordsOf(table, index + 1))
}

async function run(listPath: string, { folder, signal }: Options): Promise<string[][]> {
  // A limit of addresses, which a shell sets for itself before it becomes Tesseract.
  const kilobytes = Math.round(limits.readBytes / 1024)
  const script = `ulimit -v ${kilobytes} 2>/dev/null; exec "$0" "$@"`
  const words = ['-c', script, program(), listPath, 'stdout', '-l', LANGUAGES, '--psm', '7', 'tsv']
  const child = spawn('sh', words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limits.readMs,
    killSignal: 'SIGKILL',
  })
  const abort = (): boolean => child.kill('SIGKILL')
  signal?.addEventListener('abort', abort)
  try {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (text.length < MOST_TEXT) text += part
    })
    await new Promise<void>((resolve) => {
      child.once('error', () => resolve())
      child.once('close', () => resolve())
    })
    signal?.throwIfAborted()
    return text.split('\n').map((line) => line.split('\t'))
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

const MOST_TEXT = 4_000_000

/** Columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text. */
function wordsOf(table: readonly string[][], page: number): Words {
  const words = table.flatMap(([level, at, ...rest]) => {
    const [confidence = '-1', text = ''] = rest.slice(-2)
    const isWord = level === '5' && at === String(page) && text.trim() !== ''
    return isWord ? [{ text: text.trim(), confidence: Number(confidence) }] : []
  })
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  const weighed = words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  return {
    text: words.map(({ text }) => text).join(' '),
    confidence: letters === 0 ? 0 : Math.max(0, Math.min(100, Math.round(weighed / letters))),
  }
}
