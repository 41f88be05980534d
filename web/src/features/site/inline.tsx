import { createElement, Fragment, type ReactNode } from 'react'
import { SiteLink } from './site-link.tsx'

/** A line of an article: **bold**, `code` and [links](/tool) become what they stand for. */
export function Inline({ text }: { text: string }) {
  return createElement(Fragment, null, ...text.split(marks).map(piece))
}

const marks = /(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\([^)]+\))/

function piece(part: string): ReactNode {
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
  const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part)
  if (link === null) return part
  const [, words = '', address = ''] = link
  return address.startsWith('/') ? <SiteLink to={address}>{words}</SiteLink> : <a href={address}>{words}</a>
}

/** As it is read, for search. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll('`', '')
