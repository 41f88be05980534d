/**
 * What an uploaded archive says of itself: names, sizes and what is wrong with them, from its table of contents alone.
 * Nothing is unpacked and nothing executed. Example: `segmentation/main.py` and `Segmentation/a.py` → refused by the
 * name `Segmentation`; `segmentation/run.sh -> /bin/sh` → kept with the finding `symlink`, and can only be rejected.
 */
import {
  type CodeFinding,
  type CodeFolder,
  codeFolders,
  isCodeFolder,
  isDanger,
} from '@neuroloom/contract/custom/code'
import type { CodeEntry } from '@neuroloom/contract/custom/code-calls'
import { code as limits } from '@neuroloom/contract/limits'
import { nameReader } from '@neuroloom/contract/names/stored-names'
import { Failure, fail } from '../../../http/fail.ts'
import { type FoundEntry, openZip } from '../../files/service.ts'

export type Intake = {
  folders: CodeFolder[]
  entries: CodeEntry[]
  files: number
  unpackedBytes: number
}

/** Refuses what is no zip, too much, or has something else at its top, by its name. */
export async function intakeOf(path: string): Promise<Intake> {
  const listed = await listAll(path)
  const { read } = nameReader(
    listed.map(({ name }) => name),
    null,
  )
  const seen = new Set<string>()
  const folded = new Set<string>()
  const tops = new Set<CodeFolder>()
  const entries = listed.map((entry): CodeEntry => {
    const name = read(entry.name)
    tops.add(topOf(name, entry.kind))
    const findings: CodeFinding[] = [...nameFindings(name), ...entryFindings(entry)]
    const key = name.normalize('NFC').replace(/\/+$/, '')
    if (seen.has(key)) findings.push('duplicate')
    else if (folded.has(key.toLowerCase())) findings.push('case_twin')
    seen.add(key)
    folded.add(key.toLowerCase())
    return {
      path: printable(name),
      isFolder: entry.kind === 'folder',
      sizeBytes: entry.sizeBytes,
      findings,
      lines: [],
    }
  })
  const files = entries.filter(({ isFolder }) => !isFolder).length
  if (files === 0) throw fail('code_empty')
  return {
    folders: codeFolders.filter((name) => tops.has(name)),
    entries,
    files,
    unpackedBytes: entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

async function listAll(path: string): Promise<FoundEntry[]> {
  const listed: FoundEntry[] = []
  try {
    const archive = await openZip(path)
    try {
      let bytes = 0
      for await (const entry of archive.list()) {
        listed.push(entry)
        bytes += entry.sizeBytes
        if (listed.length > limits.entries) throw fail('code_many', { most: limits.entries })
        if (entry.name.length > limits.pathLength) throw fail('code_not_zip')
        if (bytes > limits.unpackedBytes) throw fail('code_large', { most: limits.unpackedBytes })
      }
    } finally {
      await archive.close()
    }
  } catch (error) {
    throw error instanceof Failure ? error : fail('code_not_zip')
  }
  return listed
}

/** The name at the top has to be one of the five, and a folder. */
function topOf(name: string, kind: FoundEntry['kind']): CodeFolder {
  const parts = name.replaceAll('\\', '/').split('/')
  const [top = ''] = parts.filter((part) => part !== '')
  const isInside = parts.length > 1 || kind !== 'file'
  if (!isCodeFolder(top) || !isInside) throw fail('code_top', { name: printable(top === '' ? name : top) })
  return top
}

function nameFindings(name: string): CodeFinding[] {
  const parts = name.split(/[/\\]/)
  const found: CodeFinding[] = []
  if (/^([/\\]|[A-Za-z]:)/.test(name)) found.push('absolute_path')
  if (parts.includes('..')) found.push('parent_path')
  if (/[\p{Cc}\p{Cf}\p{Surrogate}\uFFFD\\]|\/\/|(^|\/)\.\//u.test(name)) found.push('bad_name')
  if (parts.some((part) => part.startsWith('.') && part !== '.' && part !== '..')) found.push('hidden')
  return found
}

const SETUID_SETGID = 0o6000
const BOMB_BYTES = 1024 * 1024

function entryFindings({ kind, problem, unixMode, sizeBytes, packedBytes }: FoundEntry): CodeFinding[] {
  const found: CodeFinding[] = []
  if (kind === 'link') found.push('symlink')
  if (kind === 'special') found.push('special')
  if (unixMode !== undefined && (unixMode & SETUID_SETGID) !== 0) found.push('setuid')
  if (problem === 'encrypted') found.push('encrypted')
  else if (problem === 'overlaps') found.push('overlaps')
  else if (problem !== null) found.push('damaged')
  const isBomb = packedBytes !== undefined && sizeBytes > BOMB_BYTES && sizeBytes > packedBytes * limits.ratio
  if (isBomb) found.push('bomb')
  return found
}

export const hasDanger = ({ findings }: Pick<CodeEntry, 'findings'>): boolean => findings.some(isDanger)

/** How often each was found. */
export function countFindings(entries: readonly CodeEntry[]): Partial<Record<CodeFinding, number>> {
  const counts: Partial<Record<CodeFinding, number>> = {}
  for (const { findings } of entries)
    for (const finding of new Set(findings)) counts[finding] = (counts[finding] ?? 0) + 1
  return counts
}

const printable = (name: string): string =>
  name.slice(0, limits.pathLength).replace(/[\p{Cc}\p{Surrogate}]/gu, '\uFFFD')
