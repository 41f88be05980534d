/** Words in a Python text that a reviewer wants to look at. A hint, no proof: whoever hides something writes it otherwise. Pure. */
import type { CodeFinding } from './code.ts'

export type TextHint = { finding: Extract<CodeFinding, 'network' | 'process' | 'dynamic'>; line: number }

/** Each line is searched up to here, so that a long one takes no time. */
const LINE_LENGTH = 1000
const MOST_HINTS = 100

const patterns: readonly { finding: TextHint['finding']; pattern: RegExp }[] = [
  {
    finding: 'network',
    pattern:
      /\b(socket|urllib|http\.client|httplib|requests|aiohttp|httpx|ftplib|smtplib|telnetlib|paramiko|websocket|asyncio\.open_connection|https?:\/\/)/,
  },
  {
    finding: 'process',
    pattern:
      /\b(subprocess|multiprocessing|os\.(?:system|popen|exec|spawn|fork|kill|setuid|setgid|chmod|chown)|pty|ptrace|ctypes|signal\.)/,
  },
  {
    finding: 'dynamic',
    pattern: /\b(?:eval|exec|compile|__import__)\s*\(|\b(?:pickle|marshal|shelve|dill|importlib)\b/,
  },
]

export function pythonHints(text: string): TextHint[] {
  const found: TextHint[] = []
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.slice(0, LINE_LENGTH)
    for (const { finding, pattern } of patterns)
      if (pattern.test(line)) found.push({ finding, line: index + 1 })
    if (found.length >= MOST_HINTS) return found.slice(0, MOST_HINTS)
  }
  return found
}
