/** Reads XML tag by tag, without entities of its own and with limits; escapes what is written into XML. */
import sax from 'sax'

/** Tags within tags; the formats need eight. */
const DEPTH = 30
/** So much is read before it is seen whether something was wrong. */
const CHUNK = 65_536

export type Tag = {
  name: string
  own: Readonly<Record<string, string>>
  /** Names from the root on, this tag's own the last. */
  path: readonly string[]
  line: number
}

export type Visitor = {
  open?: (tag: Tag) => void
  /** `said`: the text right before its end. */
  close?: (tag: Omit<Tag, 'own'>, said: string) => void
}

/** The line of the first thing that is wrong; null where nothing is. */
export function visitXml(text: string, { open, close }: Visitor): number | null {
  // Entities that a text defines itself are unknown to this parser, and an unknown one is an error.
  const parser = sax.parser(true)
  const path: string[] = []
  let wrong: number | null = null
  let said = ''
  parser.onerror = () => {
    wrong ??= parser.line + 1
  }
  parser.onopentag = ({ name, attributes }) => {
    path.push(name)
    said = ''
    if (path.length > DEPTH) wrong ??= parser.line + 1
    // Without namespaces the library gives attributes as texts.
    else if (wrong === null)
      open?.({ name, own: attributes as Record<string, string>, path, line: parser.line + 1 })
  }
  parser.ontext = (piece) => {
    said += piece
  }
  parser.oncdata = (piece) => {
    said += piece
  }
  parser.onclosetag = (name) => {
    if (wrong === null) close?.({ name, path, line: parser.line + 1 }, said.trim())
    said = ''
    path.pop()
  }
  for (let at = 0; at < text.length && wrong === null; at += CHUNK) parser.write(text.slice(at, at + CHUNK))
  if (wrong === null) parser.close()
  return wrong
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Control signs, which XML cannot hold, become blanks. */
export const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
