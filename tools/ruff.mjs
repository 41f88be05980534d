// Lints and format-checks Python with ruff's WebAssembly build, so that no Python package is needed. `--fix` rewrites.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { PositionEncoding, Workspace } = createRequire(import.meta.url)('@astral-sh/ruff-wasm-nodejs')

const options = {
  'target-version': 'py311',
  'line-length': 110,
  lint: {
    select: ['E', 'F', 'I', 'UP', 'B', 'SIM'],
    isort: { 'known-first-party': ['neuroloom_engine', 'tests'] },
  },
  format: { 'quote-style': 'double' },
}

const args = process.argv.slice(2)
const isFixing = args.includes('--fix')
const roots = args.filter((arg) => !arg.startsWith('--'))
const workspace = new Workspace(options, PositionEncoding.Utf16)
let findings = 0

for (const path of roots.flatMap(pythonFiles)) {
  const source = readFileSync(path, 'utf8')
  const fixed = isFixing ? workspace.format(applyFixes(source)) : source
  if (fixed !== source) writeFileSync(path, fixed)
  for (const { code, message, start_location: at } of workspace.check(fixed)) {
    report(`${path}:${at.row}:${at.column} ${code ?? 'syntax'} ${message}`)
  }
  if (!isFixing && workspace.format(source) !== source) report(`${path}: not formatted`)
}
if (findings > 0) process.exitCode = 1

function report(line) {
  findings += 1
  console.error(line)
}

function pythonFiles(path) {
  if (statSync(path).isFile()) return path.endsWith('.py') ? [path] : []
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== '__pycache__' && name !== 'node_modules' && !name.startsWith('.'))
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ name }) => pythonFiles(join(path, name)))
}

/** Applies one fix at a time, since every fix moves the places of the next. */
function applyFixes(source) {
  let text = source
  for (let round = 0; round < 200; round += 1) {
    const fix = workspace.check(text).find((diagnostic) => diagnostic.fix?.edits.length)?.fix
    if (!fix) return text
    const edits = fix.edits.map((edit) => ({
      from: offsetOf(text, edit.location),
      to: offsetOf(text, edit.end_location),
      content: edit.content ?? '',
    }))
    for (const { from, to, content } of edits.sort((a, b) => b.from - a.from)) {
      text = text.slice(0, from) + content + text.slice(to)
    }
  }
  return text
}

function offsetOf(text, { row, column }) {
  let start = 0
  for (let line = 1; line < row; line += 1) start = text.indexOf('\n', start) + 1
  return start + column - 1
}
